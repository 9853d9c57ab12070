// Many pairs of sentences into edits in one call.
#pragma once

#include "edit_merging.hpp"
#include "word_alignment.hpp"

namespace recte {

struct ExtractedEdits {
  std::vector<std::int32_t> rows;     // operation, source begin and end, corrected begin and end of each edit
  std::vector<std::int64_t> offsets;  // where the edits of each pair begin
  std::vector<double> costs;          // of the pair's alignment; negative where it was too long to align
};

/// Pair p is sentence p of `corrected` and sentence `source_of[p]` of `sources`.
ExtractedEdits extract_edits(const AnnotatedText& sources, const AnnotatedText& corrected,
                             std::span<const std::int64_t> source_of, const WordTable& table, WordCosts costs,
                             Merging merging, int threads);

}  // namespace recte
