#include "edits/weighed_choice.hpp"

#include <array>

#include "support/parallel.hpp"

namespace recte {
namespace {

using Triple = std::array<double, 3>;  // tp, proposed, gold
using Key = std::array<double, 4>;     // greater is better, from the first on

double f_of(const Triple& t, double beta2) {
  const double p = t[1] > 0 ? t[0] / t[1] : 1.0, r = t[2] > 0 ? t[0] / t[2] : 1.0;
  return beta2 * p + r > 0 ? (1 + beta2) * p * r / (beta2 * p + r) : 0.0;
}

class Chooser {
 public:
  explicit Chooser(const WeighedCounts& rows) : rows_(rows), beta2_(rows.beta * rows.beta) {}

  /// The best annotator for the totals so far, which his counts are added to.
  std::int32_t take(std::size_t sentence, Triple& totals) const {
    std::int32_t best = -1;
    Key best_key{};
    for (std::size_t a = 0; a < rows_.annotators; ++a) {
      const Triple own = at(sentence, a);
      if (own[0] < 0) continue;
      const Key key = key_of(own, totals);
      if (best < 0 || key > best_key) best = static_cast<std::int32_t>(a), best_key = key;
    }
    if (best >= 0) {
      const Triple own = at(sentence, static_cast<std::size_t>(best));
      for (std::size_t c = 0; c < own.size(); ++c) totals[c] += own[c];
    }
    return best;
  }

 private:
  Triple at(std::size_t sentence, std::size_t annotator) const {
    const double* cell = rows_.counts.data() + 3 * (sentence * rows_.annotators + annotator);
    return {cell[0], cell[1], cell[2]};
  }

  Key key_of(const Triple& own, const Triple& totals) const {
    const double f = f_of({totals[0] + own[0], totals[1] + own[1], totals[2] + own[2]}, beta2_);
    if (rows_.ties == WeighedTies::denominator) return {f, own[0], -(beta2_ * own[2] + own[1]), 0.0};
    return {f, own[0], own[0] - own[1], own[0] - own[2]};
  }

  const WeighedCounts& rows_;
  const double beta2_;
};

}  // namespace

void choose_weighed(const WeighedCounts& rows, std::span<std::int32_t> chosen) {
  const Chooser chooser(rows);
  Triple totals{};
  for (std::size_t s = 0; s < rows.size(); ++s) {
    chosen[s] = chooser.take(s, totals);
    poll_every(s);
  }
}

void sum_weighed(const WeighedCounts& rows, std::span<const std::int32_t> weightings, int threads,
                 std::span<double> totals) {
  const std::size_t size = rows.size();
  const Chooser chooser(rows);
  parallel_for(size ? weightings.size() / size : 0, threads, [&] {
    return [&](std::size_t w) {
      Triple sums{};
      for (std::size_t s = 0; s < size; ++s) {
        poll_every(s);
        for (std::int32_t copy = 0; copy < weightings[w * size + s]; ++copy) {
          chooser.take(s, sums);
          poll_every(static_cast<std::size_t>(copy));
        }
      }
      std::ranges::copy(sums, totals.begin() + 3 * w);
    };
  });
}

}  // namespace recte
