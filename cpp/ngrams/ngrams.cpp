#include "ngrams/ngrams.hpp"

#include <algorithm>
#include <cstdlib>

#include "support/parallel.hpp"

namespace recte {
namespace {

constexpr std::size_t poll_from = 256;  // shorter texts are compared in no time
constexpr std::size_t most_twins = 8;   // texts that others are compared with: the first ones

/// N-grams of a few short texts as small numbers: an n-gram is its first n - 1 tokens' number and its last
/// token.
class NgramNumbers {
 public:
  /// What was numbered before is forgotten by its age: a sentence has few n-grams, and a table many slots.
  void clear(std::size_t tokens) {
    count_ = 0;
    const bool fits =
        slots_.size() >= 4 * tokens && slots_.size() <= std::max<std::size_t>(4096, 64 * tokens);
    if (fits && ++age_ != 0) return;
    std::size_t size = 16;
    while (size < 4 * tokens) size *= 2;
    slots_.assign(size, {});
    age_ = 1;
  }
  std::size_t count() const { return count_; }

  std::int32_t number(std::int32_t before, Token last) {
    const std::uint64_t key = key_of(before, last);
    Slot& slot = slot_of(key);
    if (slot.age != age_) slot = {key, static_cast<std::int32_t>(count_++), age_};
    return slot.number;
  }
  /// The number of an n-gram that has one, or -1.
  std::int32_t find(std::int32_t before, Token last) {
    const Slot& slot = slot_of(key_of(before, last));
    return slot.age == age_ ? slot.number : -1;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t number = -1;
    std::uint32_t age = 0;
  };
  static std::uint64_t key_of(std::int32_t before, Token last) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(before)) << 32 |
           static_cast<std::uint32_t>(last);
  }
  Slot& slot_of(std::uint64_t key) {
    std::size_t slot = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 20) & (slots_.size() - 1);
    while (slots_[slot].age == age_ && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t age_ = 0;
};

/// How many tokens all texts begin with in common, at most so many.
std::size_t common_prefix(const std::vector<Tokens>& texts, std::size_t most) {
  for (const Tokens text : texts)
    most = static_cast<std::size_t>(
        std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(most), texts[0].begin())
            .first -
        text.begin());
  return most;
}

std::size_t common_suffix(const std::vector<Tokens>& texts, std::size_t most) {
  for (const Tokens text : texts)
    most = static_cast<std::size_t>(
        std::mismatch(text.rbegin(), text.rbegin() + static_cast<std::ptrdiff_t>(most), texts[0].rbegin())
            .first -
        text.rbegin());
  return most;
}

/// Whose n-grams are numbered: those of all texts, or those of the first alone, which the others may have,
/// too.
enum class Numbered { all, first };

/// The texts of one sentence, order by order: after step(), numbers of their n-grams of the next order.
class NgramTexts {
 public:
  explicit NgramTexts(Numbered numbered) : numbered_(numbered) {}

  void begin(const std::vector<Tokens>& texts) {
    texts_ = texts;
    common_ = 0;
    number_texts();
  }

  /// The same, but n-grams of up to so many orders that lie in what all texts begin or end with are left out:
  /// `common` of each order. They stand equally often in all texts, so that differences and the least of
  /// counts follow from the others.
  void begin_where_texts_differ(const std::vector<Tokens>& texts, int orders) {
    texts_ = texts;
    std::size_t shortest = texts[0].size();
    for (const Tokens text : texts) shortest = std::min(shortest, text.size());
    const auto longest = static_cast<std::size_t>(orders) - 1;  // of the tokens next to an n-gram's own
    const std::size_t before = common_prefix(texts, shortest),
                      behind = common_suffix(texts, shortest - before);
    const std::size_t begin = before - std::min(before, longest), end = behind - std::min(behind, longest);
    for (Tokens& text : texts_) text = text.subspan(begin, text.size() - begin - end);
    common_ = static_cast<std::int32_t>(begin + end);
    number_texts();
  }

