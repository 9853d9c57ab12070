// Which annotator a sentence is scored against, where the choice is made for the corpus as a whole.
#pragma once

#include "statistics/weightings.hpp"

namespace recte {

enum class Choice {
  // The published rule, sequential: the annotator that gives the running totals the best F, then more true
  // positives, then the smaller denominator, then the first.
  running = 0,
  // The best F that any choice can reach; on a tie more true positives, then fewer proposed, then the first.
  optimal = 1,
};

/// The annotator of each sentence. `counts` holds tp, proposed, gold for each sentence and annotator, whole
/// numbers or doubles, the first negative or NaN where there is none; `chosen` receives a column, or -1.
template <class Number>
void choose_annotators(std::span<const Number> counts, std::size_t annotators, double beta, Choice choice,
                       std::span<std::int32_t> chosen);

/// The totals tp, proposed, gold of many weightings of the sentences, each choosing again; by the published
/// rule they are added to what `totals` holds of sentences before these.
template <class Number>
void sum_choices(std::span<const Number> counts, std::size_t annotators, const Weightings& weightings,
                 double beta, Choice choice, int threads, std::span<double> totals);

/// The same by the published rule for weights as `poisson_weights` makes them from the sentences' keys, as
/// many resamples as there are totals, from number `first` on, which can be divided by 4. No weight is kept.
void sum_drawn_choices(std::span<const std::int32_t> counts, std::size_t annotators,
                       std::span<const std::uint64_t> keys, std::uint64_t seed, std::size_t first,
                       double beta, int threads, std::span<double> totals);

}  // namespace recte
