#include "text/text_scan.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/parallel.hpp"
#include "text/utf8.hpp"

namespace recte {

namespace {

constexpr std::uint32_t after_unicode = 0x110000;

struct Lead {
  int length = 1;
  bool matters = false;  // whether some sign that begins with this byte is in a group
};

/// The groups of single bytes, and what the first bytes of longer signs can lead to.
struct Tables {
  std::array<std::uint64_t, 128> ascii{};
  std::array<Lead, 256> leads{};
};

Tables tables_of(std::span<const std::uint32_t> begins, std::span<const std::uint64_t> groups) {
  Tables tables;
  const auto any_between = [&](std::uint32_t first, std::uint32_t end) {
    const auto after = std::upper_bound(begins.begin(), begins.end(), first);
    for (auto i = static_cast<std::size_t>(after - begins.begin()) - 1; i < begins.size() && begins[i] < end;
         ++i)
      if (groups[i]) return true;
    return false;
  };
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::uint32_t next = i + 1 < begins.size() ? begins[i + 1] : after_unicode;
    for (std::uint32_t c = begins[i]; c < std::min<std::uint32_t>(next, 128); ++c)
      tables.ascii[c] = groups[i];
  }
  for (std::uint32_t lead = 0xC2; lead < 0xF5; ++lead) {
    const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::uint32_t bits = lead & (0xFFu >> (length + 1)),
                        shift = 6u * static_cast<std::uint32_t>(length - 1);
    tables.leads[lead] = {length, any_between(bits << shift, (bits + 1) << shift)};
  }
  return tables;
}

constexpr bool between(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return first <= code && code <= last;
}

/// Whether a letter of U+0100 to U+017F is a capital: most have even numbers, some odd ones.
constexpr bool is_capital_of_extended_latin(std::uint32_t code) {
  if (code == 0x138 || code == 0x149 || code == 0x17F) return false;
  return code == 0x178 || (code % 2 == 0) == (!between(code, 0x139, 0x148) && code < 0x179);
}

constexpr bool is_capital(std::uint32_t code) {
  if (code < 0x80) return between(code, 'A', 'Z');
  if (code < 0x100) return between(code, 0xC0, 0xDE) && code != 0xD7;
  if (code < 0x180) return is_capital_of_extended_latin(code);
  if (code < 0x400) return between(code, 0x386, 0x3AB) && code != 0x387 && code != 0x390;
  return between(code, 0x400, 0x42F) || (between(code, 0x460, 0x4BF) && code % 2 == 0);
}

constexpr bool is_small(std::uint32_t code) {
  if (code < 0x80) return between(code, 'a', 'z');
  if (code < 0x100) return between(code, 0xDF, 0xFF) && code != 0xF7;
  if (code < 0x180) return !is_capital(code);
  if (code < 0x400) return between(code, 0x3AC, 0x3CE) || code == 0x390;
  return between(code, 0x430, 0x45F) || (between(code, 0x460, 0x4BF) && code % 2 == 1);
}

constexpr bool is_ascii_letter_or_digit(unsigned char c) {
  return between(c, '0', '9') || between(c, 'A', 'Z') || between(c, 'a', 'z');
}

enum Kind : std::uint8_t { blank = 1, capital = 2, small = 4 };

constexpr std::array<std::uint8_t, 128> ascii_kinds() {
  std::array<std::uint8_t, 128> kinds{};
  for (std::uint32_t c = 0; c < 128; ++c)
    kinds[c] = static_cast<std::uint8_t>((detail::kinds[c] == 1 ? blank : 0) | (is_capital(c) ? capital : 0) |
                                         (is_small(c) ? small : 0));
  return kinds;
}
constexpr auto kinds_of_ascii = ascii_kinds();

/// The signs that end a sentence, in bytes.
constexpr std::array<std::string_view, 6> final_marks = {".", "?", "!", "\u3002", "\uFF1F", "\uFF01"};

/// Whether a sign that begins so is a mark: ASCII but letters and digits, and the blocks of punctuation.
bool is_mark(const char* at, const char* end) {
  const auto c = static_cast<unsigned char>(*at);
  if (c < 0x80) return !is_ascii_letter_or_digit(c);
  const auto next = end - at > 1 ? static_cast<unsigned char>(at[1]) : 0;
  return c == 0xC2 || (c == 0xE2 && next <= 0x81) || (c == 0xE3 && next == 0x80) ||
         (c == 0xEF && (next == 0xBC || next == 0xBD));
}

Ending ending_of(std::string_view text) {
  text = stripped(text);
  if (text.empty()) return other_ending;
  for (const auto mark : final_marks)
    if (text.ends_with(mark)) return final_mark;
  std::size_t last = text.size() - 1;
  while (last && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  return is_mark(text.data() + last, text.data() + text.size()) ? other_ending : word_ending;
}

/// How a letter of any length is counted.
std::uint8_t kind_of(std::uint32_t code, const char* at, const char* end) {
  if (space_at(at, end)) return blank;
  return is_capital(code) ? capital : is_small(code) ? small : 0;
}

/// What a text in ASCII is made of, but for its ending and words in capitals: loops that compilers make of
/// sixteen bytes at a time. `in_a_row` says whether there are capitals in a row.
TextMakeup makeup_of_ascii(std::string_view text, bool& in_a_row) {
  const auto is_space = [](unsigned char c) {
    return static_cast<std::uint8_t>((c == ' ') | (static_cast<unsigned char>(c - 9) < 5) |
                                     (static_cast<unsigned char>(c - 0x1C) < 4));
  };
  const auto is_upper = [](unsigned char c) {
    return static_cast<std::uint8_t>(static_cast<unsigned char>(c - 'A') < 26);
  };
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  TextMakeup makeup;
  std::uint8_t any_in_a_row = 0;
  for (std::size_t first = 0; first < text.size(); first += 240) {  // as many as a byte can count
    const std::size_t last = std::min(text.size(), first + 240);
    std::uint8_t blanks = 0, capitals = 0, small_letters = 0, begun = first == 0 && !is_space(bytes[0]);
    for (std::size_t k = first; k < last; ++k) {
      blanks = static_cast<std::uint8_t>(blanks + is_space(bytes[k]));
      capitals = static_cast<std::uint8_t>(capitals + is_upper(bytes[k]));
      small_letters =
          static_cast<std::uint8_t>(small_letters + (static_cast<unsigned char>(bytes[k] - 'a') < 26));
    }
    for (std::size_t k = std::max<std::size_t>(first, 1); k < last; ++k) {
      begun = static_cast<std::uint8_t>(begun + (is_space(bytes[k - 1]) & (is_space(bytes[k]) ^ 1)));
      any_in_a_row |= is_upper(bytes[k - 1]) & is_upper(bytes[k]);
    }
    makeup.bytes += static_cast<std::int32_t>(last - first) - blanks;
    makeup.words += begun;
    makeup.capitals += capitals;
    makeup.small_letters += small_letters;
  }
  in_a_row = any_in_a_row != 0;
  return makeup;
}

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

/// Counts letter by letter what a text is made of; words in capitals apart.
struct Counter {
  std::uint32_t blanks = 0, words = 0, capitals = 0, small_letters = 0;
  std::uint32_t last = blank, in_a_row = 0;

  void see(std::uint32_t kind) {
    blanks += kind & blank;
    words += last & ~kind & blank;
    capitals += kind >> 1 & 1;
    small_letters += kind >> 2;
    in_a_row |= last & kind;
    last = kind;
  }
};

/// Calls `visit` with what each letter is, its bytes and where it stands; a text ends before bytes that are
/// no UTF-8.
template <class Visit>
void for_each_letter(std::string_view text, Visit visit) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const auto first = static_cast<unsigned char>(*at);
    const int length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (end - at < length) return;
    std::uint32_t code = first < 0x80 ? first : first & (0xFFu >> (length + 1));
    for (int k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(at[k]) & 0x3Fu);
    visit(kind_of(code, at, end));
    at += length;
  }
}

