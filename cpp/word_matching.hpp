// Words of two sentences aligned by weighted bipartite matching (Choshen and Abend, section 2).
#pragma once

#include "tokens.hpp"

namespace recte {

enum class Position {
  tie_break = 0,  // the least edit distance, and among such the nearest places
  weighed = 1,    // edit distance + distance of places / length of the longer sentence, as published
};

/// For each word of `a`, end to end, its partner in the same sentence of `b`, or -1. Every word of the
/// shorter sentence has a partner. `letters` spells each word.
void match_words(const Sentences& a, const Sentences& b, const Sentences& letters, Position position,
                 int threads, std::span<std::int32_t> partners);

}  // namespace recte
