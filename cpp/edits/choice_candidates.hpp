// The annotators among whom a sentence's is chosen, and F of sums, by which choices are compared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "support/interrupt.hpp"

namespace recte {

// Sums are doubles, which hold whole numbers exactly: nothing needs converting in the inner loops.

inline double denominator_of(double beta2, double proposed, double gold) { return beta2 * gold + proposed; }

inline double f_of(double tp, double denominator, double beta2) {
  return denominator == 0 ? 1 : (1 + beta2) * tp / denominator;
}

inline bool is_better(double f, double tp, double denominator, double best_f, double best_tp,
                      double best_denominator) {
  return f > best_f || (f == best_f && (tp > best_tp || (tp == best_tp && denominator < best_denominator)));
}

/// The counts of one annotator.
struct Candidate {
  double tp, proposed, gold;

  double denominator(double beta2) const { return denominator_of(beta2, proposed, gold); }
  bool operator==(const Candidate&) const = default;
};

struct Totals {
  double tp = 0, proposed = 0, gold = 0;

  void add(const Candidate& one, double times = 1) {
    tp += times * one.tp;
    proposed += times * one.proposed;
    gold += times * one.gold;
  }
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
  double largest = 0;                   // of all counts
  bool whole = true;                    // all counts are whole numbers

  template <class Number>
  Candidates(std::span<const Number> counts, std::size_t annotators, std::size_t sentences, double beta2) {
    const auto outdoes = [&](const Candidate& x, const Candidate& y) {
      return x.tp >= y.tp && x.denominator(beta2) <= y.denominator(beta2);
    };
    offsets.reserve(sentences + 1);
    all.reserve(sentences);
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
    for (const Candidate& one : all)
      for (const double count : {one.tp, one.proposed, one.gold}) {
        largest = std::max(largest, count);
        whole = whole && count == std::floor(count);
      }
  }

  std::size_t sentences() const { return offsets.size() - 1; }
  std::span<const Candidate> of(std::size_t sentence) const {
    return std::span(all).subspan(offsets[sentence], offsets[sentence + 1] - offsets[sentence]);
  }
};

}  // namespace recte
