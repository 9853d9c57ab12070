#include "edits/reachable_totals.hpp"

namespace recte {
namespace {

/// Whether F with these sums is better, as `is_better` says of the quotients. Products tell it without a
/// division unless they are so near that rounding might decide.
bool is_better_with(double tp, double denominator, double best_tp, double best_denominator, double beta2) {
  const double left = tp * best_denominator, right = best_tp * denominator;
  if (denominator > 0 && best_denominator > 0 && std::abs(left - right) > 1e-12 * (left + right))
    return left > right;
  return is_better(f_of(tp, denominator, beta2), tp, denominator, f_of(best_tp, best_denominator, beta2),
                   best_tp, best_denominator);
}

}  // namespace

const Candidate* ReachableTotals::best_of(std::span<const Candidate> rivals) const {
  if (rivals.empty()) return nullptr;
  // Products nearer than this may be compared as quotients: see is_better_with.
  const double margin = 1e-9 + 1e-11 * (largest_tp_ + more_tp_) * (1 + more_denominator_ / smallest_);
  const Candidate* best = &rivals[0];
  for (const Candidate& rival : rivals.subspan(1)) {
    if (!(smallest_ > 0)) return nullptr;
    // (T + tp)(D + d') > (T + tp')(D + d) divided by D, on all of the box that holds T/D and 1/D.
    const double denominator = rival.denominator(beta2_), best_denominator = best->denominator(beta2_);
    const double slope = best_denominator - denominator;
    const double constant = (rival.tp * best_denominator - best->tp * denominator) / smallest_;
    const double low = std::min(lowest_ * slope, highest_ * slope) + std::min(constant, 0.0);
    const double high = std::max(lowest_ * slope, highest_ * slope) + std::max(constant, 0.0);
    if (low + (rival.tp - best->tp) > margin)
      best = &rival;
    else if (!(high + (rival.tp - best->tp) < -margin))
      return nullptr;
  }
  return best;
}

const Candidate& best_for(const Totals& sums, std::span<const Candidate> rivals, double beta2) {
  const Candidate* best = &rivals[0];
  double best_tp = sums.tp + best->tp;
  double best_denominator = denominator_of(beta2, sums.proposed + best->proposed, sums.gold + best->gold);
  for (const Candidate& rival : rivals.subspan(1)) {
    const double tp = sums.tp + rival.tp;
    const double denominator = denominator_of(beta2, sums.proposed + rival.proposed, sums.gold + rival.gold);
    if (!is_better_with(tp, denominator, best_tp, best_denominator, beta2)) continue;
    best = &rival;
    best_tp = tp;
    best_denominator = denominator;
  }
  return *best;
}

}  // namespace recte
