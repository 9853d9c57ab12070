// Source and correction aligned word by word, after Felice, Bryant and Briscoe (2016): a Damerau-Levenshtein
// distance whose substitutions know lemmas, tags and letters.
#pragma once

#include <array>

#include "edits/annotated_text.hpp"
#include "edits/extraction_options.hpp"

namespace recte {

/// Aligns one pair after another, in memory that is used again.
class WordAligner {
 public:
  WordAligner(const WordTable& table, const ExtractionOptions& options) : table_(table), options_(options) {}

  /// Appends the steps in the order of the sentence; false, with nothing appended, where the pair is too
  /// long.
  bool align(const AnnotatedSentence& source, const AnnotatedSentence& corrected,
             std::vector<AlignedSpan>& steps, double& cost);

 private:
  static constexpr int letter_bits = 12;
  struct LetterCost {
    std::uint64_t pair = ~std::uint64_t{0};  // of no words
    double cost = 0;
  };

  double substitution(std::size_t i, std::size_t j, double before, double others);
  double cost_of_letters(Token a, Token b);
  bool transpose(std::size_t i, std::size_t j, double limit, double& best, std::int32_t& step) const;
  bool add_difference(std::size_t i, std::size_t j, std::size_t diagonal);
  bool may_change_places(std::size_t i, std::size_t j, std::size_t width) const;
  bool similar_words(std::size_t i, std::size_t j, std::size_t width) const;
  std::size_t matched_beginning(Tokens source, Tokens corrected) const;
  bool fill(std::size_t n, std::size_t m, std::int64_t reach);

  const WordTable& table_;
  const ExtractionOptions options_;
  AnnotatedSentence source_, corrected_;
  std::vector<std::int32_t> source_lower_, corrected_lower_;
  std::vector<std::uint64_t> source_sums_, corrected_sums_;  // hashes of lower-case words, added up
  std::vector<std::array<std::uint64_t, 4>> differences_;  // by diagonal, a bit for each of many differences
  std::vector<LetterCost> letter_costs_ = std::vector<LetterCost>(std::size_t{1} << letter_bits);
  std::size_t stride_ = 0;
  std::vector<double> cost_;
  std::vector<std::int32_t> step_;  // an operation; transpositions of w words are transposition + w
};

}  // namespace recte
