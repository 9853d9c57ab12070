#include "text/line_alignment.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "support/parallel.hpp"
#include "text/line_signatures.hpp"
#include "text/utf8.hpp"

namespace recte {

namespace {

constexpr double needed = 0.5;  // of what both have, to be worth more than to leave both alone
constexpr double alike = 0.6;   // share of both in common, by which lines in order need no search

/// How many sources and outputs a pair takes, the shape that is tried first in front.
constexpr std::array<std::array<std::size_t, 2>, 5> shapes = {{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}}};
constexpr std::size_t longest = 3;  // lines of a pair's side
constexpr std::uint8_t source_alone = shapes.size(), output_alone = source_alone + 1;

using Signature = std::array<std::uint64_t, signature_words>;
constexpr int most_shared = 64 * signature_words;

/// How many bits are set: words are added bit by bit first, so that fewer have to be counted.
int count_bits(const Signature& bits) {
  constexpr std::uint64_t every_second = 0x5555555555555555u, pairs = 0x3333333333333333u,
                          halves = 0x0F0F0F0F0F0F0F0Fu, bytes = 0x00FF00FF00FF00FFu;
  std::uint64_t sum = 0;
  for (std::uint64_t word : bits) {
    word -= word >> 1 & every_second;
    word = (word & pairs) + (word >> 2 & pairs);
    sum += (word + (word >> 4)) & halves;
  }
  sum = (sum & bytes) + (sum >> 8 & bytes);
  return static_cast<int>(sum * 0x0001000100010001u >> 48);
}

/// The trigrams of a side's lines.
class Lines {
 public:
  Lines(const TextSpans& texts, std::size_t prefix, int threads) : bits_(texts.size()), sizes_(texts.size()) {
    std::vector<std::uint64_t> words(texts.size() * signature_words);
    line_signatures(texts, prefix, threads, words);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      std::copy_n(words.data() + t * signature_words, signature_words, bits_[t].begin());
      sizes_[t] = count_bits(bits_[t]);
    }
  }

  int size(std::size_t line) const { return sizes_[line]; }
  const Signature& bits(std::size_t line) const { return bits_[line]; }
  /// The trigrams of some lines in a row, up to before a place.
  Signature merge(std::size_t end, std::size_t count) const {
    Signature all = bits_[end - count];
    for (std::size_t k = end - count + 1; k < end; ++k)
      for (std::size_t w = 0; w < signature_words; ++w) all[w] |= bits_[k][w];
    return all;
  }

 private:
  std::vector<Signature> bits_;
  std::vector<int> sizes_;
};

int count_shared(Signature first, const Signature& second) {
  for (std::size_t w = 0; w < signature_words; ++w) first[w] &= second[w];
  return count_bits(first);
}

struct Range {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

struct Part {
  Range sources, outputs;
};

LinePair pair_of(std::size_t source, std::size_t source_end, std::size_t output, std::size_t output_end) {
  return {static_cast<std::int64_t>(source), static_cast<std::int64_t>(source_end),
          static_cast<std::int64_t>(output), static_cast<std::int64_t>(output_end)};
}

class PartAligner {
 public:
  PartAligner(const Lines& sources, const Lines& outputs, std::size_t large, std::size_t widest)
      : sources_(sources), outputs_(outputs), large_(large), widest_(widest) {}

