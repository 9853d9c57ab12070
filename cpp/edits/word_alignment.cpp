#include "edits/word_alignment.hpp"

#include <limits>
#include <numeric>

#include "edits/letter_measures.hpp"
#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr std::uint64_t max_cells = 50'000'000;  // twelve bytes each, 600 MB
constexpr std::int64_t least_reach = 1;          // most sentences cost no more
constexpr double never = std::numeric_limits<double>::infinity();
using Step = AlignedSpan;
constexpr std::size_t most_similar = 5;  // wider windows need the same words
constexpr double similar_cost = 0.25;

std::uint64_t scattered(std::int32_t word) {  // splitmix64
  std::uint64_t z = (static_cast<std::uint64_t>(word) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void prepare(Tokens words, std::span<const std::int32_t> lower_of, std::vector<std::int32_t>& lower,
             std::vector<std::uint64_t>& sums) {
  lower.resize(words.size());
  sums.resize(words.size() + 1);
  sums[0] = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    lower[k] = lower_of[words[k]];
    sums[k + 1] = sums[k] + scattered(lower[k]);
  }
}

bool is_open(std::int32_t tag) { return tag <= verb; }

}  // namespace

/// The cost of the cell by substitution, or `never` where it is sure to exceed `others`.
double WordAligner::substitution(std::size_t i, std::size_t j, double before, double others) {
  if (options_.costs == WordCosts::linguistic && source_lower_[i] == corrected_lower_[j]) return before;
  if (before >= others) return never;  // any other substitution costs something
  if (options_.costs == WordCosts::levenshtein) return before + 1;
  const std::int32_t a = source_.tags[i], b = corrected_.tags[j];
  const double lemma = source_.lemmas[i] == corrected_.lemmas[j] ? 0.0 : 0.499;
  const double tag = a == b ? 0.0 : is_open(a) && is_open(b) ? 0.25 : 0.5;
  const double without_letters = lemma + tag;
  if (before + without_letters > others) return never;
  return before + (without_letters + cost_of_letters(source_.words[i], corrected_.words[j]));
}

/// How unlike two words are. Corrections of one source have most of its words, so few entries find most pairs
/// again; an entry is overwritten by the next pair that falls on it.
double WordAligner::cost_of_letters(Token a, Token b) {
  const std::uint64_t pair =
      std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
  LetterCost& known = letter_costs_[pair * 0x9e3779b97f4a7c15u >> (64 - letter_bits)];
  if (known.pair != pair)
    known = {pair, letter_cost(table_.letters[a], table_.letters[b], options_.rules.letters)};
  return known.cost;
}

bool WordAligner::may_change_places(std::size_t i, std::size_t j, std::size_t width) const {
  if (options_.rules.transpositions == Transpositions::similar_words && width <= most_similar)
    return similar_words(i, j, width);
  if (source_sums_[i] - source_sums_[i - width] != corrected_sums_[j] - corrected_sums_[j - width])
    return false;
  const auto a = source_lower_.begin() + static_cast<std::ptrdiff_t>(i);
  const auto b = corrected_lower_.begin() + static_cast<std::ptrdiff_t>(j);
  return std::is_permutation(a - static_cast<std::ptrdiff_t>(width), a,
                             b - static_cast<std::ptrdiff_t>(width));
}

/// Whether each of few words has one on the other side that nearly looks the same, and neither the first nor
/// the last words stay where they are; costs are compared in single precision, as published.
bool WordAligner::similar_words(std::size_t i, std::size_t j, std::size_t width) const {
  std::array<std::array<bool, most_similar>, most_similar> alike{};
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = 0; b < width; ++b)
      alike[a][b] = static_cast<float>(
                        weighted_letter_cost(table_.letters[source_.words[i - width + a]],
                                             table_.letters[corrected_.words[j - width + b]])) < similar_cost;
  std::array<std::size_t, most_similar> places{};
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto end = places.begin() + static_cast<std::ptrdiff_t>(width);
  do {
    if (places[0] == 0 || places[width - 1] == width - 1) continue;
    std::size_t word = 0;
    while (word < width && alike[word][places[word]]) ++word;
    if (word == width) return true;
  } while (std::next_permutation(places.begin(), end));
  return false;
}

