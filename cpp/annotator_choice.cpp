#include "annotator_choice.hpp"

#include "parallel.hpp"

namespace errata {
namespace {

struct Totals {
  std::int64_t tp = 0, proposed = 0, gold = 0;

  void add(const std::int32_t* count, std::int64_t times = 1) {
    tp += times * count[0];
    proposed += times * count[1];
    gold += times * count[2];
  }
};

double denominator_of(double beta2, std::int64_t proposed, std::int64_t gold) {
  return beta2 * static_cast<double>(gold) + static_cast<double>(proposed);
}

int best_for(const Totals& totals, const std::int32_t* row, std::size_t annotators, double beta2) {
  int best = -1;
  double best_f = 0, best_denominator = 0;
  std::int64_t best_tp = 0;
  for (std::size_t a = 0; a < annotators; ++a) {
    const std::int32_t* count = row + a * 3;
    if (count[0] < 0) continue;
    const std::int64_t with_tp = totals.tp + count[0];
    const double denominator = denominator_of(beta2, totals.proposed + count[1], totals.gold + count[2]);
    const double f = denominator == 0 ? 1 : (1 + beta2) * static_cast<double>(with_tp) / denominator;
    if (best < 0 || f > best_f ||
        (f == best_f && (with_tp > best_tp || (with_tp == best_tp && denominator < best_denominator)))) {
      best = static_cast<int>(a);
      best_f = f;
      best_tp = with_tp;
      best_denominator = denominator;
    }
  }
  return best;
}

Totals running_totals(std::span<const std::int32_t> counts, std::size_t annotators,
                      std::span<const std::int32_t> weights, double beta2) {
  Totals totals;
  for (std::size_t sentence = 0; sentence < weights.size(); ++sentence) {
    const std::int32_t* row = counts.data() + sentence * annotators * 3;
    for (std::int32_t again = 0; again < weights[sentence]; ++again) {
      const int best = best_for(totals, row, annotators, beta2);
      if (best >= 0) totals.add(row + best * 3);
    }
  }
  return totals;
}

/// The best ratio of two sums, by Dinkelbach: for a trial F each sentence takes what is worth most; the F
/// that follows is the next trial, and rises until it stands still.
Totals optimal_totals(std::span<const std::int32_t> counts, std::size_t annotators,
                      std::span<const std::int32_t> weights, double beta2) {
  const auto take = [&](double f) {
    Totals totals;
    for (std::size_t sentence = 0; sentence < weights.size(); ++sentence) {
      if (weights[sentence] == 0) continue;
      const std::int32_t* row = counts.data() + sentence * annotators * 3;
      const std::int32_t* best = nullptr;
      double most = 0;
      for (std::size_t a = 0; a < annotators; ++a) {
        const std::int32_t* count = row + a * 3;
        if (count[0] < 0) continue;
        const double worth = (1 + beta2) * count[0] - f * denominator_of(beta2, count[1], count[2]);
        if (best == nullptr || worth > most) {
          best = count;
          most = worth;
        }
      }
      if (best != nullptr) totals.add(best, weights[sentence]);
    }
    return totals;
  };
  // Beyond any F: every sentence takes the smallest denominator. If that is nothing at all, F is 1.
  const Totals least = take(1e9);
  if (least.proposed == 0 && least.gold == 0) return least;
  Totals totals;
  for (double f = -1, trial = 0; trial > f;) {
    f = trial;
    totals = take(f);
    const double below = denominator_of(beta2, totals.proposed, totals.gold);
    trial = below == 0 ? 1 : (1 + beta2) * static_cast<double>(totals.tp) / below;
  }
  return totals;
}

}  // namespace

void choose_running(std::span<const std::int32_t> counts, std::size_t annotators, double beta,
                    std::span<std::int32_t> chosen) {
  Totals totals;
  for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
    const std::int32_t* row = counts.data() + sentence * annotators * 3;
    const int best = best_for(totals, row, annotators, beta * beta);
    chosen[sentence] = best;
    if (best >= 0) totals.add(row + best * 3);
  }
}

void sum_choices(std::span<const std::int32_t> counts, std::size_t annotators,
                 std::span<const std::int32_t> weights, double beta, Choice choice, int threads,
                 std::span<std::int64_t> totals) {
  const std::size_t sentences = annotators == 0 ? 0 : counts.size() / (annotators * 3);
  parallel_for(totals.size() / 3, threads, [&] {
    return [&](std::size_t weighting) {
      const auto of_weighting = weights.subspan(weighting * sentences, sentences);
      const Totals sums = choice == Choice::running
                              ? running_totals(counts, annotators, of_weighting, beta * beta)
                              : optimal_totals(counts, annotators, of_weighting, beta * beta);
      totals[weighting * 3] = sums.tp;
      totals[weighting * 3 + 1] = sums.proposed;
      totals[weighting * 3 + 2] = sums.gold;
    };
  });
}

}  // namespace errata
