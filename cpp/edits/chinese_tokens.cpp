#include "edits/chinese_tokens.hpp"

namespace recte {

ChineseCosts::ChineseCosts(const ChineseTokens& tokens, const Confusions& confusions, ChineseLevel level)
    : tokens_(tokens), confusions_(confusions), level_(level) {
  row_of_letter_.reserve(tokens.letters.tokens.size());
  for (std::int32_t letter : tokens.letters.tokens) {
    const auto found = std::ranges::lower_bound(confusions.characters, letter);
    const bool known = found != confusions.characters.end() && *found == letter;
    row_of_letter_.push_back(known ? static_cast<std::int32_t>(found - confusions.characters.begin()) : -1);
  }
}

double ChineseCosts::operator()(Token source, Token target) const {
  if (level_ == ChineseLevel::words) {
    const double tag = tokens_.tags[source] == tokens_.tags[target] ? 0.0 : 0.499;
    return meaning(source, target) + tag + form(source, target);
  }
  const int marks = tokens_.marks[source] + tokens_.marks[target];
  const double punctuation = marks == 0 ? 0.25 : marks == 1 ? 0.499 : 0.0;
  return meaning(source, target) + form(source, target) + punctuation;
}

double ChineseCosts::meaning(Token a, Token b) const {
  const auto x = tokens_.meanings.subspan(3 * std::size_t(a), 3);
  const auto y = tokens_.meanings.subspan(3 * std::size_t(b), 3);
  if (x[0] < 0 || y[0] < 0) return 4 / 6.0;
  const int equal = (x[0] == y[0]) + (x[1] == y[1]) + (x[2] == y[2]);
  return 2 * (3 - equal) / 6.0;
}

double ChineseCosts::form(Token a, Token b) const {
  if (!tokens_.chinese[a] || !tokens_.chinese[b]) return 0.5;
  const Tokens x = tokens_.readings[std::size_t(a)], y = tokens_.readings[std::size_t(b)];
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x[i] == y[j]) return 0.0;
    x[i] < y[j] ? ++i : ++j;
  }
  const bool swapped = tokens_.letters[std::size_t(a)].size() > tokens_.letters[std::size_t(b)].size();
  const Token shorter = swapped ? b : a;
  const Tokens letters = tokens_.letters[std::size_t(shorter)];
  const Tokens longer = tokens_.letters[std::size_t(swapped ? a : b)];
  const auto first = static_cast<std::size_t>(tokens_.letters.offsets[shorter]);
  int missed = 0;
  for (std::size_t k = 0; k < letters.size(); ++k)
    missed += std::ranges::none_of(
        longer, [&](std::int32_t other) { return letters[k] == other || is_confusable(first + k, other); });
  return missed / (2.0 * static_cast<double>(letters.size()));
}

bool ChineseCosts::is_confusable(std::size_t place, std::int32_t other) const {
  const std::int32_t row = row_of_letter_[place];
  return row >= 0 && std::ranges::binary_search(confusions_.others[std::size_t(row)], other);
}

}  // namespace recte
