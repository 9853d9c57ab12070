// UTF-8 as Python reads it: what is valid, what is white space, where words begin and end.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

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

/// Calls `visit` with each word, as `str.split` cuts them.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::size_t space;
    while (at < end && (space = space_at(at, end))) at += space;
    if (at == end) return;
    const char* const begin = at;
    while (at < end && !space_at(at, end)) ++at;
    visit(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
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

/// The text without white space at its ends, as `str.strip` leaves it.
inline std::string_view stripped(std::string_view text) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  std::size_t space;
  while (begin < end && (space = space_at(begin, end))) begin += space;
  const char* stop = begin;
  for (const char* at = begin; at < end;) {
    space = space_at(at, end);
    at += space ? space : 1;
    if (!space) stop = at;
  }
  return {begin, static_cast<std::size_t>(stop - begin)};
}

}  // namespace recte
