#include "three_way/bit_distances.hpp"

#include <bit>

namespace recte {

BitPattern::BitPattern(Tokens text)
    : size_(text.size()),
      words_(std::max<std::size_t>(1, (text.size() + 63) / 64)),
      slots_(std::bit_ceil(4 * text.size() + 4)),
      masks_(words_, 0) {
  for (std::size_t t = 0; t < text.size(); ++t) {
    std::size_t at = slot_of(text[t]);
    while (slots_[at].row && slots_[at].token != text[t]) at = (at + 1) & (slots_.size() - 1);
    if (!slots_[at].row) {
      slots_[at] = {text[t], static_cast<std::uint32_t>(masks_.size() / words_)};
      masks_.resize(masks_.size() + words_, 0);
    }
    masks_[slots_[at].row * words_ + t / 64] |= std::uint64_t{1} << (t % 64);
  }
}

int BitPattern::common(Tokens other) {
  up_.assign(words_, ~std::uint64_t{0});
  for (const Token token : other) {
    const std::uint64_t* const here = places(token);
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t row = up_[w], matched = row & here[w], sum = row + matched, carried = sum + carry;
      carry = (sum < row) | (carried < sum);
      up_[w] = carried | (row & ~here[w]);
    }
  }
  int length = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::size_t used = std::min<std::size_t>(64, size_ - 64 * w);
    length += std::popcount(~up_[w] & (used == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1));
  }
  return length;
}

int BitPattern::levenshtein(Tokens other) {
  if (size_ == 0) return static_cast<int>(other.size());
  up_.assign(words_, ~std::uint64_t{0});
  down_.assign(words_, 0);
  auto distance = static_cast<int>(size_);
  const std::uint64_t last = std::uint64_t{1} << ((size_ - 1) % 64);
  for (const Token token : other) {
    const std::uint64_t* const here = places(token);
    std::uint64_t rises = 1, falls = 0;  // of the row before, at the left of this word
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t up = up_[w], down = down_[w], equal = here[w] | falls;
      const std::uint64_t vertical = here[w] | down;
      const std::uint64_t horizontal = (((equal & up) + up) ^ up) | equal;
      std::uint64_t rising = down | ~(horizontal | up), falling = up & horizontal;
      if (w + 1 == words_) distance += ((rising & last) != 0) - ((falling & last) != 0);
      const std::uint64_t next_rises = rising >> 63, next_falls = falling >> 63;
      rising = rising << 1 | rises;
      falling = falling << 1 | falls;
      up_[w] = falling | ~(vertical | rising);
      down_[w] = rising & vertical;
      rises = next_rises;
      falls = next_falls;
    }
  }
  return distance;
}

}  // namespace recte
