#include "text/output_cuts.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "support/parallel.hpp"
#include "text/utf8.hpp"

namespace recte {
namespace {

/// The characters of a text without its white space.
struct Characters {
  std::vector<std::uint32_t> codes;
  std::vector<std::uint32_t> bytes;  // where each begins in its text
  std::vector<std::uint8_t> begins;  // whether white space, or the start of the text, is before it

  void read(std::string_view text) {
    codes.resize(text.size());
    bytes.resize(text.size());
    begins.resize(text.size());
    const char* const end = text.data() + text.size();
    std::uint8_t begun = 1;
    std::size_t count = 0;
    for (const char* at = text.data(); at < end;) {
      if (const std::size_t space = space_at(at, end)) {
        begun = 1;
        at += space;
        continue;
      }
      bytes[count] = static_cast<std::uint32_t>(at - text.data());
      begins[count] = begun;
      begun = 0;
      codes[count++] = code_at(at, end);
    }
    codes.resize(count);
    bytes.resize(count);
    begins.resize(count);
  }
  std::size_t size() const { return codes.size(); }

 private:
  /// The bytes of the character as one number, which is as good as its code point to tell characters by.
  static std::uint32_t code_at(const char*& at, const char* end) {
    std::uint32_t code = static_cast<unsigned char>(*at++);
    if (code < 0x80) return code;
    code &= code >= 0xF0 ? 0x07 : code >= 0xE0 ? 0x0F : 0x1F;
    while (at < end && (static_cast<unsigned char>(*at) & 0xC0) == 0x80)
      code = code << 6 | (static_cast<unsigned char>(*at++) & 0x3F);
    return code;
  }
};

constexpr std::int32_t none = -1;

/// Aligns characters by a longest common subsequence. Of several, the one that matches equal characters at
/// once wherever it can, and else leaves out a character of the output first.
class Aligner {
 public:
  /// For each character of the output its partner in the source, or none. False where that needs too much.
  bool align(const Characters& source, const Characters& output) {
    partners.assign(output.size(), none);
    const std::size_t shorter = std::min(source.size(), output.size());
    std::size_t first = 0, last = 0;
    while (first < shorter && source.codes[first] == output.codes[first]) ++first;
    while (last < shorter - first &&
           source.codes[source.size() - 1 - last] == output.codes[output.size() - 1 - last])
      ++last;
    for (std::size_t k = 0; k < first; ++k) partners[k] = static_cast<std::int32_t>(k);
    for (std::size_t k = 1; k <= last; ++k)
      partners[output.size() - k] = static_cast<std::int32_t>(source.size() - k);
    const std::span from(source.codes.data() + first, source.size() - first - last);
    const std::span to(output.codes.data() + first, output.size() - first - last);
    return from.empty() || to.empty() || align_middle(from, to, first);
  }
  std::vector<std::int32_t> partners;

 private:
  /// By bits (Hyyrö 2004), both texts reversed: after the last k characters of `from`, bit b is 0 where one
  /// more of the last b characters of `to` makes the subsequence longer.
  bool align_middle(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                    std::size_t first) {
    const std::size_t width = (to.size() + 63) / 64;
    if (from.size() > most_alignment_words / width) return false;
    number(to, width);
    rows_.resize((from.size() + 1) * width);
    std::fill_n(rows_.begin(), width, ~std::uint64_t{0});
    for (std::size_t k = 1; k <= from.size(); ++k) {
      const std::uint64_t* const before = rows_.data() + (k - 1) * width;
      std::uint64_t* const row = rows_.data() + k * width;
      const std::int32_t known = number_of(from[from.size() - k]);
      if (known == none) {
        std::copy_n(before, width, row);
        continue;
      }
      const std::uint64_t* const mask = masks_.data() + static_cast<std::size_t>(known) * width;
      std::uint64_t carry = 0;
      for (std::size_t w = 0; w < width; ++w) {
        const std::uint64_t matched = before[w] & mask[w];
        const std::uint64_t sum = before[w] + matched, with_carry = sum + carry;
        carry = (sum < matched) | (with_carry < carry);
        row[w] = with_carry | (before[w] & ~matched);
      }
      if (width > 64) poll();
    }
    for (std::size_t i = 0, j = 0; i < from.size() && j < to.size();) {
      if (from[i] == to[j]) {
        partners[first + j++] = static_cast<std::int32_t>(first + i++);
        continue;
      }
      const std::size_t bit = to.size() - 1 - j;
      const bool useless = rows_[(from.size() - i) * width + bit / 64] >> (bit & 63) & 1;
      useless ? ++j : ++i;
    }
    return true;
  }