  void step() {
    table_.clear(total_ + 1);
    for (std::size_t t = 0; t < texts_.size(); ++t) {
      if (twins_[t] != t) continue;
      auto& numbers = numbers_[t];
      const std::size_t length = texts_[t].size(), order = static_cast<std::size_t>(order_);
      numbers.resize(length > order ? length - order : 0);
      const Token* const last = texts_[t].data() + order;
      if (t == 0 || numbered_ == Numbered::all)
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          poll_every(i);
          numbers[i] = table_.number(numbers[i], last[i]);
        }
      else
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          poll_every(i);
          if (numbers[i] >= 0) numbers[i] = table_.find(numbers[i], last[i]);
        }
    }
    ++order_;
  }

  std::size_t distinct() const { return table_.count(); }
  std::int32_t common() const { return common_; }
  /// How many n-grams the text has, those left out among them.
  std::int32_t size(std::size_t text) const {
    return common_ + static_cast<std::int32_t>(numbers_[twins_[text]].size());
  }

  /// Which text, of those before it or itself, has the same words.
  std::size_t twin(std::size_t text) const { return twins_[text]; }

  void count(std::size_t text, std::vector<std::int32_t>& counts) const {
    // One more place, for n-grams without a number: no branch tells which have one.
    counts.assign(table_.count() + 1, 0);
    for (std::int32_t number : numbers_[twins_[text]]) ++counts[static_cast<std::size_t>(number + 1)];
    counts.erase(counts.begin());
  }

 private:
  /// Equal texts are numbered once: the first of them stands for the others.
  void number_texts() {
    numbers_.resize(std::max(numbers_.size(), texts_.size()));
    twins_.resize(texts_.size());
    total_ = 0;
    for (std::size_t t = 0; t < texts_.size(); ++t) {
      std::size_t twin = 0;
      while (twin < std::min(t, most_twins) && !std::ranges::equal(texts_[t], texts_[twin])) ++twin;
      twins_[t] = twin < std::min(t, most_twins) ? twin : t;
      if (twins_[t] != t) continue;
      numbers_[t].assign(texts_[t].size(), 0);
      if (t == 0 || numbered_ == Numbered::all) total_ += texts_[t].size();
    }
    order_ = 0;
  }

  Numbered numbered_;
  std::vector<Tokens> texts_;
  std::vector<std::size_t> twins_;  // by text: the first text that equals it
  std::vector<std::vector<std::int32_t>> numbers_;
  NgramNumbers table_;
  std::size_t total_ = 0;
  std::int32_t common_ = 0;
  int order_ = 0;
};

}  // namespace

void count_gleu(const Sentences& sources, const Sentences& hypotheses,
                std::span<const std::int64_t> source_of, std::span<const std::int64_t> reference_offsets,
                const Sentences& references, int orders, GleuFormula formula, std::size_t columns,
                int threads, std::span<std::int32_t> rows) {
  std::ranges::fill(rows, -1);
  const std::size_t cells = 2 * static_cast<std::size_t>(orders) + 2;
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, ngrams = NgramTexts(Numbered::first), texts = std::vector<Tokens>(),
            h = std::vector<std::int32_t>(), kept = std::vector<std::int32_t>(),
            r = std::vector<std::int32_t>()](std::size_t pair) mutable {
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const std::int64_t first = reference_offsets[sentence];
      const auto count = static_cast<std::size_t>(reference_offsets[sentence + 1] - first);
      texts.assign({hypotheses[pair], sources[sentence]});
      for (std::size_t c = 0; c < count; ++c) texts.push_back(references[first + c]);
      if (formula == GleuFormula::types)  // asks whether the reference has an n-gram at all
        ngrams.begin(texts);
      else
        ngrams.begin_where_texts_differ(texts, orders);
      const auto row_of = [&](std::size_t c) { return rows.subspan((pair * columns + c) * cells, cells); };
      // A reference that is the hypothesis has all its n-grams, and takes nothing off.
      bool differ = false;
      for (std::size_t c = 0; c < count; ++c) differ |= ngrams.twin(2 + c) != 0;
      for (int order = 0; order < orders; ++order) {
        poll();
        const std::int32_t size =
            std::max(0, static_cast<std::int32_t>(texts[0].size()) - static_cast<std::int32_t>(order));
        if (differ) {
          ngrams.step();
          ngrams.count(0, h);
          ngrams.count(1, kept);
          for (std::size_t g = 0; g < h.size(); ++g) kept[g] = std::min(h[g], kept[g]);
        }
        for (std::size_t c = 0; c < count; ++c) {
          const auto row = row_of(c);
          row[order] = row[orders + order] = size;
          if (ngrams.twin(2 + c) == 0) continue;
          ngrams.count(2 + c, r);
          poll();
          std::int32_t numerator = ngrams.common();
          if (formula == GleuFormula::types)
            for (std::size_t g = 0; g < h.size(); ++g)
              numerator += std::min(h[g], r[g]) - (r[g] ? 0 : kept[g]);
          else
            for (std::size_t g = 0; g < h.size(); ++g) {
              const std::int32_t shared = std::min(h[g], r[g]);
              numerator += shared - std::max(0, kept[g] - shared);
            }
          row[order] = std::max(0, numerator);
        }
      }
      for (std::size_t c = 0; c < count; ++c) {
        row_of(c)[cells - 2] = static_cast<std::int32_t>(texts[0].size());
        row_of(c)[cells - 1] = static_cast<std::int32_t>(texts[2 + c].size());
      }
    };
  });
}