std::int32_t count_words_in_capitals(std::string_view text) {
  std::int32_t count = 0;
  int last = blank, in_a_row = 0, all = 0;
  const auto end_word = [&] {
    count += in_a_row && !(all & small);
    in_a_row = all = 0;
  };
  for_each_letter(text, [&](std::uint8_t kind) {
    if (kind & blank) end_word();
    in_a_row |= last & kind & capital;
    all |= kind;
    last = kind;
  });
  end_word();
  return count;
}

constexpr unsigned char small_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return static_cast<unsigned char>(byte + (between(byte, 'A', 'Z') ? 32 : 0));
}

/// Parts that are looked for, and which groups have parts with a byte at each of the first places.
class PartTables {
 public:
  PartTables(const TextSpans& parts, std::span<const std::uint64_t> groups) : parts_(parts), groups_(groups) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const std::string_view part = parts[p];
      by_first_[static_cast<unsigned char>(part.front())].push_back(p);
      for (std::size_t place = 0; place < at_.size(); ++place) {
        if (place >= part.size()) {
          for (std::uint64_t& any : at_[place]) any |= groups[p];
          continue;
        }
        const auto byte = static_cast<unsigned char>(part[place]);
        at_[place][byte] |= groups[p];
        if (between(byte, 'a', 'z')) at_[place][byte - 32u] |= groups[p];
      }
    }
  }

  /// The union of the wanted groups of those parts that stand in a text.
  std::uint64_t groups_in(std::string_view text, std::uint64_t wanted) const {
    std::uint64_t left = wanted;
    for (std::size_t k = 0; left && k < text.size(); ++k) {
      std::uint64_t here = left;
      for (std::size_t place = 0; place < at_.size(); ++place)
        here &= at_[place][k + place < text.size() ? static_cast<unsigned char>(text[k + place]) : 0];
      if (!here) continue;
      for (const std::size_t p : by_first_[small_of(text[k])])
        if (groups_[p] & left && begins_with(text.substr(k), parts_[p])) left &= ~groups_[p];
    }
    return wanted & ~left;
  }

 private:
  static bool begins_with(std::string_view text, std::string_view part) {
    return text.size() >= part.size() &&
           std::equal(part.begin(), part.end(), text.begin(),
                      [](char a, char b) { return static_cast<unsigned char>(a) == small_of(b); });
  }

  const TextSpans& parts_;
  std::span<const std::uint64_t> groups_;
  std::array<std::vector<std::size_t>, 256> by_first_;
  std::array<std::array<std::uint64_t, 256>, 3> at_{};
};

