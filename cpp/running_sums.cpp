#include "running_sums.hpp"

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

RunningSums::RunningSums(const Candidates& candidates, double beta2, std::size_t used)
    : candidates_(candidates), beta2_(beta2), used_(used) {}

void RunningSums::look_ahead(std::size_t first, std::size_t last, double most) {
  settle();
  first_ = first;
  small_ = candidates_.whole && static_cast<double>(stretch) * most * candidates_.largest <= 65535;
  double more_tp = 0, more_denominator = 0;
  for (std::size_t s = first; s < last; ++s) {
    double tp = 0, denominator = 0;
    for (const Candidate& one : candidates_.of(s)) {
      tp = std::max(tp, one.tp);
      denominator = std::max(denominator, one.denominator(beta2_));
    }
    more_tp += most * tp;
    more_denominator += most * denominator;
  }
  lowest_ = INFINITY, highest_ = 0, smallest_ = INFINITY;
  double largest_tp = 0;
  for (std::size_t lane = 0; lane < used_; ++lane) {
    const Totals& sums = totals_[lane];
    const double denominator = denominator_of(beta2_, sums.proposed, sums.gold);
    smallest_ = std::min(smallest_, denominator);
    lowest_ = std::min(lowest_, sums.tp / (denominator + more_denominator));
    highest_ = std::max(highest_, (sums.tp + more_tp) / denominator);
    largest_tp = std::max(largest_tp, sums.tp);
  }
  // Products nearer than this may be compared as quotients: see is_better_with.
  margin_ = 1e-9 + 1e-11 * (largest_tp + more_tp) * (1 + more_denominator / smallest_);
  for (std::size_t s = first; s < last; ++s) {
    const auto rivals = candidates_.of(s);
    taken_[s - first] = same_for_all(rivals);
    nothing_[s - first] = rivals.empty() || (taken_[s - first] && *taken_[s - first] == Candidate{0, 0, 0});
  }
}

/// The annotator who is best whatever a lane's totals are within the stretch, or null.
const Candidate* RunningSums::same_for_all(std::span<const Candidate> rivals) const {
  if (rivals.empty()) return nullptr;
  const Candidate* best = &rivals[0];
  for (const Candidate& rival : rivals.subspan(1)) {
    if (!(smallest_ > 0)) return nullptr;
    // (T + tp)(D + d') > (T + tp')(D + d) divided by D, on all of the box that holds T/D and 1/D.
    const double denominator = rival.denominator(beta2_), best_denominator = best->denominator(beta2_);
    const double slope = best_denominator - denominator;
    const double constant = (rival.tp * best_denominator - best->tp * denominator) / smallest_;
    const double low = std::min(lowest_ * slope, highest_ * slope) + std::min(constant, 0.0);
    const double high = std::max(lowest_ * slope, highest_ * slope) + std::max(constant, 0.0);
    if (low + (rival.tp - best->tp) > margin_)
      best = &rival;
    else if (!(high + (rival.tp - best->tp) < -margin_))
      return nullptr;
  }
  return best;
}

template <class Weight>
void RunningSums::add(std::size_t sentence, const Weights<Weight>& weights) {
  const Candidate* one = taken_[sentence - first_];
  if (one == nullptr) return choose(candidates_.of(sentence), weights);
  if constexpr (sizeof(Weight) == 2) {
    if (small_) {
      unsettled_ = true;
      const std::array<double, 3> counts = {one->tp, one->proposed, one->gold};
      for (std::size_t cell = 0; cell < 3; ++cell) {
        const auto times = static_cast<std::uint16_t>(counts[cell]);
        if (times == 0) continue;
        auto& sums = pending_[cell];
        for (std::size_t lane = 0; lane < lanes; ++lane)
          sums[lane] = static_cast<std::uint16_t>(sums[lane] + weights[lane] * times);
      }
      return;
    }
  }
  for (std::size_t lane = 0; lane < used_; ++lane) totals_[lane].add(*one, weights[lane]);
}

/// Each lane chooses for itself, once for each time that the sentence stands in it.
template <class Weight>
void RunningSums::choose(std::span<const Candidate> rivals, const Weights<Weight>& weights) {
  settle();
  for (std::size_t lane = 0; lane < used_; ++lane) {
    Totals& sums = totals_[lane];
    for (Weight again = 0; again < weights[lane]; ++again) {
      poll_every(static_cast<std::size_t>(again));
      const Candidate* best = nullptr;
      double best_tp = 0, best_denominator = 0;
      for (const Candidate& rival : rivals) {
        const double tp = sums.tp + rival.tp;
        const double denominator =
            denominator_of(beta2_, sums.proposed + rival.proposed, sums.gold + rival.gold);
        if (best == nullptr || is_better_with(tp, denominator, best_tp, best_denominator, beta2_)) {
          best = &rival;
          best_tp = tp;
          best_denominator = denominator;
        }
      }
      sums.add(*best);
    }
  }
}

void RunningSums::settle() {
  if (!unsettled_) return;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    totals_[lane].add({double(pending_[0][lane]), double(pending_[1][lane]), double(pending_[2][lane])});
  pending_ = {};
  unsettled_ = false;
}

Totals RunningSums::of(std::size_t lane) {
  settle();
  return totals_[lane];
}

template void RunningSums::add(std::size_t, const Weights<std::uint16_t>&);
template void RunningSums::add(std::size_t, const Weights<std::int32_t>&);

}  // namespace recte