  std::vector<LinePair> align(const Part& part) {
    part_ = part;
    const std::size_t size = part.sources.size(), width = part.outputs.size();
    std::vector<LinePair> pairs;
    if (is_in_order() || (size == 1 && width == 1)) {
      for (std::size_t k = 0; k < size; ++k) add(pairs, k, k + 1, k, k + 1);
      return pairs;
    }
    if (!size || !width) {
      for (std::size_t k = 0; k < size; ++k) add(pairs, k, k + 1, 0, 0);
      for (std::size_t k = 0; k < width; ++k) add(pairs, size, size, k, k + 1);
      return pairs;
    }
    fill();
    for (std::size_t row = size, column = width; row || column;) {
      const std::uint8_t choice = row ? chosen_at(row, column) : output_alone;
      const std::size_t n = choice == output_alone ? 0 : choice == source_alone ? 1 : shapes[choice][0];
      const std::size_t m = choice == output_alone ? 1 : choice == source_alone ? 0 : shapes[choice][1];
      add(pairs, row - n, row, column - m, column);
      row -= n;
      column -= m;
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  void add(std::vector<LinePair>& pairs, std::size_t i, std::size_t i_end, std::size_t j,
           std::size_t j_end) const {
    pairs.push_back(pair_of(part_.sources.begin + i, part_.sources.begin + i_end, part_.outputs.begin + j,
                            part_.outputs.begin + j_end));
  }

  bool is_in_order() const {
    if (!part_.sources.size() || part_.sources.size() != part_.outputs.size()) return false;
    for (std::size_t k = 0; k < part_.sources.size(); ++k) {
      const std::size_t i = part_.sources.begin + k, j = part_.outputs.begin + k;
      const int total = sources_.size(i) + outputs_.size(j);
      const int shared = count_shared(sources_.bits(i), outputs_.bits(j));
      if (!total || 2.0 * shared / total < alike) return false;
    }
    return true;
  }

  /// What is chosen at a place: outside the columns that were tried, to leave the output alone behind them as
  /// far as that is better, and else to leave the source alone.
  std::uint8_t chosen_at(std::size_t row, std::size_t column) const {
    const Tried& tried = tried_[row];
    if (column < tried.low) return source_alone;
    if (column > tried.high) return column < tried.passed_on_to ? output_alone : source_alone;
    return chosen_[tried.begin + column - tried.low];
  }

  void fill() {
    const std::size_t size = part_.sources.size(), width = part_.outputs.size();
    for (auto& row : best_) row.assign(width + 1, 0.0);
    for (auto& row : shared_) row.assign(width + 1, most_shared);
    tried_.assign(size + 1, {});
    chosen_.clear();
    const bool is_large = size * width > large_;
    const std::size_t off = widest_ + (size > width ? size - width : width - size);
    for (std::size_t row = 1; row <= size; ++row) {
      std::size_t low = 0, high = width;
      if (is_large) {
        const std::size_t middle = row * width / size;
        low = middle - std::min(middle, off);
        high = std::min(middle + off, width);
      }
      fill_row(row, low, high);
    }
  }

  void fill_row(std::size_t row, std::size_t low, std::size_t high) {
    const std::size_t width = part_.outputs.size(), source = part_.sources.begin + row - 1;
    std::vector<double>& best = best_of(row);
    std::vector<int>& shared = shared_of(row);
    best = best_of(row - 1);  // the source is left alone
    std::fill(shared.begin(), shared.end(), most_shared);
    tried_[row] = {low, high, chosen_.size(), high + 1};
    for (std::size_t column = low; column <= high; ++column) {
      std::uint8_t choice = source_alone;
      if (column) {
        shared[column] = count_shared(sources_.bits(source), outputs_.bits(part_.outputs.begin + column - 1));
        for (std::uint8_t shape = 0; shape < shapes.size(); ++shape)
          if (try_shape(shape, row, column)) choice = shape;
        if (best[column - 1] > best[column]) {
          best[column] = best[column - 1];  // outputs that are left alone cost nothing
          choice = output_alone;
        }
      }
      chosen_.push_back(choice);
      poll_every(column);
    }
    std::size_t& next = tried_[row].passed_on_to;
    for (; next <= width && best[next - 1] > best[next]; ++next) best[next] = best[next - 1];
    poll();
  }

  /// Whether a shape is better than what is best at a place so far, which it then becomes.
  bool try_shape(std::uint8_t shape, std::size_t row, std::size_t column) {
    const auto [n, m] = shapes[shape];
    if (row < n || column < m) return false;
    int total = 0, most = 0;  // trigrams of all lines, and how many can be shared at most
    for (std::size_t a = 0; a < n; ++a) total += sources_.size(part_.sources.begin + row - 1 - a);
    for (std::size_t b = 0; b < m; ++b) total += outputs_.size(part_.outputs.begin + column - 1 - b);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < m; ++b) most += shared_of(row - a)[column - b];
    double& best = best_of(row)[column];
    const double before = best_of(row - n)[column - m];
    if (before + gain_of(shape, most, total) <= best) return false;
    if (shape) {  // lines may have the same trigrams
      const std::size_t source_end = part_.sources.begin + row, output_end = part_.outputs.begin + column;
      most = count_shared(sources_.merge(source_end, n), outputs_.merge(output_end, m));
    }
    const double value = before + gain_of(shape, most, total);
    if (value <= best) return false;
    best = value;
    return true;
  }

  static double gain_of(std::uint8_t shape, int shared, int total) {
    const double gain = 2.0 * shared - needed * total;
    // A pair of one line each is better than two lines alone, however little they share.
    return shape ? gain - 0.5 : std::max(gain, 0.001 * shared + 0.001);
  }

  std::vector<double>& best_of(std::size_t row) { return best_[row % best_.size()]; }
  std::vector<int>& shared_of(std::size_t row) { return shared_[row % shared_.size()]; }

  /// The columns of a row that were tried, and where what was chosen there begins.
  struct Tried {
    std::size_t low = 0, high = 0, begin = 0, passed_on_to = 0;
  };

  const Lines &sources_, &outputs_;
  std::size_t large_, widest_;
  Part part_{};
  std::array<std::vector<double>, longest + 1> best_;  // of the last rows
  std::array<std::vector<int>, longest> shared_;       // of one line each
  std::vector<Tried> tried_;
  std::vector<std::uint8_t> chosen_;
};

/// The same number for lines that are the same without white space; 0 for those that have nothing else.
class LineNumbers {
 public:
  std::vector<std::int64_t> numbers_of(const TextSpans& texts) {
    std::vector<std::int64_t> numbers(texts.size());
    std::string letters;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::string_view text = texts[t];
      letters.clear();
      for (std::size_t k = 0; k < text.size();) {
        const std::size_t blank = space_at(text.data() + k, text.data() + text.size());
        if (!blank) letters.push_back(text[k]);
        k += blank ? blank : 1;
      }
      if (!letters.empty())
        numbers[t] = known_.try_emplace(letters, static_cast<std::int64_t>(known_.size()) + 1).first->second;
      poll();
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string, std::int64_t> known_;
};

}  // namespace

std::vector<std::pair<std::int64_t, std::int64_t>> common_in_order(std::span<const std::int64_t> first,
                                                                   std::span<const std::int64_t> second) {
  struct Seen {
    std::int64_t in_first = 0, in_second = 0, place = 0;
  };
  std::unordered_map<std::int64_t, Seen> seen;
  for (const std::int64_t number : first) ++seen[number].in_first;
  for (std::size_t j = 0; j < second.size(); ++j) {
    Seen& of_number = seen[second[j]];
    ++of_number.in_second;
    of_number.place = static_cast<std::int64_t>(j);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> common;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Seen& of_number = seen[first[i]];
    if (of_number.in_first == 1 && of_number.in_second == 1)
      common.emplace_back(static_cast<std::int64_t>(i), of_number.place);
  }
  constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  std::vector<std::int64_t>
      ends;  // of the best runs of each length, the place on the other side that is least
  std::vector<std::size_t> last, previous(common.size());  // and which of the common places that is
  for (std::size_t k = 0; k < common.size(); ++k) {
    const auto length =
        static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), common[k].second) - ends.begin());
    previous[k] = length ? last[length - 1] : nothing;
    if (length == ends.size()) {
      ends.emplace_back();
      last.emplace_back();
    }
    ends[length] = common[k].second;
    last[length] = k;
    poll();
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> run;
  for (std::size_t k = last.empty() ? nothing : last.back(); k != nothing; k = previous[k])
    run.push_back(common[k]);
  std::reverse(run.begin(), run.end());
  return run;
}

