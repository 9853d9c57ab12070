// Words as numbers: a hash of the whole word, of its beginnings and of its ends.
#pragma once

#include <cstdint>
#include <span>

namespace recte {

/// One row per word (UTF-8, end to end): the whole word, its first 1, 2, … code points, its last 1, 2, …;
/// zero where the word is shorter. FNV-1a, 32 bits.
void hash_affixes(std::span<const std::uint8_t> bytes, std::span<const std::int64_t> offsets, int beginnings,
                  int ends, std::span<std::uint32_t> rows);

}  // namespace recte