void count_green(const Sentences& sources, const Sentences& hypotheses,
                 std::span<const std::int64_t> source_of, std::span<const std::int64_t> reference_offsets,
                 const Sentences& references, int orders, std::size_t columns, int threads,
                 std::span<std::int32_t> rows) {
  std::ranges::fill(rows, -1);
  const std::size_t cells = green_cells * static_cast<std::size_t>(orders);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, ngrams = NgramTexts(Numbered::all), texts = std::vector<Tokens>(),
            h = std::vector<std::int32_t>(), s = std::vector<std::int32_t>(),
            r = std::vector<std::int32_t>()](std::size_t pair) mutable {
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const std::int64_t first = reference_offsets[sentence];
      const auto count = static_cast<std::size_t>(reference_offsets[sentence + 1] - first);
      texts.assign({hypotheses[pair], sources[sentence]});
      for (std::size_t c = 0; c < count; ++c) texts.push_back(references[first + c]);
      ngrams.begin_where_texts_differ(texts, orders);
      for (int order = 0; order < orders; ++order) {
        ngrams.step();
        ngrams.count(0, h);
        ngrams.count(1, s);
        for (std::size_t c = 0; c < count; ++c) {
          ngrams.count(2 + c, r);
          poll();
          std::int32_t sums[green_cells] = {ngrams.common()};
          for (std::size_t g = 0; g < ngrams.distinct(); ++g) {
            sums[0] += std::min({s[g], r[g], h[g]});
            sums[1] += std::max(0, s[g] - std::max(r[g], h[g]));
            sums[2] += std::max(0, std::min(r[g], h[g]) - s[g]);
            sums[3] += std::max(0, std::min(s[g], r[g]) - h[g]);
            sums[4] += std::max(0, h[g] - std::max(s[g], r[g]));
            sums[5] += std::max(0, std::min(s[g], h[g]) - r[g]);
            sums[6] += std::max(0, r[g] - std::max(s[g], h[g]));
          }
          std::ranges::copy(sums, rows.begin() + (pair * columns + c) * cells + order * green_cells);
        }
      }
    };
  });
}

void count_bleu(const Sentences& hypotheses, std::span<const std::int64_t> source_of,
                std::span<const std::int64_t> reference_offsets, const Sentences& references, int orders,
                int threads, std::span<std::int32_t> rows) {
  const std::size_t cells = 2 * static_cast<std::size_t>(orders) + 2;
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, ngrams = NgramTexts(Numbered::first), texts = std::vector<Tokens>(),
            h = std::vector<std::int32_t>(), r = std::vector<std::int32_t>(),
            most = std::vector<std::int32_t>()](std::size_t pair) mutable {
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const std::int64_t first = reference_offsets[sentence], last = reference_offsets[sentence + 1];
      texts = {hypotheses[pair]};
      for (std::int64_t c = first; c < last; ++c) texts.push_back(references[c]);
      ngrams.begin_where_texts_differ(texts, orders);
      const auto row = rows.subspan(pair * cells, cells);
      for (int order = 0; order < orders; ++order) {
        ngrams.step();
        poll();
        ngrams.count(0, h);
        most.assign(ngrams.distinct(), 0);
        for (std::size_t t = 1; t < texts.size(); ++t) {
          ngrams.count(t, r);
          poll();
          for (std::size_t g = 0; g < most.size(); ++g) most[g] = std::max(most[g], r[g]);
        }
        std::int32_t matched = ngrams.common();
        for (std::size_t g = 0; g < most.size(); ++g) matched += std::min(h[g], most[g]);
        row[order] = matched;
        row[orders + order] = ngrams.size(0);
      }
      const auto length = static_cast<std::int32_t>(texts[0].size());
      std::int32_t closest = -1;
      for (std::size_t t = 1; t < texts.size(); ++t) {
        const auto other = static_cast<std::int32_t>(texts[t].size());
        const std::int32_t distance = std::abs(other - length), best = std::abs(closest - length);
        if (closest < 0 || distance < best || (distance == best && other < closest)) closest = other;
      }
      row[cells - 2] = length;
      row[cells - 1] = closest;
    };
  });
}

void count_overlap(const Sentences& a, const Sentences& b, int threads, std::span<std::int32_t> rows) {
  parallel_for(a.size(), threads, [&] {
    return [&, ngrams = NgramTexts(Numbered::first), left = std::vector<std::int32_t>(),
            right = std::vector<std::int32_t>(), above = std::vector<std::int32_t>(),
            here = std::vector<std::int32_t>()](std::size_t pair) mutable {
      const Tokens x = a[pair], y = b[pair];
      ngrams.begin({x, y});
      ngrams.step();
      ngrams.count(0, left);
      ngrams.count(1, right);
      std::int32_t shared = 0;
      for (std::size_t g = 0; g < left.size(); ++g) shared += std::min(left[g], right[g]);
      above.assign(y.size() + 1, 0);
      here.assign(y.size() + 1, 0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (y.size() > poll_from) poll();
        for (std::size_t j = 0; j < y.size(); ++j)
          here[j + 1] = x[i] == y[j] ? above[j] + 1 : std::max(above[j + 1], here[j]);
        std::swap(above, here);
      }
      rows[2 * pair] = shared;
      rows[2 * pair + 1] = above.back();
    };
  });
}

}  // namespace recte
