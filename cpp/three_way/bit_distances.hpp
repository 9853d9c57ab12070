// Distances of two texts, 64 tokens at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace recte {

/// One text, to be compared with many.
class BitPattern {
 public:
  explicit BitPattern(Tokens text);

  /// The length of the longest common subsequence (Hyyrö 2004).
  int common(Tokens other);
  /// The Levenshtein distance (Myers 1999, Hyyrö 2003).
  int levenshtein(Tokens other);

 private:
  struct Slot {
    Token token = -1;
    std::uint32_t row = 0;
  };
  /// Where in the text a token stands: row 0 of the masks is for those that it lacks.
  const std::uint64_t* places(Token token) const {
    std::size_t at = slot_of(token);
    while (slots_[at].token != token && slots_[at].row) at = (at + 1) & (slots_.size() - 1);
    return masks_.data() + slots_[at].row * words_;
  }
  std::size_t slot_of(Token token) const {
    return static_cast<std::uint32_t>(token) * 2654435761u & (slots_.size() - 1);
  }

  std::size_t size_, words_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> masks_, up_, down_;
};

}  // namespace recte
