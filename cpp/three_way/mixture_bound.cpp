#include "three_way/mixture_bound.hpp"

#include <algorithm>

namespace recte {

// With x = 1 / (2 gap - mismatch) and y = x (mismatch - gap): s + g = x c - y (2 s + g).
MixtureBound::MixtureBound(const IMeasureOptions& options, Tokens source, Tokens hypothesis)
    : weight_(options.improvement.weight),
      x_(1.0 / (2 * options.costs.gap - options.costs.mismatch)),
      y_(x_ * (options.costs.mismatch - options.costs.gap)),
      source_size_(source.size()),
      hypothesis_size_(hypothesis.size()),
      source_(source),
      hypothesis_(hypothesis),
      unchanged_(source_.common(hypothesis)),
      changed_(source_.levenshtein(hypothesis)) {}

double MixtureBound::best(Tokens reference, std::int64_t segments_cost) {
  const int kept = source_.common(reference), agreed = hypothesis_.common(reference);
  const double of_output = lone(source_size_, hypothesis_size_, unchanged_);
  const double of_reference = lone(source_size_, reference.size(), kept);
  const double between = lone(hypothesis_size_, reference.size(), agreed);
  // Columns where hypothesis and reference differ, and where source and reference do: the source's cost is
  // what the other two leave.
  const double wrong = hypothesis_.levenshtein(reference);
  const double left = x_ * static_cast<double>(segments_cost) - (wrong + y_ * between);
  const double corrected = left - (changed_ + y_ * of_output) - y_ * of_reference;
  // Twice the true positives are the columns where the source differs from either, less those where they
  // differ.
  const double right = std::max(0.0, (left - y_ * (of_output + of_reference) - wrong) / 2);
  // Of the wrong ones, those that the hypothesis changed weigh more: twice w - 1 where the reference did not,
  // once where it did, which adds up to this.
  const double spoilt = std::max(0.0, wrong + changed_ - corrected);
  // A true positive is a token on which hypothesis and reference agree, or one of the source that both
  // deleted.
  const double changed_most = left - (source_.levenshtein(reference) + y_ * of_reference) - y_ * of_output;
  const double longer = static_cast<double>(source_size_) - static_cast<double>(hypothesis_size_);
  const double deleted = std::max(0.0, changed_most + (longer - of_output) / 2);
  const double agreed_otherwise = agreed - std::max(0.0, right - deleted);
  const double up =
      weight_ * right + std::min(static_cast<double>(std::min(unchanged_, kept)), agreed_otherwise);
  return up / (up + wrong + (weight_ - 1) / 2 * spoilt);
}

}  // namespace recte
