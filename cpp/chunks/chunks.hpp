// CLEME's chunks: a sentence cut at the same places for the hypothesis and all references.
//
// `chunk_scores` weights and sums them: the mean length over a corpus decides the weights, so rows hold how
// many chunks there are of each length, and every weighting of the sentences finds its own mean. Rounding to
// four decimals is exact, since ties decide between references. `weighed_choice` chooses annotators by sums
// of weights. `difficulty` cuts a reference into GoToScorer's pieces and judges a system on each.
#pragma once

#include "edits/edit_table.hpp"

namespace recte {

enum class ChunkKind : std::int32_t {
  true_positive = 0,
  necessary = 1,    // a false positive where the reference is changed too
  unnecessary = 2,  // a false positive where it is not
  false_negative = 3,
  true_negative = 4,
};
constexpr std::size_t chunk_kinds = 5;

/// One chunk that some version changes, against one reference: pair, reference, start, end, kind, length of
/// the hypothesis' text and of the reference's, whether the hypothesis and the reference change it.
constexpr std::size_t chunk_record = 9;

/// Records of all chunks that a version changes, pair by pair and chunk by chunk; `stretches` gets how many
/// chunks between them nobody changes. `independent`: one verdict against all references, repeated for each.
std::vector<std::int32_t> judge_chunks(const Sentences& sources, std::span<const std::int64_t> source_of,
                                       const EditTable& hypotheses,
                                       std::span<const std::int64_t> reference_offsets,
                                       const EditTable& references, bool independent, int threads,
                                       std::span<std::int32_t> stretches);

}  // namespace recte
