#include "edits/extraction.hpp"

#include "support/parallel.hpp"

namespace recte {

ExtractedEdits extract_edits(const AnnotatedText& text, std::span<const std::int64_t> sources,
                             std::span<const std::int64_t> corrected, const WordTable& table,
                             const ExtractionOptions& options, int threads) {
  std::vector<std::vector<AlignedSpan>> found(corrected.size());
  ExtractedEdits all{
      {}, std::vector<std::int64_t>(corrected.size() + 1), std::vector<double>(corrected.size())};
  parallel_for(corrected.size(), threads, [&] {
    return [&, aligner = WordAligner(table, options), merger = EditMerger(table, options),
            steps = std::vector<AlignedSpan>()](std::size_t pair) mutable {
      const AnnotatedSentence source = text[static_cast<std::size_t>(sources[pair])],
                              target = text[static_cast<std::size_t>(corrected[pair])];
      steps.clear();
      if (!aligner.align(source, target, steps, all.costs[pair])) {
        all.costs[pair] = -1;
        return;
      }
      merger.merge(source, target, steps, found[pair]);
    };
  });
  for (std::size_t pair = 0; pair < found.size(); ++pair) {
    all.offsets[pair + 1] = all.offsets[pair] + static_cast<std::int64_t>(found[pair].size());
    for (const AlignedSpan& edit : found[pair])
      all.rows.insert(all.rows.end(), {edit.operation, edit.source_begin, edit.source_end,
                                       edit.corrected_begin, edit.corrected_end});
  }
  return all;
}

}  // namespace recte
