// The I-measure's figures from token counts (Felice and Briscoe 2015, section 2.3), and the choice of a
// reference.
#pragma once

#include "three_way/three_way.hpp"

namespace recte {

enum class Baseline {
  released = 0,  // the source aligned with the reference again
  printed = 1,   // the source as hypothesis inside the existing alignment
};

/// A figure of correction, and from `detection` on the same of detection, in the same order.
enum class Optimise {
  wacc = 0,
  improvement = 1,
  accuracy = 2,
  precision = 3,
  recall = 4,
  f = 5,
  detection = 6
};

struct ImprovementOptions {
  double weight = 2, beta = 0.5;
  Baseline baseline = Baseline::released;
  Optimise optimise = Optimise::wacc;
};

/// Tokens of one aspect, detection or correction; of a sentence, a sum or a weighted sum.
struct Aspect {
  double tp, tn, fp, fn, fpn;
};

/// What an aspect's tokens say; WAcc is `weighted_right` of `weighted_all`, and `base` is that of the source.
struct Figures {
  double precision, recall, f, accuracy, weighted_right, weighted_all, wacc, base, improvement;
};

/// `base_tn` and `base_fn` are the released baseline's; the printed one is made from the aspect itself.
Figures figures_of(const Aspect& aspect, double base_tn, double base_fn, const ImprovementOptions& options);

/// What a row holds: a reference's counts and its baseline's.
struct ReferenceCounts {
  TokenCounts tokens;
  BaselineCounts baseline;
  auto operator<=>(const ReferenceCounts&) const = default;
};

/// The same in the order of a row, wide enough for sums over a corpus: detection tp tn fp fn, correction tp
/// tn fp fn fpn, baseline tn fn.
constexpr std::size_t row_cells = 11;
using RowSums = std::array<std::int64_t, row_cells>;

RowSums sums_of(const ReferenceCounts& counts);

/// What references are compared by, the first entry first.
using ReferenceKey = std::array<double, 7>;

ReferenceKey key_of(const RowSums& sums, const ImprovementOptions& options);
inline ReferenceKey key_of(const ReferenceCounts& counts, const ImprovementOptions& options) {
  return key_of(sums_of(counts), options);
}

/// Weighted accuracy of correction alone, by which most candidates fall out before their baseline is needed.
double weighted_accuracy(const TokenCounts& counts, double weight);

}  // namespace recte
