// UTF-8 as Python reads it: what is valid, what is white space, where words begin and end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "readers/bytes.hpp"

namespace recte {

/// The length of the valid prefix of `text`; all of it where it is UTF-8 (no surrogates, no overlong forms).
inline std::size_t valid_utf8_prefix(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t at = 0;
  const std::size_t size = text.size();
  while (at < size) {
    std::uint64_t word;
    while (at + 8 <= size && (std::memcpy(&word, bytes + at, 8), (word & 0x8080808080808080ULL) == 0))
      at += 8;
    if (at >= size) break;
    const unsigned char lead = bytes[at];
    if (lead < 0x80) {
      ++at;
      continue;
    }
    std::size_t more;
    unsigned char low = 0x80, high = 0xBF;  // bounds of the second byte
    if (lead >= 0xC2 && lead <= 0xDF) {
      more = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      more = 2;
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      more = 3;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    } else {
      return at;
    }
    if (at + more >= size || bytes[at + 1] < low || bytes[at + 1] > high) return at;
    for (std::size_t k = 2; k <= more; ++k)
      if ((bytes[at + k] & 0xC0) != 0x80) return at;
    at += more + 1;
  }
  return size;
}

namespace detail {

constexpr std::array<std::uint8_t, 256> space_kinds() {
  std::array<std::uint8_t, 256> kinds{};  // 0 no space, 1 a space, 2 perhaps the first byte of one
  for (const int c : {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20}) kinds[c] = 1;
  for (const int c : {0xC2, 0xE1, 0xE2, 0xE3}) kinds[c] = 2;
  return kinds;
}
inline constexpr auto kinds = space_kinds();

}  // namespace detail

/// How many bytes the white space (by `str.isspace`) at the start of `text` takes; 0 where there is none.
inline std::size_t space_at(const char* begin, const char* end) {
  const auto c = static_cast<unsigned char>(*begin);
  const std::uint8_t kind = detail::kinds[c];
  if (kind != 2) return kind;
  const std::size_t left = static_cast<std::size_t>(end - begin);
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(begin[k]); };
  if (c == 0xC2) return left >= 2 && (byte(1) == 0x85 || byte(1) == 0xA0) ? 2 : 0;
  if (left < 3) return 0;
  const unsigned char second = byte(1), third = byte(2);
  if (c == 0xE1) return second == 0x9A && third == 0x80 ? 3 : 0;  // Ogham space
  if (c == 0xE3) return second == 0x80 && third == 0x80 ? 3 : 0;  // ideographic space
  if (second == 0x80)
    return (third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF ? 3 : 0;
  return second == 0x81 && third == 0x9F ? 3 : 0;
}

namespace detail {

/// Of eight bytes, a bit for each that is up to a space or beyond ASCII.
inline std::uint64_t perhaps_spaces(std::uint64_t bytes) {
  constexpr std::uint64_t high = 0x8080808080808080ULL;
  const std::uint64_t letters = ((bytes & ~high) + 0x5F5F5F5F5F5F5F5FULL) & ~bytes;
  return ((((~letters & high) >> 7) * 0x0102040810204080ULL) >> 56) & 0xFF;
}

/// The same of up to 64 bytes from `at` on.
inline std::uint64_t perhaps_spaces(std::string_view text, std::size_t at) {
  const std::size_t count = std::min<std::size_t>(64, text.size() - at);
  std::uint64_t found = 0;
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) found |= perhaps_spaces(loaded<std::uint64_t>(text.data() + at + k)) << k;
  if (k < count) {
    const std::size_t left = count - k;
    const char* const end = text.data() + text.size();
    const std::uint64_t bytes = text.size() >= 8 ? loaded<std::uint64_t>(end - 8) >> (8 * (8 - left))
                                                 : little_endian(end - left, left);
    found |= (perhaps_spaces(bytes) & ((std::uint64_t{1} << left) - 1)) << k;
  }
  return found;
}

}  // namespace detail

/// Calls `visit` with each word, as `str.split` cuts them.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  // Where words end is found for many bytes at once: words have all lengths, so that a loop over bytes ends
  // where no processor expects it to, and the next word would wait for it.
  const char* const end = text.data() + text.size();
  std::size_t begin = 0;
  for (std::size_t block = 0; block < text.size(); block += 64)
    for (std::uint64_t found = detail::perhaps_spaces(text, block); found; found &= found - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(found));
      if (at < begin) continue;  // within a space
      const std::size_t space = space_at(text.data() + at, end);
      if (!space) continue;
      if (at > begin) visit(text.substr(begin, at - begin));
      begin = at + space;
    }
  if (begin < text.size()) visit(text.substr(begin));
}

/// How many words the text has.
inline std::int64_t count_words(std::string_view text) {
  // Without letters beyond ASCII, a loop that compilers make of sixteen bytes at a time.
  const auto is_space = [](unsigned char c) {
    return static_cast<std::uint8_t>((c == ' ') | (static_cast<unsigned char>(c - 9) < 5) |
                                     (static_cast<unsigned char>(c - 0x1C) < 4));
  };
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::int64_t words = 0;
  unsigned char all = 0;
  for (std::size_t first = 0; first < text.size(); first += 240) {  // as many as a byte can count
    const std::size_t last = std::min(text.size(), first + 240);
    std::uint8_t begun = first == 0 && !is_space(bytes[0]);
    for (std::size_t k = std::max<std::size_t>(first, 1); k < last; ++k)
      begun = static_cast<std::uint8_t>(begun + (is_space(bytes[k - 1]) & (is_space(bytes[k]) ^ 1)));
    for (std::size_t k = first; k < last; ++k) all |= bytes[k];
    words += begun;
  }
  if (all < 0x80) return words;
  words = 0;
  for_each_word(text, [&](std::string_view) { ++words; });
  return words;
}

/// Whether the text is words joined by single spaces, so that splitting and joining gives it back.
inline bool is_spaced(std::string_view text) {
  bool at_word = false;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end; ++at) {
    const std::size_t space = space_at(at, end);
    if (space && (*at != ' ' || !at_word)) return false;
    at_word = !space;
  }
  return at_word || text.empty();
}

/// Whether there is nothing but white space.
inline bool is_blank(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::size_t space;
  while (at < end && (space = space_at(at, end))) at += space;
  return at == end;
}

/// The text without white space at its ends, as `str.strip` leaves it.
inline std::string_view stripped(std::string_view text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  std::size_t space;
  while (begin < end && (space = space_at(begin, end))) begin += space;
  while (begin < end) {
    const char* last = end - 1;
    while (last > begin && (static_cast<unsigned char>(*last) & 0xC0) == 0x80) --last;
    if (last + space_at(last, end) != end) break;
    end = last;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace recte
