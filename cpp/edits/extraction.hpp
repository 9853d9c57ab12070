// Many pairs of sentences into edits in one call.
//
// `word_alignment` fills ERRANT's table of costs in doubles, with additions in the published order. Equal
// words always match, so the common end of both sentences needs no table; nor does the common
// beginning, up to its last word that does not come again. Cells far from the diagonal are filled only where
// a way there could still win, and letters are compared only where a substitution could. Windows of a
// transposition are compared by sums of hashed words, then word by word. `edit_merging` joins steps by the
// published rules; a run in which no rule fires is looked at pair by pair, longest first. Types are Python,
// since a system has some thousand edits. Chinese has kernels of its own, since costs and ties differ:
// `tied_alignment` keeps every cheapest operation of a cell and never lists the alignments one by one (20 and
// 30 characters can have 30 million); at most 1,000 alternatives are kept of a pair, and the pair says so.
// `move_merging` joins what was deleted in one place and inserted in another.
#pragma once

#include "edits/edit_merging.hpp"
#include "edits/word_alignment.hpp"

namespace recte {

struct ExtractedEdits {
  std::vector<std::int32_t> rows;     // operation, source begin and end, corrected begin and end of each edit
  std::vector<std::int64_t> offsets;  // where the edits of each pair begin
  std::vector<double> costs;          // of the pair's alignment; negative where it was too long to align
};

/// Pair p is the sentences `sources[p]` and `corrected[p]` of the text.
ExtractedEdits extract_edits(const AnnotatedText& text, std::span<const std::int64_t> sources,
                             std::span<const std::int64_t> corrected, const WordTable& table,
                             const ExtractionOptions& options, int threads);

}  // namespace recte