bool is_blank_byte(char c) { return detail::kinds[static_cast<unsigned char>(c)] == 1; }

bool is_inner_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Where the sign before a place begins.
std::size_t sign_before(std::string_view text, std::size_t place) {
  --place;
  while (place && is_inner_byte(text[place])) --place;
  return place;
}

bool begins_with_clitic(std::string_view rest) { return rest.starts_with("n't") || rest.starts_with("'"); }

/// What the blanks before two places say, where the same sign stands at both.
int cut_bits(std::string_view source, std::size_t i, std::string_view output, std::size_t k) {
  if (!i || !k || is_inner_byte(source[i])) return 0;
  const bool apart = is_blank_byte(source[i - 1]);
  if (apart == is_blank_byte(output[k - 1])) return 0;
  const std::string_view spaced = apart ? source : output;
  std::size_t before = apart ? i : k;
  while (before && is_blank_byte(spaced[before - 1])) --before;
  if (!before) return 0;
  const char* const end = spaced.data() + spaced.size();
  const bool clitic = begins_with_clitic(source.substr(i));
  if (!clitic && !is_mark(source.data() + i, source.data() + source.size()) &&
      !is_mark(spaced.data() + sign_before(spaced, before), end))
    return 0;
  return !apart ? parted_mark : clitic ? joined_clitic : joined_mark;
}

/// How many bytes both texts begin with, from two places on.
std::size_t count_same(std::string_view source, std::size_t i, std::string_view output, std::size_t k) {
  const std::size_t most = std::min(source.size() - i, output.size() - k);
  std::size_t same = 0;
  while (same + 8 <= most &&
         loaded<std::uint64_t>(source.data() + i + same) == loaded<std::uint64_t>(output.data() + k + same))
    same += 8;
  while (same < most && source[i + same] == output[k + same]) ++same;
  return same;
}

