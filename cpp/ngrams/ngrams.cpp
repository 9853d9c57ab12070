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

/// A text and where it differs from a hypothesis. N-grams that lie before or behind stand in both.
class OtherText {
 public:
  void begin(Tokens hypothesis, Tokens text) {
    text_ = text;
    numbers_.assign(text.size(), 0);
    const std::size_t shorter = std::min(hypothesis.size(), text.size());
    before_ = common_prefix({hypothesis, text}, shorter);
    behind_ = common_suffix({hypothesis, text}, shorter - before_);
    differs_ = hypothesis.size() != text.size() || before_ < text.size();
  }
  bool differs() const { return differs_; }

 private:
  friend class HypothesisNgrams;
  Tokens text_;
  std::size_t before_ = 0, behind_ = 0;  // how many tokens of both are the same
  bool differs_ = false;
  std::vector<std::int32_t> numbers_;  // by place: the hypothesis's n-gram that begins there, or -1
};

/// The n-grams of a hypothesis, order by order, and how often other texts have them.
class HypothesisNgrams {
 public:
  void begin(Tokens hypothesis) {
    hypothesis_ = hypothesis;
    numbers_.assign(hypothesis.size(), 0);
    order_ = 0;
  }

  /// Goes on to the next order, of which the hypothesis has n-grams.
  void step() {
    table_.clear(numbers_.size());
    ++order_;
    numbers_.resize(hypothesis_.size() + 1 - order_);
    times_.clear();
    const Token* const last = hypothesis_.data() + order_ - 1;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      poll_every(i);
      numbers_[i] = table_.number(numbers_[i], last[i]);
      if (static_cast<std::size_t>(numbers_[i]) == times_.size()) times_.push_back(0);
      ++times_[static_cast<std::size_t>(numbers_[i])];
    }
    fewer_.assign(times_.size(), 0);
  }

  /// How often each distinct n-gram stands in the hypothesis.
  const std::vector<std::int32_t>& times() const { return times_; }

  /// Calls report(n-gram, how many fewer) for each n-gram that the text has less often than the hypothesis.
  /// Each step is followed by one call for each text that differs, since an n-gram's number comes from that
  /// of its beginning.
  template <class Report>
  void compare(OtherText& other, const Report& report) {
    const std::size_t begin = other.before_ - std::min(other.before_, order_ - 1);
    // N-grams that begin in front of this place lie neither before nor behind what differs.
    const auto end_in = [&](Tokens text) {
      const std::size_t ngrams = text.size() + 1 - std::min(text.size() + 1, order_);
      return std::max(begin, std::min(ngrams, text.size() - other.behind_));
    };
    const std::size_t end = end_in(other.text_), own_end = end_in(hypothesis_);
    for (std::size_t i = begin; i < end; ++i) {
      poll_every(i);
      std::int32_t& number = other.numbers_[i];
      if (number >= 0) number = table_.find(number, other.text_[i + order_ - 1]);
      if (number >= 0) --fewer_[static_cast<std::size_t>(number)];
    }
    if (begin > 0) other.numbers_[begin - 1] = numbers_[begin - 1];
    for (std::size_t i = begin; i < own_end; ++i) ++fewer_[static_cast<std::size_t>(numbers_[i])];
    for (std::size_t i = begin; i < own_end; ++i) {
      const auto number = static_cast<std::size_t>(numbers_[i]);
      if (fewer_[number] > 0) report(number, fewer_[number]);
      fewer_[number] = 0;
    }
    for (std::size_t i = begin; i < end; ++i)
      if (other.numbers_[i] >= 0) fewer_[static_cast<std::size_t>(other.numbers_[i])] = 0;
  }

 private:
  Tokens hypothesis_;
  NgramNumbers table_;
  std::vector<std::int32_t> numbers_;        // by place
  std::vector<std::int32_t> times_, fewer_;  // by n-gram; the latter 0 but while texts are compared
  std::size_t order_ = 0;
};

}  // namespace

void count_gleu(const Sentences& sources, const Sentences& hypotheses,
                std::span<const std::int64_t> source_of, std::span<const std::int64_t> reference_offsets,
                const Sentences& references, int orders, GleuFormula formula, std::size_t columns,
                int threads, std::span<std::int32_t> rows) {
  std::ranges::fill(rows, -1);
  const auto longest = static_cast<std::size_t>(orders);
  const std::size_t cells = 2 * longest + 2;
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, counting = HypothesisNgrams(), kept = std::vector<std::int32_t>(), source = OtherText(),
            of_sentence = std::vector<OtherText>()](std::size_t pair) mutable {
      const Tokens hypothesis = hypotheses[pair];
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const std::int64_t first = reference_offsets[sentence];
      const auto count = static_cast<std::size_t>(reference_offsets[sentence + 1] - first);
      const auto row_of = [&](std::size_t c) { return rows.subspan((pair * columns + c) * cells, cells); };
      source.begin(hypothesis, sources[sentence]);
      if (of_sentence.size() < count) of_sentence.resize(count);
      bool differ = false;  // a reference that is the hypothesis has all its n-grams, and takes nothing off
      for (std::size_t c = 0; c < count; ++c) {
        const Tokens reference = references[first + static_cast<std::int64_t>(c)];
        of_sentence[c].begin(hypothesis, reference);
        differ |= of_sentence[c].differs();
        const auto row = row_of(c);
        for (std::size_t n = 0; n < longest; ++n)
          row[n] = row[longest + n] =
              static_cast<std::int32_t>(hypothesis.size() - std::min(n, hypothesis.size()));
        row[cells - 2] = static_cast<std::int32_t>(hypothesis.size());
        row[cells - 1] = static_cast<std::int32_t>(reference.size());
      }
      if (!differ) return;
      counting.begin(hypothesis);
      for (std::size_t n = 0; n < std::min(longest, hypothesis.size()); ++n) {
        poll();
        counting.step();
        const std::vector<std::int32_t>& times = counting.times();
        // How often source and hypothesis both have an n-gram.
        kept = times;
        if (source.differs())
          counting.compare(source, [&](std::size_t ngram, std::int32_t fewer) { kept[ngram] -= fewer; });
        for (std::size_t c = 0; c < count; ++c) {
          if (!of_sentence[c].differs()) continue;
          std::int32_t taken_off = 0;
          counting.compare(of_sentence[c], [&](std::size_t ngram, std::int32_t fewer) {
            const std::int32_t shared = times[ngram] - fewer;
            taken_off += fewer;
            if (formula == GleuFormula::printed)
              taken_off += std::max(0, kept[ngram] - shared);
            else if (shared == 0)
              taken_off += kept[ngram];
          });
          row_of(c)[n] = std::max(0, row_of(c)[n] - taken_off);
        }
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