/// Adds the difference of both sides' sums to those of the cells before on its diagonal; whether it may be
/// among them. Words between two cells of a diagonal change places only if both have the same difference.
bool WordAligner::add_difference(std::size_t i, std::size_t j, std::size_t diagonal) {
  const std::uint64_t bit = (source_sums_[i] - corrected_sums_[j]) >> 56;
  std::uint64_t& bits = differences_[diagonal][bit / 64];
  const std::uint64_t before = bits;
  bits |= std::uint64_t{1} << (bit % 64);
  return bits == before;
}

/// The narrowest transposition that ends here, unless a match or a change of case stands in its way. False
/// where cells beyond the limit, whose cost is not known exactly, would have to say what stands in its way.
bool WordAligner::transpose(std::size_t i, std::size_t j, double limit, double& best,
                            std::int32_t& step) const {
  // A cell this far from the diagonal costs at least so much, so that wide windows need no look.
  const double least = static_cast<double>(i > j ? i - j : j - i);
  const std::size_t widest = std::min(i, j);
  const bool similar = options_.rules.transpositions == Transpositions::similar_words;
  std::size_t narrowest = 2;
  if (!similar) {
    const std::uint64_t difference = source_sums_[i] - corrected_sums_[j];
    const std::size_t last = std::min(widest, static_cast<std::size_t>(std::max(best - least, 0.0)) + 1);
    while (narrowest <= last && source_sums_[i - narrowest] - corrected_sums_[j - narrowest] != difference)
      ++narrowest;
    if (narrowest > last) return true;
  }
  const double* cell = &cost_[(i - 1) * stride_ + j - 1];
  bool sure = true;
  for (std::size_t width = 2; width <= widest; ++width) {
    const double* earlier = cell - stride_ - 1;
    const double extra = static_cast<double>(width - 1);
    if (least + extra > best) break;
    if (*cell >= limit && *earlier >= limit)
      sure = false;
    else if (similar ? *cell <= *earlier : *cell == *earlier)
      break;
    if (width >= narrowest && may_change_places(i, j, width)) {
      if (*earlier + extra > best) break;
      if (!sure) return false;
      best = *earlier + extra;
      step = Step::transposition + static_cast<std::int32_t>(width);
      break;
    }
    cell = earlier;
  }
  return true;
}

/// Fills the cells on the diagonals from that of the beginning to that of the end, and `reach` further ones
/// on both sides. A way to a cell from beyond costs at least what leads out of these cells and back: what
/// costs less than this limit is exact, and so is the way there. False where it is not.
bool WordAligner::fill(std::size_t n, std::size_t m, std::int64_t reach) {
  const auto rows = static_cast<std::int64_t>(n), columns = static_cast<std::int64_t>(m);
  const std::int64_t lowest = std::min<std::int64_t>(columns - rows, 0) - reach,
                     highest = std::max<std::int64_t>(columns - rows, 0) + reach;
  const bool is_whole = -lowest >= rows && highest >= columns;
  const auto limit_at = [&](std::int64_t i, std::int64_t j) {
    const std::int64_t diagonal = j - i;
    return is_whole
               ? never
               : static_cast<double>(std::min(2 * (highest + 1) - diagonal, diagonal - 2 * (lowest - 1)));
  };
  const bool transposes = options_.costs == WordCosts::linguistic;
  const bool of_same_words = options_.rules.transpositions == Transpositions::same_words;
  stride_ = m + 1;
  cost_.resize((n + 1) * stride_);
  step_.resize((n + 1) * stride_);
  if (transposes && of_same_words) {
    differences_.assign(static_cast<std::size_t>(highest - lowest + 1), {});
    for (std::int64_t diagonal = std::max(lowest, -rows); diagonal <= std::min(highest, columns); ++diagonal)
      add_difference(std::max<std::int64_t>(-diagonal, 0), std::max<std::int64_t>(diagonal, 0),
                     diagonal - lowest);
  }
  cost_[0] = 0;
  for (std::int64_t j = 1; j <= std::min(columns, highest + 1); ++j)
    cost_[j] = static_cast<double>(j), step_[j] = Step::insertion;
  const Token* const corrected = corrected_.words.data();
  for (std::int64_t i = 1; i <= rows; ++i) {
    poll();
    double* const row = &cost_[i * stride_];
    const double* const above = row - stride_;
    std::int32_t* const steps = &step_[i * stride_];
    const Token word = source_.words[i - 1];
    const std::int64_t first = std::max<std::int64_t>(i + lowest, 1), last = std::min(columns, i + highest);
    row[first - 1] = first == 1 ? static_cast<double>(i) : never;
    steps[first - 1] = Step::deletion;
    if (last < columns) row[last + 1] = never;
    for (std::int64_t j = first; j <= last; ++j) {
      const double before = above[j - 1];
      if (word == corrected[j - 1]) {  // always a match, even where another way is cheaper
        row[j] = before;
        steps[j] = Step::match;
        continue;
      }
      const double inserted = row[j - 1] + 1, deleted = above[j] + 1;
      double best = substitution(i - 1, j - 1, before, std::min(inserted, deleted));
      std::int32_t step = Step::substitution;
      if (inserted < best) best = inserted, step = Step::insertion;
      if (deleted < best) best = deleted, step = Step::deletion;
      // In most cells no words change places, or a match or a change of case stands in the way.
      if (transposes && (!of_same_words || add_difference(i, j, j - i - lowest)) && std::min(i, j) >= 2) {
        const double limit = limit_at(i, j);
        const bool stands_in_the_way = before < limit && before == *(above - stride_ + j - 2);
        if (!stands_in_the_way && !transpose(i, j, limit, best, step)) return false;
      }
      row[j] = best;
      steps[j] = step;
    }
  }
  return cost_[n * stride_ + m] < limit_at(rows, columns);
}

