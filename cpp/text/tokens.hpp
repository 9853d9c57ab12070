// The words every kernel speaks: tokens are interned integers, text is a span of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace recte {

using Token = std::int32_t;
using Tokens = std::span<const Token>;

inline bool same(Tokens a, Tokens b) { return std::ranges::equal(a, b); }

/// Many sentences end to end, with the place where each begins.
struct Sentences {
  Tokens tokens;
  std::span<const std::int64_t> offsets;

  std::size_t size() const { return offsets.size() - 1; }
  Tokens operator[](std::size_t index) const {
    return tokens.subspan(offsets[index], offsets[index + 1] - offsets[index]);
  }
};

/// Each token's text without case, so that edits of case and white space alone can be told.
struct FoldedText {
  std::span<const std::uint8_t> bytes;
  std::span<const std::int64_t> offsets;

  bool known() const { return offsets.size() > 1; }

  /// Whether two token sequences spell the same once white space and case are ignored.
  bool same_letters(Tokens a, Tokens b) const { return letters(a) == letters(b); }

  std::vector<std::uint8_t> letters(Tokens tokens) const {
    std::vector<std::uint8_t> all;
    for (Token token : tokens)
      all.insert(all.end(), bytes.begin() + offsets[token], bytes.begin() + offsets[token + 1]);
    return all;
  }
};

}  // namespace recte
