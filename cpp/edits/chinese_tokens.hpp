// What ChERRANT's costs know of a Chinese token, and what it costs to put one token in another's place.
#pragma once

#include "text/tokens.hpp"

namespace recte {

enum class ChineseLevel { characters = 0, words = 1 };

/// One entry per kind of token, that is per distinct text, tag and readings; sentences are sequences of
/// kinds.
struct ChineseTokens {
  std::span<const std::int32_t> texts;     // equal for kinds that are spelt the same
  std::span<const std::int32_t> tags;      // compared at word level
  Sentences letters;                       // code points
  Sentences readings;                      // numbers of syllables, in ascending order
  std::span<const std::int32_t> meanings;  // three parts of a thesaurus code; the first is -1 where unknown
  std::span<const std::uint8_t> chinese;   // wholly in U+4E00-9FFF
  std::span<const std::uint8_t> marks;     // punctuation, as the costs see it
};

/// Pairs of characters that are taken for each other, in both directions.
struct Confusions {
  std::span<const std::int32_t> characters;  // ascending
  Sentences others;                          // of each, ascending
};

/// The cost of substitutions. The order of additions is the published one: sums decide ties exactly.
class ChineseCosts {
 public:
  ChineseCosts(const ChineseTokens& tokens, const Confusions& confusions, ChineseLevel level);

  double operator()(Token source, Token target) const;

  /// No substitution costs less.
  double least() const { return level_ == ChineseLevel::characters ? 0.25 : 0.0; }

 private:
  double meaning(Token a, Token b) const;
  double form(Token a, Token b) const;
  bool is_confusable(std::size_t place, std::int32_t other) const;

  const ChineseTokens& tokens_;
  const Confusions& confusions_;
  ChineseLevel level_;
  std::vector<std::int32_t> row_of_letter_;  // where a letter's confusions are, or -1
};

}  // namespace recte
