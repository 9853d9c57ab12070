#include "annotator_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

/// Visit the column and the counts of each annotator that a sentence has.
template <class Number, class Visit>
void for_each_annotator(std::span<const Number> counts, std::size_t annotators, std::size_t sentence,
                        Visit visit) {
  for (std::size_t a = 0; a < annotators; ++a) {
    const Number* count = counts.data() + (sentence * annotators + a) * 3;
    if (count[0] >= 0)
      visit(static_cast<std::int32_t>(a), Candidate{double(count[0]), double(count[1]), double(count[2])});
  }
}

/// Each sentence's annotators but for those that another outdoes whatever the totals are: no more true
/// positives and no smaller denominator. Most sentences are left with one, where there is nothing to choose.
struct Candidates {
  std::vector<Candidate> all;
  std::vector<std::size_t> offsets{0};  // by sentence

  template <class Number>
  Candidates(std::span<const Number> counts, std::size_t annotators, std::size_t sentences, double beta2) {
    const auto outdoes = [&](const Candidate& x, const Candidate& y) {
      return x.tp >= y.tp &&
             denominator_of(beta2, x.proposed, x.gold) <= denominator_of(beta2, y.proposed, y.gold);
    };
    for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
      poll_every(sentence);
      const auto first = static_cast<std::ptrdiff_t>(all.size());
      for_each_annotator(counts, annotators, sentence, [&](std::int32_t, const Candidate& one) {
        const auto rivals = std::span(all).subspan(static_cast<std::size_t>(first));
        if (std::ranges::any_of(rivals, [&](const Candidate& rival) { return outdoes(rival, one); })) return;
        all.erase(std::remove_if(all.begin() + first, all.end(),
                                 [&](const Candidate& x) { return outdoes(one, x); }),
                  all.end());
        all.push_back(one);
      });
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

/// Whether F with these sums is better, as `is_better` says of the quotients. Products tell it without a
/// division unless they are so near that rounding might decide.
bool is_better_with(double tp, double denominator, double best_tp, double best_denominator, double beta2) {
  const double left = tp * best_denominator, right = best_tp * denominator;
  if (denominator > 0 && best_denominator > 0 && std::abs(left - right) > 1e-12 * (left + right))
    return left > right;
  return is_better(f_of(tp, denominator, beta2), tp, denominator, f_of(best_tp, best_denominator, beta2),
                   best_tp, best_denominator);
}

constexpr std::size_t together = 8;  // weightings that go through the sentences side by side

/// Sentences one after the other, each for all of some weightings: whether there is a choice is the same for
/// all.
void add_running(const Candidates& candidates, const Weightings& weightings, std::size_t first,
                 std::size_t last, double beta2, std::array<Totals, together>& totals) {
  for (std::size_t sentence = 0; sentence < weightings.sentences; ++sentence) {
    poll_every(sentence);
    const auto rivals = candidates.of(sentence);
    if (rivals.empty()) continue;
    const std::int32_t* weight = weightings.weights.data() + first * weightings.sentences + sentence;
    if (rivals.size() == 1) {
      for (std::size_t w = 0; w < last - first; ++w)
        totals[w].add(rivals[0], weight[w * weightings.sentences]);
      continue;
    }
    for (std::size_t w = 0; w < last - first; ++w) {
      Totals& sums = totals[w];
      for (std::int32_t again = 0; again < weight[w * weightings.sentences]; ++again) {
        poll_every(static_cast<std::size_t>(again));
        const Candidate* best = nullptr;
        double best_tp = 0, best_denominator = 0;
        for (const Candidate& rival : rivals) {
          const double tp = sums.tp + rival.tp;
          const double denominator =
              denominator_of(beta2, sums.proposed + rival.proposed, sums.gold + rival.gold);
          if (best == nullptr || is_better_with(tp, denominator, best_tp, best_denominator, beta2)) {
            best = &rival;
            best_tp = tp;
            best_denominator = denominator;
          }
        }
        sums.add(*best);
      }
    }
  }
}

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
  const auto put = [&](std::size_t weighting, const Totals& sums) {
    totals[weighting * 3] = sums.tp;
    totals[weighting * 3 + 1] = sums.proposed;
    totals[weighting * 3 + 2] = sums.gold;
  };
  if (choice == Choice::optimal) {
    parallel_for(size, threads, [&] {
      return [&](std::size_t w) { put(w, optimal_totals(candidates, weightings[w], beta2)); };
    });
    return;
  }
  parallel_for((size + together - 1) / together, threads, [&] {
    return [&](std::size_t group) {
      std::array<Totals, together> sums;
      const std::size_t first = group * together, last = std::min(size, first + together);
      add_running(candidates, weightings, first, last, beta2, sums);
      for (std::size_t w = first; w < last; ++w) put(w, sums[w - first]);
    };
  });
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
