// Texts as small sets of hashed byte trigrams, to see which of many lines resemble each other.
#pragma once

#include <cstdint>
#include <span>

#include "readers/interning.hpp"

namespace recte {

inline constexpr std::size_t signature_words = 8;  // of 64 bits

/// Sets the bits of each text's signature: one for each trigram among its first `prefix` bytes, white space
/// left out. `bits` holds `signature_words` for each text, all zero.
void line_signatures(const TextSpans& texts, std::size_t prefix, int threads, std::span<std::uint64_t> bits);

}  // namespace recte
