// Randomisation of two systems: sums of both after their outputs were swapped, sentence by sentence, at
// random.
#pragma once

#include <cstdint>
#include <span>

#include "edits/choice_candidates.hpp"

namespace recte {

/// Totals tp, proposed, gold by the published, sequential choice of annotators. `candidates` are those of the
/// first system's first sentence, the second system's first, the first's second, and so on. `bits` has a row
/// of `stride` bytes for each sentence: bit t of it says whether trial t swaps the sentence. The first half
/// of `totals` are the trials' sums over what the first system then has, the second half the other's.
void sum_swapped(const Candidates& candidates, std::span<const std::uint8_t> bits, std::size_t stride,
                 double beta2, int threads, std::span<double> totals);

}  // namespace recte
