#include "edits/rounded_choice.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "support/parallel.hpp"

namespace recte {
namespace {

struct Counted {
  std::int64_t tp = 0, fp = 0, fn = 0;

  Counted operator+(const Counted& o) const { return {tp + o.tp, fp + o.fp, fn + o.fn}; }
  bool operator==(const Counted&) const = default;
};

/// x·10⁴ to the nearest whole number, of the exact value of x and on a tie to the even one, as Python rounds.
double rounded(double x) {
  const double scaled = x * 1e4, below = std::floor(scaled), rest = scaled - below;
  if (rest != 0.5) return rest < 0.5 ? below : below + 1;
  const double lost = std::fma(x, 1e4, -scaled);  // what the product's own rounding took away
  if (lost != 0) return lost < 0 ? below : below + 1;
  return std::fmod(below, 2) == 0 ? below : below + 1;
}

/// Operations in the published order: rounding depends on the last bit.
double f_of(const Counted& c, double beta2, RunningF rule) {
  const auto share = [&](std::int64_t wrong) {
    return wrong ? static_cast<double>(c.tp) / static_cast<double>(c.tp + wrong) : 1.0;
  };
  const double p = share(c.fp), r = share(c.fn);
  const double f = p + r != 0 ? (1 + beta2) * p * r / (beta2 * p + r) : 0.0;
  return rule == RunningF::rounded ? rounded(f) : f;
}

/// Walks through the sentences; `rank` is what the best column has most of.
class RunningChoice {
 public:
  RunningChoice(double beta, RunningF rule) : beta2_(beta * beta), rule_(rule) {}

  /// The place of the best of a sentence's columns, whose counts join the totals.
  std::size_t take(std::span<const Counted> columns) {
    std::size_t best = 0;
    if (columns.size() > 1) {
      auto best_rank = rank(columns[0]);
      for (std::size_t c = 1; c < columns.size(); ++c) {
        const auto here = rank(columns[c]);
        if (here > best_rank) best_rank = here, best = c;
      }
    }
    totals_ = totals_ + columns[best];
    return best;
  }

  const Counted& totals() const { return totals_; }

 private:
  std::tuple<double, std::int64_t, std::int64_t, std::int64_t> rank(const Counted& c) const {
    return {f_of(totals_ + c, beta2_, rule_), c.tp, -c.fp, -c.fn};
  }

  double beta2_;
  RunningF rule_;
  Counted totals_;
};

/// The columns that a sentence has, and their numbers.
void present(std::span<const std::int32_t> counts, std::size_t columns, std::size_t sentence,
             std::vector<Counted>& found, std::vector<std::int32_t>& numbers) {
  found.clear();
  numbers.clear();
  for (std::size_t c = 0; c < columns; ++c) {
    const std::int32_t* cell = counts.data() + (sentence * columns + c) * 3;
    if (cell[0] < 0) continue;
    found.push_back({cell[0], cell[1] - cell[0], cell[2] - cell[0]});
    numbers.push_back(static_cast<std::int32_t>(c));
  }
}

constexpr std::size_t many = 1000;  // columns: comparing each with each lasts

/// Drops columns that another outdoes whatever the totals are.
void drop_outdone(std::vector<Counted>& columns) {
  std::vector<Counted> kept;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns.size() > many) poll();
    const auto outdoes = [&](std::size_t o) {
      const Counted &x = columns[o], &y = columns[c];
      return o != c && x.tp >= y.tp && x.fp <= y.fp && x.fn <= y.fn && (!(x == y) || o < c);
    };
    bool outdone = false;
    for (std::size_t o = 0; o < columns.size() && !outdone; ++o) outdone = outdoes(o);
    if (!outdone) kept.push_back(columns[c]);
  }
  columns = std::move(kept);
}

}  // namespace

void choose_by_running_f(std::span<const std::int32_t> counts, std::size_t columns, double beta,
                         RunningF rule, std::span<std::int32_t> chosen) {
  RunningChoice choice(beta, rule);
  std::vector<Counted> found;
  std::vector<std::int32_t> numbers;
  for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
    poll_every(sentence);
    present(counts, columns, sentence, found, numbers);
    chosen[sentence] = found.empty() ? -1 : numbers[choice.take(found)];
  }
}

void sum_by_running_f(std::span<const std::int32_t> counts, std::size_t columns, const Weightings& weightings,
                      double beta, RunningF rule, int threads, std::span<std::int64_t> totals) {
  const std::size_t sentences = weightings.sentences;
  std::vector<std::vector<Counted>> rivals(sentences);
  std::vector<std::int32_t> numbers;
  for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
    poll_every(sentence);
    present(counts, columns, sentence, rivals[sentence], numbers);
    drop_outdone(rivals[sentence]);
  }
  parallel_for(totals.size() / 3, threads, [&] {
    return [&](std::size_t weighting) {
      RunningChoice choice(beta, rule);
      for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
        poll_every(sentence);
        if (!rivals[sentence].empty())
          for (std::int32_t again = weightings[weighting][sentence]; again > 0; --again) {
            poll_every(static_cast<std::size_t>(again));
            choice.take(rivals[sentence]);
          }
      }
      const Counted& sums = choice.totals();
      totals[weighting * 3] = sums.tp;
      totals[weighting * 3 + 1] = sums.tp + sums.fp;
      totals[weighting * 3 + 2] = sums.tp + sums.fn;
    };
  });
}

}  // namespace recte
