// Bytes read several at a time, in the same order on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace recte {

/// Up to eight bytes as one word, the first in its lowest bits. A copy of a length known only here would be a
/// call, which takes longer than all the rest.
template <class Word>
std::uint64_t loaded(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    Word turned = 0;
    for (std::size_t k = 0; k < sizeof word; ++k)
      turned |= static_cast<Word>(static_cast<Word>((word >> (8 * k)) & 0xFF) << (8 * (sizeof word - 1 - k)));
    return turned;
  }
  return word;
}

inline std::uint64_t little_endian(const char* bytes, std::size_t size) {
  if (size == 8) return loaded<std::uint64_t>(bytes);
  std::uint64_t word = 0;
  std::size_t at = 0;
  if (size & 4) word = loaded<std::uint32_t>(bytes), at = 4;
  if (size & 2) word |= loaded<std::uint16_t>(bytes + at) << (8 * at), at += 2;
  if (size & 1) word |= loaded<std::uint8_t>(bytes + at) << (8 * at);
  return word;
}

}  // namespace recte
