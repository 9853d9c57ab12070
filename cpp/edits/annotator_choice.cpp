#include "edits/annotator_choice.hpp"

#include <algorithm>
#include <vector>

#include "edits/running_sums.hpp"
#include "statistics/draws.hpp"
#include "support/parallel.hpp"

namespace recte {
namespace {

double worth_of(const Candidate& one, double f, double beta2) {
  return (1 + beta2) * one.tp - f * denominator_of(beta2, one.proposed, one.gold);
}

/// The best ratio of two sums, by Dinkelbach: for a trial F each sentence takes what is worth most (`take`);
/// the F that follows is the next trial, and rises until it stands still.
template <class Take>
Totals best_ratio(double beta2, Take take) {
  // Beyond any F every sentence takes the smallest denominator. If that is nothing at all, F is 1.
  const Totals least = take(1e9);
  if (least.proposed == 0 && least.gold == 0) return least;
  Totals totals;
  for (double f = -1, trial = 0; trial > f;) {
    f = trial;
    totals = take(f);
    trial = f_of(totals.tp, denominator_of(beta2, totals.proposed, totals.gold), beta2);
  }
  return totals;
}

Totals optimal_totals(const Candidates& candidates, std::span<const std::int32_t> weights, double beta2) {
  return best_ratio(beta2, [&](double f) {
    Totals totals;
    for (std::size_t sentence = 0; sentence < weights.size(); ++sentence) {
      poll_every(sentence);
      const auto rivals = candidates.of(sentence);
      if (rivals.empty() || weights[sentence] == 0) continue;
      const auto worth = [&](const Candidate& rival) { return worth_of(rival, f, beta2); };
      totals.add(*std::ranges::max_element(rivals, {}, worth), weights[sentence]);
    }
    return totals;
  });
}

template <class Number>
void choose_running(std::span<const Number> counts, std::size_t annotators, double beta2,
                    std::span<std::int32_t> chosen) {
  Totals totals;
  for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
    poll_every(sentence);
    Totals best;
    double best_f = 0, best_denominator = 0;
    chosen[sentence] = -1;
    for_each_annotator(counts, annotators, sentence, [&](std::int32_t column, const Candidate& one) {
      Totals with = totals;
      with.add(one);
      const double denominator = denominator_of(beta2, with.proposed, with.gold);
      const double f = f_of(with.tp, denominator, beta2);
      if (chosen[sentence] < 0 || is_better(f, with.tp, denominator, best_f, best.tp, best_denominator)) {
        chosen[sentence] = column;
        best = with;
        best_f = f;
        best_denominator = denominator;
      }
    });
    if (chosen[sentence] >= 0) totals = best;
  }
}

template <class Number>
void choose_optimal(std::span<const Number> counts, std::size_t annotators, double beta2,
                    std::span<std::int32_t> chosen) {
  best_ratio(beta2, [&](double f) {
    Totals totals;
    for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
      poll_every(sentence);
      Candidate best{};
      double best_worth = 0;
      chosen[sentence] = -1;
      for_each_annotator(counts, annotators, sentence, [&](std::int32_t column, const Candidate& one) {
        const double worth = worth_of(one, f, beta2);
        if (chosen[sentence] < 0 || worth > best_worth ||
            (worth == best_worth &&
             (one.tp > best.tp || (one.tp == best.tp && one.proposed < best.proposed)))) {
          chosen[sentence] = column;
          best = one;
          best_worth = worth;
        }
      });
      totals.add(best);
    }
    return totals;
  });
}

/// Weights of a group of weightings as they are given, one row each.
struct WeightTile {
  const Weightings& weightings;
  std::size_t first_lane, used;

  std::int32_t most(std::size_t first, std::size_t last) const {
    std::int32_t largest = 0;
    for (std::size_t lane = 0; lane < used; ++lane)
      for (const std::int32_t weight : weightings[first_lane + lane].subspan(first, last - first))
        largest = std::max(largest, weight);
    return largest;
  }
  template <class Weight>
  void fill(std::size_t sentence, RunningSums::Weights<Weight>& weights) const {
    const std::int32_t* column = weightings.weights.data() + first_lane * weightings.sentences + sentence;
    for (std::size_t lane = 0; lane < used; ++lane)
      weights[lane] = static_cast<Weight>(column[lane * weightings.sentences]);
  }
};

/// Weights of a group of resamples made from the sentences' keys.
struct DrawnWeights {
  std::span<const std::uint64_t> keys;
  std::size_t first_lane;