std::vector<LinePair> align_lines(const TextSpans& sources, const TextSpans& outputs, std::size_t prefix,
                                  std::size_t large, std::size_t widest, int threads) {
  LineNumbers lines;
  const std::vector<std::int64_t> of_sources = lines.numbers_of(sources),
                                  of_outputs = lines.numbers_of(outputs);
  std::vector<Part> parts;
  Part part{{0, 0}, {0, 0}};
  const auto end_part = [&](std::size_t i, std::size_t j) {
    part.sources.end = i;
    part.outputs.end = j;
    parts.push_back(part);
    part.sources.begin = i + 1;
    part.outputs.begin = j + 1;
  };
  for (const auto& [i, j] : common_in_order(of_sources, of_outputs))
    if (of_sources[static_cast<std::size_t>(i)])
      end_part(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  end_part(sources.size(), outputs.size());
  const Lines first(sources, prefix, threads), second(outputs, prefix, threads);
  std::vector<std::vector<LinePair>> pairs_of_parts(parts.size());
  parallel_for(parts.size(), threads, [&] {
    return [&, aligner = PartAligner(first, second, large, widest)](std::size_t p) mutable {
      pairs_of_parts[p] = aligner.align(parts[p]);
    };
  });
  std::vector<LinePair> pairs;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    pairs.insert(pairs.end(), pairs_of_parts[p].begin(), pairs_of_parts[p].end());
    const std::size_t i = parts[p].sources.end, j = parts[p].outputs.end;
    if (i < sources.size()) pairs.push_back(pair_of(i, i + 1, j, j + 1));
  }
  return pairs;
}

}  // namespace recte
