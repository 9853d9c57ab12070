// Which annotator a sentence is scored against, where the choice is made for the corpus as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace recte {

/// The published rule, sequential: the annotator that gives the running totals the best F, then more true
/// positives, then the smaller denominator, then the first. `counts` holds tp, proposed, gold for each
/// sentence and annotator, -1 where there is none; `chosen` receives a column, or -1.
void choose_running(std::span<const std::int32_t> counts, std::size_t annotators, double beta,
                    std::span<std::int32_t> chosen);

enum class Choice {
  running = 0,  // as above
  optimal = 1,  // the best F that any choice can reach
};

/// The totals tp, proposed, gold of many weightings of the sentences, each choosing anew. A weight says how
/// often a sentence stands in the corpus, repeated ones in a row; `weights` has a row of them a weighting.
void sum_choices(std::span<const std::int32_t> counts, std::size_t annotators,
                 std::span<const std::int32_t> weights, double beta, Choice choice, int threads,
                 std::span<std::int64_t> totals);

}  // namespace recte
