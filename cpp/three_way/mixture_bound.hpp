// How good a mixture of corrections can be at best, known without aligning it.
#pragma once

#include "three_way/bit_distances.hpp"
#include "three_way/imeasure.hpp"

namespace recte {

/// A bound of the weighted accuracy of references that are put together from segments.
///
/// Take two of the texts as they stand in the optimal alignment of all three, with s pairs of different
/// tokens and g tokens aligned with a gap. They cost c = mismatch · s + gap · g. No alignment has a smaller s
/// + g than their Levenshtein distance, nor a smaller 2 s + g than their tokens that are not in a common
/// subsequence. So c is at least, and s + g at most, what follows from these; and all three costs together
/// are at most the sum over the segments, whose alignments can stand side by side. Columns where two texts
/// differ are true positives (source from both others) or wrong (hypothesis from reference), which bounds
/// both. Equal tokens must cost nothing.
class MixtureBound {
 public:
  MixtureBound(const IMeasureOptions& options, Tokens source, Tokens hypothesis);

  /// The best weighted accuracy that a reference can have, whose segments together cost so much.
  double best(Tokens reference, std::int64_t segments_cost);

 private:
  /// Tokens of two texts that are in no common subsequence so long.
  static double lone(std::size_t a, std::size_t b, int common) {
    return static_cast<double>(a + b) - 2 * common;
  }

  double weight_, x_, y_;
  std::size_t source_size_, hypothesis_size_;
  BitPattern source_, hypothesis_;
  int unchanged_;   // columns where source and hypothesis are equal, at most
  double changed_;  // columns where they differ, at least
};

}  // namespace recte
