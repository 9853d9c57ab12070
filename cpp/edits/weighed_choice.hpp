// Which annotator a sentence is scored against where edits have weights, so that counts are no integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace recte {

/// What decides between annotators after F of the running totals and true positives; then the first.
enum class WeighedTies {
  denominator = 0,  // the smaller beta^2 gold + proposed, as in MaxMatch
  errors = 1,       // fewer false positives, then fewer false negatives, as in ERRANT
};

/// `counts` holds tp, proposed, gold for each sentence and annotator, negative where there is none.
struct WeighedCounts {
  std::span<const double> counts;
  std::size_t annotators;
  double beta;
  WeighedTies ties;

  std::size_t size() const { return annotators ? counts.size() / (3 * annotators) : 0; }
};

/// The annotator of each sentence, sentence by sentence; -1 where it has none.
void choose_weighed(const WeighedCounts& rows, std::span<std::int32_t> chosen);

/// tp, proposed, gold of each weighting of the sentences, annotators chosen again in each.
void sum_weighed(const WeighedCounts& rows, std::span<const std::int32_t> weightings, int threads,
                 std::span<double> totals);

}  // namespace recte
