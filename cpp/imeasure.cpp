#include "imeasure.hpp"

#include "mixed_search.hpp"
#include "parallel.hpp"

namespace errata {
namespace {

void write_row(std::span<std::int32_t> row, const ReferenceCounts& counts) {
  const TokenCounts& t = counts.tokens;
  const std::array<std::int32_t, row_cells> cells = {t.detection_tp,     t.detection_tn,    t.detection_fp,
                                                     t.detection_fn,     t.correction_tp,   t.correction_tn,
                                                     t.correction_fp,    t.correction_fn,   t.correction_fpn,
                                                     counts.baseline.tn, counts.baseline.fn};
  std::ranges::copy(cells, row.begin());
}

void write_rows(std::span<std::int32_t> rows, std::size_t pair, std::size_t candidates,
                const BestReferences& best) {
  for (std::size_t c = 0; c < best.kept().size(); ++c)
    write_row(rows.subspan((pair * candidates + c) * row_cells, row_cells), best.kept()[c].counts);
}

}  // namespace

void count_references(const Sentences& sources, const Sentences& hypotheses,
                      std::span<const std::int64_t> source_of, const ReferenceTable& table,
                      const IMeasureOptions& options, int threads, std::span<std::int32_t> rows,
                      std::span<std::int32_t> chosen, std::span<std::uint8_t> status) {
  std::ranges::fill(rows, -1);
  std::ranges::fill(chosen, -1);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, aligner = ThreeWayAligner(options.costs, options.max_cells)](std::size_t pair) mutable {
      BestReferences best(options, aligner);
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const std::int64_t first = table.reference_offsets[sentence],
                         last = table.reference_offsets[sentence + 1];
      status[pair] = static_cast<std::uint8_t>(TripleStatus::exact);
      for (std::int64_t r = first; r < last; ++r)
        if (!best.consider(sources[sentence], hypotheses[pair], table.references[r],
                           {static_cast<std::int32_t>(r - first)}))
          status[pair] = static_cast<std::uint8_t>(TripleStatus::too_long);
      write_rows(rows, pair, options.candidates, best);
      for (std::size_t c = 0; c < best.kept().size(); ++c)
        chosen[pair * options.candidates + c] = best.kept()[c].note[0];
    };
  });
}

void count_mixed(const Sentences& sources, const Sentences& hypotheses,
                 std::span<const std::int64_t> source_of, const ErrorTable& table,
                 const IMeasureOptions& options, int threads, std::span<std::int32_t> rows,
                 std::span<const std::int64_t> chosen_offsets, std::span<std::int32_t> chosen,
                 std::span<std::uint8_t> status) {
  std::ranges::fill(rows, -1);
  std::ranges::fill(chosen, -1);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, aligner = ThreeWayAligner(options.costs, options.max_cells),
            errors = std::vector<ErrorOptions>()](std::size_t pair) mutable {
      BestReferences best(options, aligner);
      MixedSearch search(options, aligner);
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      errors.clear();
      for (auto e = table.error_offsets[sentence]; e < table.error_offsets[sentence + 1]; ++e) {
        ErrorOptions& error = errors.emplace_back();
        for (auto o = table.option_offsets[e]; o < table.option_offsets[e + 1]; ++o) {
          auto& option = error.emplace_back();
          for (auto c = table.edit_offsets[o]; c < table.edit_offsets[o + 1]; ++c)
            option.push_back({table.starts[c], table.ends[c], table.corrections[c]});
        }
      }
      status[pair] =
          static_cast<std::uint8_t>(search.search(sources[sentence], hypotheses[pair], errors, best));
      write_rows(rows, pair, options.candidates, best);
      if (!best.kept().empty()) std::ranges::copy(best.kept()[0].note, chosen.begin() + chosen_offsets[pair]);
    };
  });
}

}  // namespace errata