  struct Slot {
    std::uint32_t code = 0;
    std::int32_t number = none;
  };

  /// Masks of where each character stands in the reversed text.
  void number(std::span<const std::uint32_t> to, std::size_t width) {
    ascii_.fill(none);
    std::size_t size = 1;
    const auto beyond = static_cast<std::size_t>(std::ranges::count_if(to, [](auto c) { return c >= 128; }));
    while (size < 2 * beyond) size *= 2;
    slots_.assign(size, {});
    masks_.clear();
    std::int32_t numbers = 0;
    for (std::size_t j = 0; j < to.size(); ++j) {
      Slot* const slot = to[j] < 128 ? nullptr : &slot_of(to[j]);
      std::int32_t& number = slot ? slot->number : ascii_[to[j]];
      if (number == none) {
        number = numbers++;
        if (slot) slot->code = to[j];
        masks_.resize(masks_.size() + width);
      }
      const std::size_t bit = to.size() - 1 - j;
      masks_[static_cast<std::size_t>(number) * width + bit / 64] |= std::uint64_t{1} << (bit & 63);
    }
  }
  /// The number of a character of the text, or none.
  std::int32_t number_of(std::uint32_t code) {
    return code < 128 ? ascii_[code] : slots_.size() > 1 ? slot_of(code).number : none;
  }
  /// The slot of a character beyond ASCII, or a free one.
  Slot& slot_of(std::uint32_t code) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (code * 2654435761u >> 7) & mask;
    while (slots_[at].number != none && slots_[at].code != code) at = (at + 1) & mask;
    return slots_[at];
  }

  std::array<std::int32_t, 128> ascii_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> masks_, rows_;
};

constexpr std::array<bool, 128> letters_of_ascii() {
  std::array<bool, 128> letters{};
  for (std::size_t code = 0; code < 128; ++code)
    letters[code] =
        (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
  return letters;
}
constexpr auto ascii_letters = letters_of_ascii();

constexpr std::size_t most_of_contraction = 3;  // characters of n't

class Cutter {
 public:
  Cutter(std::span<const std::uint32_t> letters) : letters_(letters) {}

  bool cut(std::string_view source_text, std::string_view output_text, std::span<Cut> cuts) {
    source_.read(source_text);
    output_.read(output_text);
    std::fill(cuts.begin(), cuts.end(), Cut::blank);
    if (!aligner_.align(source_, output_)) return false;
    find_words();
    find_shared();
    for (std::size_t j = 0; j < output_.size(); ++j) {
      std::size_t at = output_.bytes[j];
      cuts[at] = before(j);
      if (output_.codes[j] < 0x80) continue;
      while (++at < output_text.size() && (static_cast<unsigned char>(output_text[at]) & 0xC0) == 0x80)
        cuts[at] = Cut::no;
    }
    return true;
  }

 private:
  /// Whether each character of the source belongs to a token of nothing but letters.
  void find_words() {
    in_word_.assign(source_.size(), 0);
    for (std::size_t begin = 0, end = 0; begin < source_.size(); begin = end) {
      bool letters = true;
      do letters = letters && is_letter(source_.codes[end]);
      while (++end < source_.size() && !source_.begins[end]);
      std::fill(in_word_.begin() + static_cast<std::ptrdiff_t>(begin),
                in_word_.begin() + static_cast<std::ptrdiff_t>(end), letters);
    }
  }

  /// Whether each character of the source belongs to a token that stands in the output as a whole.
  void find_shared() {
    const std::vector<std::int32_t>& partners = aligner_.partners;
    shared_.assign(source_.size(), 0);
    for (std::size_t j = 0; j < output_.size();) {
      std::size_t next = j + 1;
      if (partners[j] == none || !source_.begins[static_cast<std::size_t>(partners[j])]) {
        j = next;
        continue;
      }
      const auto begin = static_cast<std::size_t>(partners[j]);
      std::size_t end = begin + 1;
      while (end < source_.size() && !source_.begins[end]) ++end;
      while (next < output_.size() && next - j < end - begin && !output_.begins[next] &&
             partners[next] == partners[next - 1] + 1)
        ++next;
      if (next - j == end - begin)
        std::fill(shared_.begin() + static_cast<std::ptrdiff_t>(begin),
                  shared_.begin() + static_cast<std::ptrdiff_t>(end), 1);
      j = next;
    }
  }

  Cut before(std::size_t j) const {
    if (output_.begins[j]) return Cut::yes;
    const std::int32_t left = aligner_.partners[j - 1], here = aligner_.partners[j];
    const auto place = static_cast<std::size_t>(here);
    if (left == none || here != left + 1) return here != none && ends_both(j, place) ? Cut::yes : Cut::open;
    if (!source_.begins[place]) return shared_[place] ? Cut::no : Cut::open;
    if (!is_letter(output_.codes[j - 1]) || !is_letter(output_.codes[j])) return Cut::yes;
    const bool contraction = shared_[place - 1] && shared_[place] && !in_word_[place] &&
                             size_of_token(place) <= most_of_contraction;
    return contraction ? Cut::yes : Cut::open;
  }

  std::size_t size_of_token(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < source_.size() && !source_.begins[end]) ++end;
    return end - begin;
  }

  /// Whether a mark ends both texts, in the source as a token of its own.
  bool ends_both(std::size_t j, std::size_t place) const {
    return j + 1 == output_.size() && place + 1 == source_.size() && source_.begins[place] &&
           !is_letter(output_.codes[j]);
  }

  bool is_letter(std::uint32_t code) const {
    if (code < 0x80) return ascii_letters[code];
    return std::binary_search(letters_.begin(), letters_.end(), code);
  }

  std::span<const std::uint32_t> letters_;
  Characters source_, output_;
  Aligner aligner_;
  std::vector<std::uint8_t> in_word_, shared_;
};

}  // namespace

