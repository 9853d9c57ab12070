#include "edits/letter_measures.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace recte {
namespace {

std::size_t common_letters(Tokens a, Tokens b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() <= 64) {  // Hyyrö (2004): one bit for each letter of the shorter word
    std::uint64_t missing = ~std::uint64_t{0};
    for (const Token letter : b) {
      std::uint64_t places = 0;
      for (std::size_t k = 0; k < a.size(); ++k) places |= std::uint64_t{a[k] == letter} << k;
      const std::uint64_t met = missing & places;
      missing = (missing + met) | (missing - met);
    }
    const std::uint64_t used = a.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << a.size()) - 1;
    return static_cast<std::size_t>(std::popcount(~missing & used));
  }
  std::vector<std::size_t> row(a.size() + 1);
  for (const Token letter : b) {
    std::size_t diagonal = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const std::size_t above = row[k + 1];
      row[k + 1] = a[k] == letter ? diagonal + 1 : std::max(above, row[k]);
      diagonal = above;
    }
  }
  return row.back();
}

/// Letters in the blocks that Ratcliff and Obershelp match: the longest common one, that starts first in `a`
/// and then in `b`, and those to its left and right.
std::size_t matched_letters(Tokens a, Tokens b) {
  std::vector<std::pair<Tokens, Tokens>> parts{{a, b}};
  std::vector<std::size_t> lengths;
  std::size_t matched = 0;
  while (!parts.empty()) {
    const auto [left, right] = parts.back();
    parts.pop_back();
    std::size_t longest = 0, in_left = 0, in_right = 0;
    lengths.assign(right.size() + 1, 0);
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = right.size(); j-- > 0;) {
        lengths[j + 1] = left[i] == right[j] ? lengths[j] + 1 : 0;
        // From right to left: a block that ends here and starts earlier in `b` replaces an equal one of this
        // row.
        if (lengths[j + 1] > longest ||
            (longest && lengths[j + 1] == longest && i + 1 - longest == in_left)) {
          longest = lengths[j + 1];
          in_left = i + 1 - longest;
          in_right = j + 1 - longest;
        }
      }
    }
    if (!longest) continue;
    matched += longest;
    parts.emplace_back(left.first(in_left), right.first(in_right));
    parts.emplace_back(left.subspan(in_left + longest), right.subspan(in_right + longest));
  }
  return matched;
}

// The program keeps its table by bytes: thirty Czech letters stand where control characters are, and all
// other letters beyond ASCII are one.
constexpr std::u32string_view marked = U"áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ";
constexpr std::string_view bases = "acdeeinorstuuyzACDEEINORSTUUYZ";
constexpr Token first_marked = 1, other_letter = 128;

Token letter_number(Token letter) {
  if (letter < 128) return letter;
  const auto place = marked.find(static_cast<char32_t>(letter));
  return place == std::u32string_view::npos ? other_letter : first_marked + static_cast<Token>(place);
}

bool is_marked(Token letter) { return letter >= first_marked && letter < first_marked + 30; }
Token base_of(Token letter) { return is_marked(letter) ? bases[letter - first_marked] : letter; }
Token lower_of(Token letter) {
  if (is_marked(letter)) return letter < first_marked + 15 ? letter : letter - 15;
  return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
}
bool is_i_or_y(Token letter) {
  return letter == 'i' || letter == 'y' || letter == first_marked + 5 || letter == first_marked + 13;
}

double replacement_cost(Token a, Token b) {
  if (a == b) return 0;
  if (lower_of(a) == lower_of(b)) return 0.1;
  if (base_of(a) == base_of(b)) return is_marked(a) && is_marked(b) ? 0.3 : 0.2;
  return is_i_or_y(a) && is_i_or_y(b) ? 0.3 : 1;
}

}  // namespace

double letter_distance(Tokens a, Tokens b) {
  const std::size_t all = a.size() + b.size();
  if (!all) return 0;
  return static_cast<double>(all - 2 * common_letters(a, b)) / static_cast<double>(all);
}

double letter_cost(Tokens a, Tokens b, LetterMeasure measure) {
  if (measure == LetterMeasure::indel) return letter_distance(a, b);
  const std::size_t all = a.size() + b.size();
  if (!all) return 0;
  const std::size_t same =
      measure == LetterMeasure::indel_from_one ? common_letters(a, b) : matched_letters(a, b);
  return 1 - 2.0 * static_cast<double>(same) / static_cast<double>(all);
}

double weighted_letter_cost(Tokens a, Tokens b) {
  const std::size_t all = a.size() + b.size();
  if (!all) return 0;
  std::vector<double> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<double>(j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double diagonal = row[0];
    row[0] = static_cast<double>(i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double above = row[j + 1];
      row[j + 1] = std::min(
          {above + 1, row[j] + 1, diagonal + replacement_cost(letter_number(a[i]), letter_number(b[j]))});
      diagonal = above;
    }
  }
  return 2 * row.back() / static_cast<double>(all);
}

}  // namespace recte