/// How many bytes both texts end with, before two places and behind two others.
std::size_t count_same_before(std::string_view source, std::size_t i, std::string_view output, std::size_t k,
                              std::size_t most) {
  std::size_t same = 0;
  while (same + 8 <= most && loaded<std::uint64_t>(source.data() + i - same - 8) ==
                                 loaded<std::uint64_t>(output.data() + k - same - 8))
    same += 8;
  while (same < most && source[i - same - 1] == output[k - same - 1]) ++same;
  return same;
}

/// How many letters stand between two places, white space apart. Those of scripts without blanks count as
/// three, so that they say as much as a word's.
std::size_t count_letters(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t count = 0;
  for (; begin < end; ++begin) {
    const auto c = static_cast<unsigned char>(text[begin]);
    if (!is_inner_byte(text[begin]) && !is_blank_byte(text[begin])) count += between(c, 0xE3, 0xED) ? 3 : 1;
  }
  return count;
}

/// The bits of all places in what both texts begin with and end with. Where bytes agree, so do cuts: only
/// what is next to a blank that one of them has needs a look. Where nothing else is left of the output, its
/// source may have words that it lacks.
int all_cut_bits(std::string_view source, std::string_view output) {
  int bits = 0;
  std::size_t i = 0, k = 0;
  while (true) {
    const std::size_t same = count_same(source, i, output, k);
    i += same;
    k += same;
    while (i < source.size() && is_blank_byte(source[i])) ++i;
    while (k < output.size() && is_blank_byte(output[k])) ++k;
    if (i == source.size() || k == output.size() || source[i] != output[k]) break;
    bits |= cut_bits(source, i++, output, k++);
  }
  for (; i && k && i < source.size() && is_inner_byte(source[i]); --k) --i;  // where a letter begins
  std::size_t i_end = source.size(), k_end = output.size();
  while (true) {
    while (i_end > i && is_blank_byte(source[i_end - 1])) --i_end;
    while (k_end > k && is_blank_byte(output[k_end - 1])) --k_end;
    if (i_end == i || k_end == k || source[i_end - 1] != output[k_end - 1]) break;
    bits |= cut_bits(source, --i_end, output, --k_end);
    // The sign at the place may have a blank before it in one text alone, which the next turn sees.
    const std::size_t same = count_same_before(source, i_end, output, k_end, std::min(i_end - i, k_end - k));
    if (same > 1) {
      i_end -= same - 1;
      k_end -= same - 1;
    }
  }
  if (k_end == k && count_letters(source, i, i_end) >= letters_of_lost_words) bits |= lost_words;
  return bits;
}

/// The first (or, from the end, the last) bytes of a text that are no blanks, up to so many.
template <bool last>
void take_edge(std::string_view text, std::size_t most, std::string& edge) {
  edge.clear();
  for (std::size_t i = 0; i < text.size() && edge.size() < most; ++i) {
    const char c = text[last ? text.size() - 1 - i : i];
    if (!is_blank_byte(c)) edge.push_back(c);
  }
}

/// Takes the first byte that is no blank (or, from the end, the last) off a text; -1 where there is none.
template <bool last>
int take_letter(std::string_view& text) {
  while (!text.empty()) {
    const char c = last ? text.back() : text.front();
    last ? text.remove_suffix(1) : text.remove_prefix(1);
    if (!is_blank_byte(c)) return static_cast<unsigned char>(c);
  }
  return -1;
}

/// Whether both texts begin (or end) with the same bytes, so many of them, blanks apart.
template <bool last>
bool has_same_edge(std::string_view source, std::string_view output, std::size_t width) {
  const std::size_t most = 2 * width;  // bytes that show it in most texts
  if (std::min(source.size(), output.size()) >= most) {
    const char* const bytes = last ? source.data() + source.size() - most : source.data();
    const char* const others = last ? output.data() + output.size() - most : output.data();
    std::size_t letters = 0;
    for (std::size_t k = 0; k < most; ++k) letters += !is_blank_byte(bytes[k]);
    if (letters >= width && std::memcmp(bytes, others, most) == 0) return true;
  }
  for (; width; --width) {
    const int letter = take_letter<last>(source);
    if (letter < 0 || letter != take_letter<last>(output)) return false;
  }
  return true;
}

