#include "text/word_matching.hpp"

#include <compare>
#include <cstdlib>
#include <limits>

#include "support/parallel.hpp"
#include "text/munkres.hpp"

namespace recte {
namespace {

/// What a pair costs, compared part by part, so that a later part only ever breaks ties.
struct Cost {
  std::int64_t first = 0, second = 0, third = 0, fourth = 0;

  auto operator<=>(const Cost&) const = default;
  Cost operator+(const Cost& o) const {
    return {first + o.first, second + o.second, third + o.third, fourth + o.fourth};
  }
  Cost operator-(const Cost& o) const {
    return {first - o.first, second - o.second, third - o.third, fourth - o.fourth};
  }
};

constexpr std::size_t work_between_polls = 1 << 16;
constexpr std::size_t most_published = 4096;  // words of a sentence, for which there is a table of all pairs
constexpr std::size_t long_word = 256;        // shorter ones are compared in no time
constexpr Cost unreached{std::numeric_limits<std::int64_t>::max() / 4};

/// Finds the cheapest matching of one pair of sentences after another, in memory that is used again.
class Matching {
 public:
  Matching(const Sentences& letters, Position position, std::int64_t max_work)
      : letters_(letters), position_(position), max_work_(max_work) {}

  /// False where it would be more work than allowed; no word has a partner then.
  bool match(Tokens a, Tokens b, std::span<std::int32_t> partners) {
    longer_ = static_cast<std::int64_t>(std::max(a.size(), b.size()));
    std::ranges::fill(partners, -1);
    if (position_ == Position::published) return match_published(a, b, partners);
    // Equal first words belong together in every cheapest matching: edit distances obey the triangle
    // inequality, and two pairs that cross are never nearer than the same words uncrossed.
    std::size_t same_start = 0;
    while (same_start < std::min(a.size(), b.size()) && a[same_start] == b[same_start]) {
      partners[same_start] = static_cast<std::int32_t>(same_start);
      ++same_start;
    }
    start_ = same_start;
    const Tokens rest_a = a.subspan(same_start), rest_b = b.subspan(same_start);
    if (rest_a.empty() || rest_b.empty()) return true;
    const bool swapped = rest_a.size() > rest_b.size();
    if (!assign(swapped ? rest_b : rest_a, swapped ? rest_a : rest_b)) {
      std::ranges::fill(partners, -1);
      return false;
    }
    for (std::size_t column = 0; column < row_of_.size() - 1; ++column) {
      if (row_of_[column] == none) continue;
      const std::size_t row = row_of_[column];
      const std::size_t in_a = start_ + (swapped ? column : row), in_b = start_ + (swapped ? row : column);
      partners[in_a] = static_cast<std::int32_t>(in_b);
    }
    return true;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// Rows are the words of the longer sentence, the corrected one where both are as long; columns beyond the
  /// other one's words cost nothing.
  bool match_published(Tokens a, Tokens b, std::span<std::int32_t> partners) {
    work_left_ = max_work_;
    const bool source_is_longer = a.size() > b.size();
    const Tokens rows = source_is_longer ? a : b, columns = source_is_longer ? b : a;
    const std::size_t size = rows.size();
    if (std::ranges::equal(a, b)) {  // the diagonal alone costs nothing
      for (std::size_t word = 0; word < size; ++word) partners[word] = static_cast<std::int32_t>(word);
      return true;
    }
    if (size > most_published || !afford(size * size)) return false;
    std::vector<double> costs(size * size, 0.0);
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!afford(letters_[rows[r]].size() * letters_[columns[c]].size())) return false;
        const auto apart = std::abs(static_cast<std::int64_t>(r) - static_cast<std::int64_t>(c));
        costs[r * size + c] =
            edit_distance(rows[r], columns[c]) + static_cast<double>(apart) / static_cast<double>(size);
      }
    if (!munkres_.assign(size, std::move(costs), [this](std::size_t work) { return afford(work); }))
      return false;
    for (std::size_t r = 0; r < size; ++r) {
      const std::size_t c = munkres_.columns()[r];
      if (c >= columns.size()) continue;
      partners[source_is_longer ? r : c] = static_cast<std::int32_t>(source_is_longer ? c : r);
    }
    return true;
  }