OpenPieces cut_outputs(const TextSpans& sources, const TextSpans& outputs,
                       std::span<const std::uint32_t> letters, int threads, std::span<Cut> cuts,
                       std::span<std::uint8_t> too_long) {
  parallel_for(outputs.size(), threads, [&] {
    return [&, cutter = Cutter(letters)](std::size_t t) mutable {
      const auto begin = static_cast<std::size_t>(outputs.begins[t]);
      const auto end = static_cast<std::size_t>(outputs.ends[t]);
      too_long[t] = !cutter.cut(sources[t], outputs[t], cuts.subspan(begin, end - begin));
    };
  });
  OpenPieces pieces;
  for (std::size_t t = 0; t < outputs.size(); ++t) {
    std::int64_t begin = outputs.begins[t];
    bool open = false;
    for (std::int64_t at = begin; at <= outputs.ends[t]; ++at) {
      const bool ends = at == outputs.ends[t] || cuts[static_cast<std::size_t>(at)] == Cut::blank;
      if (!ends) {
        open = open || cuts[static_cast<std::size_t>(at)] == Cut::open;
        continue;
      }
      if (open) {
        pieces.begins.push_back(begin);
        pieces.ends.push_back(at);
      }
      begin = at + 1;
      open = false;
    }
    poll();
  }
  return pieces;
}

std::vector<std::uint8_t> join_cuts(const TextSpans& outputs, std::span<const Cut> cuts,
                                    std::vector<std::int64_t>& offsets) {
  std::vector<std::uint8_t> joined;
  joined.reserve(outputs.buffer.size() + outputs.buffer.size() / 4);
  offsets.assign(1, 0);
  for (std::size_t t = 0; t < outputs.size(); ++t) {
    for (std::int64_t at = outputs.begins[t]; at < outputs.ends[t]; ++at) {
      const auto place = static_cast<std::size_t>(at);
      if (cuts[place] == Cut::blank) continue;
      if (cuts[place] == Cut::yes && static_cast<std::int64_t>(joined.size()) > offsets.back())
        joined.push_back(' ');
      joined.push_back(static_cast<std::uint8_t>(outputs.buffer[place]));
    }
    offsets.push_back(static_cast<std::int64_t>(joined.size()));
    poll();
  }
  return joined;
}

}  // namespace recte