/// Whether an output begins (or ends) in another way than its source, and then whether it has more there.
template <bool last>
bool has_other_edge(std::string_view source, std::string_view output, std::size_t width, std::size_t farthest,
                    std::array<std::string, 2>& edges, bool& has_more) {
  has_more = false;
  if (has_same_edge<last>(source, output, width)) return false;
  take_edge<last>(source, width, edges[0]);
  take_edge<last>(output, farthest, edges[1]);
  has_more = edges[0].size() == width && edges[1].find(edges[0]) != std::string::npos;
  return true;
}

}  // namespace

void scan_texts(const TextSpans& texts, std::span<const std::uint32_t> begins,
                std::span<const std::uint64_t> groups, int threads, std::span<std::uint64_t> found,
                std::span<TextMakeup> makeups) {
  const Tables tables = tables_of(begins, groups);
  parallel_for(texts.size(), threads, [&] {
    return [&](std::size_t t) {
      std::uint64_t all = 0;
      if (is_ascii(texts[t])) {
        for (const char c : texts[t]) all |= tables.ascii[static_cast<unsigned char>(c)];
        bool in_a_row;
        found[t] = all;
        makeups[t] = makeup_of_ascii(texts[t], in_a_row);
        makeups[t].ending = ending_of(texts[t]);
        if (in_a_row) makeups[t].words_in_capitals = count_words_in_capitals(texts[t]);
        return;
      }
      Counter counter;
      int more_of_blanks = 0;  // bytes of blanks behind their first
      const auto text = texts[t];
      const auto* at = reinterpret_cast<const unsigned char*>(text.data());
      const auto* const end = at + text.size();
      while (true) {
        for (; at < end && *at < 0x80; ++at) {
          all |= tables.ascii[*at];
          counter.see(kinds_of_ascii[*at]);
        }
        if (at == end) break;
        const Lead lead = tables.leads[*at];
        if (end - at < lead.length) break;
        std::uint32_t code = *at & (0xFFu >> (lead.length + 1));
        for (int k = 1; k < lead.length; ++k) code = code << 6 | (at[k] & 0x3Fu);
        if (lead.matters) {
          const auto after = std::upper_bound(begins.begin(), begins.end(), code);
          all |= groups[static_cast<std::size_t>(after - begins.begin()) - 1];
        }
        const std::uint8_t kind =
            kind_of(code, reinterpret_cast<const char*>(at), reinterpret_cast<const char*>(end));
        counter.see(kind);
        more_of_blanks += kind & blank ? lead.length - 1 : 0;
        at += lead.length;
      }
      found[t] = all;
      TextMakeup& makeup = makeups[t];
      makeup.bytes = static_cast<std::int32_t>(at - reinterpret_cast<const unsigned char*>(text.data())) -
                     static_cast<std::int32_t>(counter.blanks) - more_of_blanks;
      makeup.words = static_cast<std::int32_t>(counter.words);
      makeup.capitals = static_cast<std::int32_t>(counter.capitals);
      makeup.small_letters = static_cast<std::int32_t>(counter.small_letters);
      makeup.ending = ending_of(text);
      if (counter.in_a_row & capital) makeup.words_in_capitals = count_words_in_capitals(text);
    };
  });
}

void find_parts(const TextSpans& texts, const TextSpans& parts, std::span<const std::uint64_t> groups,
                std::span<const std::uint64_t> wanted, int threads, std::span<std::uint64_t> found) {
  const PartTables tables(parts, groups);
  parallel_for(texts.size(), threads,
               [&] { return [&](std::size_t t) { found[t] = tables.groups_in(texts[t], wanted[t]); }; });
}

void compare_texts(const TextSpans& sources, const TextSpans& outputs, std::size_t width,
                   std::size_t farthest, int threads, std::span<std::uint8_t> found) {
  parallel_for(sources.size(), threads, [&] {
    return [&, part = std::array<std::string, 2>(), has_more = false](std::size_t t) mutable {
      const std::string_view source = sources[t], output = outputs[t];
      int bits = source == output ? 0 : all_cut_bits(source, output);
      if (has_other_edge<false>(source, output, width, farthest, part, has_more))
        bits |= other_begin | (has_more ? more_before : 0);
      if (has_other_edge<true>(source, output, width, farthest, part, has_more))
        bits |= other_end | (has_more ? more_behind : 0);
      found[t] = static_cast<std::uint8_t>(bits);
    };
  });
}

}  // namespace recte