  Cost cost(std::size_t row, std::size_t column) const {
    const auto apart = std::abs(static_cast<std::int64_t>(row) - static_cast<std::int64_t>(column));
    const std::int64_t distance = distances_[row * columns_ + column];
    // What is left undecided: as few changed words as can be, then words that keep their order.
    const std::int64_t changed = distance > 0;
    if (position_ == Position::weighed) return {distance * longer_ + apart, changed, apart * apart};
    return {distance, apart, changed, apart * apart};
  }

  /// The Hungarian method with potentials: rows are brought in one by one, each by the cheapest way to change
  /// what stands so far. There are at least as many columns as rows; one more column is where a way begins.
  /// False where that would be more work than allowed: letters compared, and columns looked at.
  bool assign(Tokens rows, Tokens columns) {
    columns_ = columns.size();
    work_left_ = max_work_;
    if (!afford(rows.size() * columns_)) return false;
    distances_.resize(rows.size() * columns_);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < columns_; ++c) {
        if (!afford(letters_[rows[r]].size() * letters_[columns[c]].size())) return false;
        distances_[r * columns_ + c] = edit_distance(rows[r], columns[c]);
      }
    const std::size_t begin = columns_;
    row_potential_.assign(rows.size(), {});
    column_potential_.assign(columns_ + 1, {});
    row_of_.assign(columns_ + 1, none);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      least_.assign(columns_, unreached);
      before_.assign(columns_, begin);
      seen_.assign(columns_ + 1, false);
      row_of_[begin] = r;
      std::size_t here = begin;
      while (row_of_[here] != none) {
        if (!afford(columns_)) return false;
        seen_[here] = true;
        const std::size_t row = row_of_[here];
        Cost step = unreached;
        std::size_t next = begin;
        for (std::size_t c = 0; c < columns_; ++c) {
          if (seen_[c]) continue;
          const Cost reduced = cost(row, c) - row_potential_[row] - column_potential_[c];
          if (reduced < least_[c]) least_[c] = reduced, before_[c] = here;
          if (least_[c] < step) step = least_[c], next = c;
        }
        for (std::size_t c = 0; c <= columns_; ++c) {
          if (seen_[c]) {
            row_potential_[row_of_[c]] = row_potential_[row_of_[c]] + step;
            column_potential_[c] = column_potential_[c] - step;
          } else if (c < columns_) {
            least_[c] = least_[c] - step;
          }
        }
        here = next;
      }
      for (; here != begin; here = before_[here]) row_of_[here] = row_of_[before_[here]];
    }
    return true;
  }

  bool afford(std::size_t work) {
    since_poll_ += work;
    if (since_poll_ > work_between_polls) {
      poll();
      since_poll_ = 0;
    }
    work_left_ -= static_cast<std::int64_t>(work);
    return work_left_ >= 0;
  }

  std::int32_t edit_distance(Token a, Token b) {
    if (a == b) return 0;
    const Tokens x = letters_[static_cast<std::size_t>(a)], y = letters_[static_cast<std::size_t>(b)];
    line_.resize(y.size() + 1);
    for (std::size_t j = 0; j <= y.size(); ++j) line_[j] = static_cast<std::int32_t>(j);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (y.size() > long_word) poll();
      std::int32_t diagonal = line_[0]++;
      for (std::size_t j = 0; j < y.size(); ++j) {
        const std::int32_t replaced = diagonal + (x[i] != y[j]);
        diagonal = line_[j + 1];
        line_[j + 1] = std::min({replaced, diagonal + 1, line_[j] + 1});
      }
    }
    return line_.back();
  }

  const Sentences& letters_;
  Munkres munkres_;
  Position position_;
  std::int64_t max_work_, work_left_ = 0, longer_ = 0;
  std::size_t start_ = 0, columns_ = 0, since_poll_ = 0;
  std::vector<std::int32_t> distances_, line_;
  std::vector<Cost> row_potential_, column_potential_, least_;
  std::vector<std::size_t> row_of_, before_;
  std::vector<char> seen_;
};

}  // namespace

void match_words(const Sentences& a, const Sentences& b, const Sentences& letters, Position position,
                 std::int64_t max_work, int threads, std::span<std::int32_t> partners,
                 std::span<std::uint8_t> status) {
  parallel_for(a.size(), threads, [&] {
    return [&, matching = Matching(letters, position, max_work)](std::size_t pair) mutable {
      const Tokens words = a[pair];
      const auto of_pair = partners.subspan(static_cast<std::size_t>(a.offsets[pair]), words.size());
      status[pair] = matching.match(words, b[pair], of_pair) ? 0 : 1;
    };
  });
}

}  // namespace recte
