// Words of two sentences aligned by weighted bipartite matching (Choshen and Abend, section 2).
#pragma once

#include "text/tokens.hpp"

namespace recte {

enum class Position {
  tie_break = 0,  // the least edit distance, and among such the nearest places
  weighed = 1,    // edit distance + distance of places / length of the longer sentence
  published = 2,  // the same, and ties as the published program leaves them
};

/// For each word of `a`, end to end, its partner in the same sentence of `b`, or -1. Every word of the
/// shorter sentence has a partner. `letters` spells each word. A pair's status is 0, or 1 where it would take
/// more than `max_work` letters compared and words looked at, which grows with the cube of the lengths.
void match_words(const Sentences& a, const Sentences& b, const Sentences& letters, Position position,
                 std::int64_t max_work, int threads, std::span<std::int32_t> partners,
                 std::span<std::uint8_t> status);

}  // namespace recte