  std::int32_t most(std::size_t, std::size_t) const { return largest_poisson; }
  template <class Weight>
  void fill(std::size_t sentence, RunningSums::Weights<Weight>& weights) const {
    if constexpr (sizeof(Weight) == 2) poisson_weights_of(keys[sentence], first_lane, weights);
  }
};

void put(std::span<double> totals, std::size_t weighting, const Totals& sums) {
  totals[weighting * 3] = sums.tp;
  totals[weighting * 3 + 1] = sums.proposed;
  totals[weighting * 3 + 2] = sums.gold;
}

/// Adds to the totals of weightings, group by group; `source` makes the weights of a group.
template <class Source>
void sum_running(const Candidates& candidates, double beta2, int threads, std::span<double> totals,
                 Source source) {
  const std::size_t size = totals.size() / 3;
  constexpr std::size_t lanes = RunningSums::lanes;
  parallel_for((size + lanes - 1) / lanes, threads, [&] {
    return [&](std::size_t group) {
      const auto weigh = source(group);
      const std::size_t used = std::min(lanes, size - group * lanes);
      RunningSums sums(candidates, beta2, used);
      for (std::size_t lane = 0; lane < used; ++lane) {
        const double* before = totals.data() + (group * lanes + lane) * 3;
        sums.begin(lane, {before[0], before[1], before[2]});
      }
      RunningSums::Weights<std::uint16_t> weights{};
      RunningSums::Weights<std::int32_t> large{};
      for (std::size_t first = 0, last; first < candidates.sentences(); first = last) {
        poll();
        last = std::min(first + RunningSums::stretch_behind(first), candidates.sentences());
        const std::int32_t most = weigh.most(first, last);
        sums.look_ahead(first, last, most);
        for (std::size_t sentence = first; sentence < last; ++sentence) {
          if (!sums.matters(sentence)) continue;
          if (most <= 65535) {
            weigh.fill(sentence, weights);
            sums.add(sentence, weights);
          } else {
            weigh.fill(sentence, large);
            sums.add(sentence, large);
          }
        }
      }
      for (std::size_t lane = 0; lane < used; ++lane) put(totals, group * lanes + lane, sums.of(lane));
    };
  });
}

}  // namespace

template <class Number>
void choose_annotators(std::span<const Number> counts, std::size_t annotators, double beta, Choice choice,
                       std::span<std::int32_t> chosen) {
  if (choice == Choice::running)
    choose_running(counts, annotators, beta * beta, chosen);
  else
    choose_optimal(counts, annotators, beta * beta, chosen);
}

template <class Number>
void sum_choices(std::span<const Number> counts, std::size_t annotators, const Weightings& weightings,
                 double beta, Choice choice, int threads, std::span<double> totals) {
  const double beta2 = beta * beta;
  const Candidates candidates(counts, annotators, weightings.sentences, beta2);
  const std::size_t size = totals.size() / 3;
  if (choice == Choice::optimal) {
    parallel_for(size, threads, [&] {
      return [&](std::size_t w) { put(totals, w, optimal_totals(candidates, weightings[w], beta2)); };
    });
    return;
  }
  sum_running(candidates, beta2, threads, totals, [&](std::size_t group) {
    return WeightTile{weightings, group * RunningSums::lanes,
                      std::min(RunningSums::lanes, size - group * RunningSums::lanes)};
  });
}

void sum_drawn_choices(std::span<const std::int32_t> counts, std::size_t annotators,
                       std::span<const std::uint64_t> keys, std::uint64_t seed, std::size_t first,
                       double beta, int threads, std::span<double> totals) {
  const Candidates candidates(counts, annotators, keys.size(), beta * beta);
  const std::vector<std::uint64_t> scattered = scattered_keys(keys, seed);
  sum_running(candidates, beta * beta, threads, totals,
              [&](std::size_t group) { return DrawnWeights{scattered, first + group * RunningSums::lanes}; });
}

template void choose_annotators(std::span<const std::int32_t>, std::size_t, double, Choice,
                                std::span<std::int32_t>);
template void choose_annotators(std::span<const double>, std::size_t, double, Choice,
                                std::span<std::int32_t>);
template void sum_choices(std::span<const std::int32_t>, std::size_t, const Weightings&, double, Choice, int,
                          std::span<double>);
template void sum_choices(std::span<const double>, std::size_t, const Weightings&, double, Choice, int,
                          std::span<double>);

}  // namespace recte