/// How many words at the beginning are matched one by one, whatever follows them. Where both sentences begin
/// with the same words, a cell costs its distance from the diagonal, so its step is an insertion or a
/// deletion unless both words are alike: "a" in "a b" may be matched with the second "a" of "a a b". Where
/// the last of these words does not come again, every way back reaches the diagonal behind it.
std::size_t WordAligner::matched_beginning(Tokens source, Tokens corrected) const {
  const std::size_t shorter = std::min(source.size(), corrected.size());
  std::size_t size = 0;
  while (size < shorter && source[size] == corrected[size]) ++size;
  for (; size; --size) {
    const auto is_last = [&, last = table_.lower[source[size - 1]]](Token word) {
      return table_.lower[word] == last;
    };
    if (std::ranges::none_of(source.subspan(size), is_last) &&
        std::ranges::none_of(corrected.subspan(size), is_last))
      break;
  }
  return size;
}

bool WordAligner::align(const AnnotatedSentence& source, const AnnotatedSentence& corrected,
                        std::vector<AlignedSpan>& steps, double& cost) {
  // Equal words are matched whatever came before, so the common end needs no table.
  std::size_t n = source.size(), m = corrected.size();
  while (n && m && source.words[n - 1] == corrected.words[m - 1]) --n, --m;
  const std::size_t same_end = source.size() - n;
  const std::size_t same_begin = matched_beginning(source.words.first(n), corrected.words.first(m));
  n -= same_begin, m -= same_begin;
  if (static_cast<std::uint64_t>(n + 1) * (m + 1) > max_cells) return false;
  source_ = source.part(same_begin, n);
  corrected_ = corrected.part(same_begin, m);
  prepare(source_.words, table_.lower, source_lower_, source_sums_);
  prepare(corrected_.words, table_.lower, corrected_lower_, corrected_sums_);
  std::int64_t reach = least_reach;
  while (!fill(n, m, reach)) reach = 2 * reach + 1;
  cost = cost_[n * stride_ + m];

  const std::size_t first = steps.size();
  const auto add = [&](std::int32_t operation, std::size_t i, std::size_t j, std::size_t di, std::size_t dj) {
    steps.push_back(
        {operation, static_cast<std::int32_t>(same_begin + i - di), static_cast<std::int32_t>(same_begin + i),
         static_cast<std::int32_t>(same_begin + j - dj), static_cast<std::int32_t>(same_begin + j)});
  };
  for (std::size_t k = same_end; k; --k) add(Step::match, n + k, m + k, 1, 1);
  for (std::size_t i = n, j = m; i || j;) {
    const std::int32_t step = step_[i * stride_ + j];
    const std::size_t width = step > Step::transposition ? step - Step::transposition : 1;
    const std::size_t di = step == Step::insertion ? 0 : width, dj = step == Step::deletion ? 0 : width;
    add(std::min<std::int32_t>(step, Step::transposition), i, j, di, dj);
    i -= di;
    j -= dj;
  }
  for (std::int32_t k = static_cast<std::int32_t>(same_begin); k; --k)
    steps.push_back({Step::match, k - 1, k, k - 1, k});
  std::reverse(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.end());
  return true;
}

}  // namespace recte
