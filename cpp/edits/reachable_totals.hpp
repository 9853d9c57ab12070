// What running totals can be within a stretch of sentences, and who is then best whatever they are.
#pragma once

#include <cmath>
#include <span>

#include "edits/choice_candidates.hpp"

namespace recte {

/// Bounds of T/D and D over some running totals, T being true positives and D the denominator of F.
class ReachableTotals {
 public:
  explicit ReachableTotals(double beta2) : beta2_(beta2) {}

  /// A sentence of the stretch: totals grow by `most` times the counts of one of these at the most.
  void expect(std::span<const Candidate> rivals, double most) {
    double tp = 0, denominator = 0;
    for (const Candidate& one : rivals) {
      tp = std::max(tp, one.tp);
      denominator = std::max(denominator, one.denominator(beta2_));
    }
    more_tp_ += most * tp;
    more_denominator_ += most * denominator;
  }

  /// Totals before the stretch, once all its sentences are known.
  void begin_with(const Totals& sums) {
    const double denominator = denominator_of(beta2_, sums.proposed, sums.gold);
    smallest_ = std::min(smallest_, denominator);
    lowest_ = std::min(lowest_, sums.tp / (denominator + more_denominator_));
    highest_ = std::max(highest_, (sums.tp + more_tp_) / denominator);
    largest_tp_ = std::max(largest_tp_, sums.tp);
  }

  /// The annotator who is best whatever the totals are, or null.
  const Candidate* best_of(std::span<const Candidate> rivals) const;

 private:
  double beta2_;
  double more_tp_ = 0, more_denominator_ = 0;
  double lowest_ = INFINITY, highest_ = 0, smallest_ = INFINITY, largest_tp_ = 0;
};

/// The annotator who is best for these totals by the published rule.
const Candidate& best_for(const Totals& sums, std::span<const Candidate> rivals, double beta2);

}  // namespace recte
