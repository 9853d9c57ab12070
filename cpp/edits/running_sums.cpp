#include "edits/running_sums.hpp"

#include <algorithm>

#include "edits/reachable_totals.hpp"

namespace recte {
RunningSums::RunningSums(const Candidates& candidates, double beta2, std::size_t used)
    : candidates_(candidates), beta2_(beta2), used_(used) {}

void RunningSums::look_ahead(std::size_t first, std::size_t last, double most) {
  settle();
  first_ = first;
  // A weight of 0 lets every sum be small; the counts themselves must fit, too.
  small_ =
      candidates_.whole && static_cast<double>(stretch) * std::max(most, 1.0) * candidates_.largest <= 65535;
  ReachableTotals reachable(beta2_);
  for (std::size_t s = first; s < last; ++s) reachable.expect(candidates_.of(s), most);
  for (std::size_t lane = 0; lane < used_; ++lane) reachable.begin_with(totals_[lane]);
  for (std::size_t s = first; s < last; ++s) {
    const auto rivals = candidates_.of(s);
    taken_[s - first] = reachable.best_of(rivals);
    nothing_[s - first] = rivals.empty() || (taken_[s - first] && *taken_[s - first] == Candidate{0, 0, 0});
  }
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
      sums.add(best_for(sums, rivals, beta2_));
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
