// The I-measure's figures from token counts (Felice and Briscoe 2015, section 2.3), and the choice of a
// reference.
#pragma once

#include "three_way.hpp"

namespace recte {

enum class Baseline {
  released = 0,  // the source aligned with the reference anew
  printed = 1,   // the source as hypothesis inside the existing alignment
};

enum class Optimise { wacc = 0, improvement = 1, accuracy = 2, precision = 3, recall = 4, f = 5 };

struct ImprovementOptions {
  double weight = 2, beta = 0.5;
  Baseline baseline = Baseline::released;
  Optimise optimise = Optimise::wacc;
};

/// What a row holds: a reference's counts and its baseline's.
struct ReferenceCounts {
  TokenCounts tokens;
  BaselineCounts baseline;
  auto operator<=>(const ReferenceCounts&) const = default;
};

/// What references are compared by, the first entry first.
using ReferenceKey = std::array<double, 7>;

ReferenceKey key_of(const ReferenceCounts& counts, const ImprovementOptions& options);

/// Weighted accuracy of correction alone, by which most candidates fall out before their baseline is needed.
double weighted_accuracy(const TokenCounts& counts, double weight);

}  // namespace recte
