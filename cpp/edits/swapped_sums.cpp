#include "edits/swapped_sums.hpp"

#include <array>

#include "edits/reachable_totals.hpp"
#include "edits/running_sums.hpp"
#include "support/parallel.hpp"

namespace recte {
namespace {

constexpr std::size_t lanes = 64, most_ahead = 64;

/// 64 trials side by side. Where both systems' best annotators are the same in all of them, a swap adds the
/// difference of their counts to one sum and takes it from the other: one set of differences is kept.
class SwappedSums {
 public:
  SwappedSums(const Candidates& candidates, double beta2, std::size_t used)
      : candidates_(candidates),
        beta2_(beta2),
        used_(used),
        small_(candidates.whole && candidates.largest * most_ahead <= 32767) {}

  void add(std::size_t first, std::size_t last, const std::uint8_t* bits, std::size_t stride) {
    settle();
    ReachableTotals reachable(beta2_);
    for (std::size_t s = 2 * first; s < 2 * last; s += 2) {
      reachable.expect(both(s), 1);
    }
    for (const auto& of_lane : totals_)
      for (std::size_t lane = 0; lane < used_; ++lane) reachable.begin_with(of_lane[lane]);
    for (std::size_t s = first; s < last; ++s, bits += stride) {
      const auto mine = candidates_.of(2 * s), others = candidates_.of(2 * s + 1);
      const Candidate* a = reachable.best_of(mine);
      const Candidate* b = reachable.best_of(others);
      const Candidate nothing{0, 0, 0};
      if (mine.empty()) a = &nothing;
      if (others.empty()) b = &nothing;
      if (small_ && a && b)
        add_certain(*a, *b, bits);
      else
        choose(mine, others, bits);
    }
  }

  Totals of(std::size_t system, std::size_t lane) {
    settle();
    return totals_[system][lane];
  }

 private:
  std::span<const Candidate> both(std::size_t s) const {
    return std::span(candidates_.all)
        .subspan(candidates_.offsets[s], candidates_.offsets[s + 2] - candidates_.offsets[s]);
  }

  void add_certain(const Candidate& a, const Candidate& b, const std::uint8_t* bits) {
    constants_[0].add(a);
    constants_[1].add(b);
    unsettled_ = true;
    const std::array<double, 3> more = {b.tp - a.tp, b.proposed - a.proposed, b.gold - a.gold};
    for (std::size_t cell = 0; cell < 3; ++cell) {
      const auto step = static_cast<std::int16_t>(more[cell]);
      if (step == 0) continue;
      for (std::size_t byte = 0; byte * 8 < used_; ++byte) {
        const std::int16_t byte_bits = bits[byte];
        std::int16_t* sums = pending_[cell].data() + 8 * byte;
        for (int lane = 0; lane < 8; ++lane)  // eight numbers of 16 bits at once
          sums[lane] = static_cast<std::int16_t>(sums[lane] + ((byte_bits & (1 << lane)) ? step : 0));
      }
    }
  }

  void choose(std::span<const Candidate> mine, std::span<const Candidate> others, const std::uint8_t* bits) {
    settle();
    for (std::size_t lane = 0; lane < used_; ++lane) {
      const bool swapped = bits[lane / 8] >> (lane % 8) & 1;
      const std::array<std::span<const Candidate>, 2> of = {swapped ? others : mine, swapped ? mine : others};
      for (std::size_t system = 0; system < 2; ++system) {
        Totals& sums = totals_[system][lane];
        if (!of[system].empty()) sums.add(best_for(sums, of[system], beta2_));
      }
    }
  }

  void settle() {
    if (!unsettled_) return;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Candidate moved{double(pending_[0][lane]), double(pending_[1][lane]), double(pending_[2][lane])};
      for (std::size_t system = 0; system < 2; ++system) {
        const Totals& constant = constants_[system];
        totals_[system][lane].add({constant.tp, constant.proposed, constant.gold});
        totals_[system][lane].add(moved, system == 0 ? 1 : -1);
      }
    }
    constants_ = {};
    pending_ = {};
    unsettled_ = false;
  }

  const Candidates& candidates_;
  const double beta2_;
  const std::size_t used_;
  const bool small_;
  bool unsettled_ = false;
  std::array<Totals, 2> constants_{};
  std::array<std::array<Totals, lanes>, 2> totals_{};
  alignas(64) std::array<std::array<std::int16_t, lanes>, 3> pending_{};  // tp, proposed, gold
};

}  // namespace

void sum_swapped(const Candidates& candidates, std::span<const std::uint8_t> bits, std::size_t stride,
                 double beta2, int threads, std::span<double> totals) {
  const std::size_t trials = totals.size() / 6, sentences = candidates.sentences() / 2;
  parallel_for((trials + lanes - 1) / lanes, threads, [&] {
    return [&](std::size_t group) {
      const std::size_t used = std::min(lanes, trials - group * lanes);
      SwappedSums sums(candidates, beta2, used);
      for (std::size_t first = 0, last; first < sentences; first = last) {
        poll();
        last = std::min({first + RunningSums::stretch_behind(first), first + most_ahead, sentences});
        sums.add(first, last, bits.data() + first * stride + group * (lanes / 8), stride);
      }
      for (std::size_t system = 0; system < 2; ++system)
        for (std::size_t lane = 0; lane < used; ++lane) {
          const Totals found = sums.of(system, lane);
          double* out = totals.data() + 3 * (system * trials + group * lanes + lane);
          out[0] = found.tp, out[1] = found.proposed, out[2] = found.gold;
        }
    };
  });
}

}  // namespace recte
