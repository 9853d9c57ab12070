#include "annotator_choice.hpp"

#include <algorithm>
#include <vector>

#include "parallel.hpp"

namespace recte {
namespace {

// Sums are doubles, which hold whole numbers exactly: nothing needs converting in the inner loops.

double denominator_of(double beta2, double proposed, double gold) { return beta2 * gold + proposed; }

double f_of(double tp, double denominator, double beta2) {
  return denominator == 0 ? 1 : (1 + beta2) * tp / denominator;
}

bool is_better(double f, double tp, double denominator, double best_f, double best_tp,
               double best_denominator) {
  return f > best_f || (f == best_f && (tp > best_tp || (tp == best_tp && denominator < best_denominator)));
}

struct Candidate {
  double tp, proposed, gold;
};

/// Each sentence's annotators but for those that another outdoes whatever the totals are: no more true
/// positives and no smaller denominator. Most sentences are left with one, where there is nothing to choose.
struct Candidates {
  std::vector<Candidate> all;
  std::vector<std::size_t> offsets{0};  // by sentence

  Candidates(std::span<const std::int32_t> counts, std::size_t annotators, std::size_t sentences,
             double beta2) {
    for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
      const auto first = static_cast<std::ptrdiff_t>(all.size());
      for (std::size_t a = 0; a < annotators; ++a) {
        const std::int32_t* count = counts.data() + (sentence * annotators + a) * 3;
        if (count[0] < 0) continue;
        const Candidate one{double(count[0]), double(count[1]), double(count[2])};
        const auto outdoes = [&](const Candidate& x, const Candidate& y) {
          return x.tp >= y.tp &&
                 denominator_of(beta2, x.proposed, x.gold) <= denominator_of(beta2, y.proposed, y.gold);
        };
        const auto rivals = std::span(all).subspan(static_cast<std::size_t>(first));
        if (std::ranges::any_of(rivals, [&](const Candidate& rival) { return outdoes(rival, one); }))
          continue;
        all.erase(std::remove_if(all.begin() + first, all.end(),
                                 [&](const Candidate& x) { return outdoes(one, x); }),
                  all.end());
        all.push_back(one);
      }
      offsets.push_back(all.size());
    }
  }

  std::span<const Candidate> of(std::size_t sentence) const {
    return std::span(all).subspan(offsets[sentence], offsets[sentence + 1] - offsets[sentence]);
  }
};

struct Totals {
  double tp = 0, proposed = 0, gold = 0;

  void add(const Candidate& one, double times = 1) {
    tp += times * one.tp;
    proposed += times * one.proposed;
    gold += times * one.gold;
  }
};

Totals running_totals(const Candidates& candidates, std::span<const std::int32_t> weights, double beta2) {
  Totals totals;
  for (std::size_t sentence = 0; sentence < weights.size(); ++sentence) {
    const auto rivals = candidates.of(sentence);
    if (rivals.empty() || weights[sentence] == 0) continue;
    if (rivals.size() == 1) {
      totals.add(rivals[0], weights[sentence]);
      continue;
    }
    for (std::int32_t again = 0; again < weights[sentence]; ++again) {
      const Candidate* best = nullptr;
      double best_f = 0, best_tp = 0, best_denominator = 0;
      for (const Candidate& rival : rivals) {
        const double tp = totals.tp + rival.tp;
        const double denominator =
            denominator_of(beta2, totals.proposed + rival.proposed, totals.gold + rival.gold);
        const double f = f_of(tp, denominator, beta2);
        if (best == nullptr || is_better(f, tp, denominator, best_f, best_tp, best_denominator)) {
          best = &rival;
          best_f = f;
          best_tp = tp;
          best_denominator = denominator;
        }
      }
      totals.add(*best);
    }
  }
  return totals;
}

/// The best ratio of two sums, by Dinkelbach: for a trial F each sentence takes what is worth most; the F
/// that follows is the next trial, and rises until it stands still.
Totals optimal_totals(const Candidates& candidates, std::span<const std::int32_t> weights, double beta2) {
  const auto take = [&](double f) {
    Totals totals;
    for (std::size_t sentence = 0; sentence < weights.size(); ++sentence) {
      const auto rivals = candidates.of(sentence);
      if (rivals.empty() || weights[sentence] == 0) continue;
      const auto worth = [&](const Candidate& rival) {
        return (1 + beta2) * rival.tp - f * denominator_of(beta2, rival.proposed, rival.gold);
      };
      totals.add(*std::ranges::max_element(rivals, {}, worth), weights[sentence]);
    }
    return totals;
  };
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

}  // namespace

void choose_running(std::span<const std::int32_t> counts, std::size_t annotators, double beta,
                    std::span<std::int32_t> chosen) {
  const double beta2 = beta * beta;
  Totals totals;
  for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
    Totals best;
    double best_f = 0, best_denominator = 0;
    chosen[sentence] = -1;
    for (std::size_t a = 0; a < annotators; ++a) {
      const std::int32_t* count = counts.data() + (sentence * annotators + a) * 3;
      if (count[0] < 0) continue;
      Totals with = totals;
      with.add({double(count[0]), double(count[1]), double(count[2])});
      const double denominator = denominator_of(beta2, with.proposed, with.gold);
      const double f = f_of(with.tp, denominator, beta2);
      if (chosen[sentence] < 0 || is_better(f, with.tp, denominator, best_f, best.tp, best_denominator)) {
        chosen[sentence] = static_cast<std::int32_t>(a);
        best = with;
        best_f = f;
        best_denominator = denominator;
      }
    }
    if (chosen[sentence] >= 0) totals = best;
  }
}

void sum_choices(std::span<const std::int32_t> counts, std::size_t annotators,
                 std::span<const std::int32_t> weights, double beta, Choice choice, int threads,
                 std::span<std::int64_t> totals) {
  const std::size_t sentences = annotators == 0 ? 0 : counts.size() / (annotators * 3);
  const Candidates candidates(counts, annotators, sentences, beta * beta);
  parallel_for(totals.size() / 3, threads, [&] {
    return [&](std::size_t weighting) {
      const auto of_weighting = weights.subspan(weighting * sentences, sentences);
      const Totals sums = choice == Choice::running ? running_totals(candidates, of_weighting, beta * beta)
                                                    : optimal_totals(candidates, of_weighting, beta * beta);
      totals[weighting * 3] = static_cast<std::int64_t>(sums.tp);
      totals[weighting * 3 + 1] = static_cast<std::int64_t>(sums.proposed);
      totals[weighting * 3 + 2] = static_cast<std::int64_t>(sums.gold);
    };
  });
}

}  // namespace recte
