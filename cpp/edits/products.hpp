// Products of 64 bits by 64.
#pragma once

#include <cstdint>

namespace recte {

/// The upper half of a product, xor the lower one.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
#else
  const std::uint64_t a_low = a & 0xffffffffU, a_high = a >> 32, b_low = b & 0xffffffffU, b_high = b >> 32;
  const std::uint64_t low = a_low * b_low, first = a_high * b_low, second = a_low * b_high;
  const std::uint64_t middle = (low >> 32) + (first & 0xffffffffU) + (second & 0xffffffffU);
  const std::uint64_t high = a_high * b_high + (first >> 32) + (second >> 32) + (middle >> 32);
  return high ^ (a * b);
#endif
}

}  // namespace recte
