// The random numbers of Python and NumPy, word for word.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace recte {

/// The Mersenne twister (Matsumoto and Nishimura 1998), seeded by an array of one number as Python and NumPy
/// do.
class Twister {
 public:
  explicit Twister(std::uint32_t key) {
    state_[0] = 19650218U;
    for (std::uint32_t i = 1; i < size; ++i)
      state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
    std::uint32_t i = 1;
    for (std::uint32_t k = 0; k < size; ++k) {
      state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + key;
      step(i);
    }
    for (std::uint32_t k = 0; k < size - 1; ++k) {
      state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) - i;
      step(i);
    }
    state_[0] = 0x80000000U;
  }

  std::uint32_t word() {
    if (next_ == size) refill();
    return tempered_[next_++];
  }

  /// The next words, an even number of them and at most `most`, which is even, too.
  std::span<const std::uint32_t> pairs(std::size_t most) {
    if (next_ == size) refill();
    const auto words = std::span(tempered_).subspan(next_, std::min<std::size_t>(most, size - next_));
    next_ += static_cast<std::uint32_t>(words.size());
    return words;
  }

 private:
  static constexpr std::uint32_t size = 624, far = 397;

  void step(std::uint32_t& i) {
    if (++i == size) {
      state_[0] = state_[size - 1];
      i = 1;
    }
  }
  // Loops without a remainder, which compilers make four steps at a time of.
  void refill() {
    const auto mixed = [](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t y = (a & 0x80000000U) | (b & 0x7fffffffU);
      return (y >> 1) ^ ((0U - (y & 1U)) & 0x9908b0dfU);
    };
    for (std::uint32_t k = 0; k < size - far; ++k)
      state_[k] = state_[k + far] ^ mixed(state_[k], state_[k + 1]);
    for (std::uint32_t k = size - far; k < size - 1; ++k)
      state_[k] = state_[k + far - size] ^ mixed(state_[k], state_[k + 1]);
    state_[size - 1] = state_[far - 1] ^ mixed(state_[size - 1], state_[0]);
    for (std::uint32_t k = 0; k < size; ++k) {
      std::uint32_t y = state_[k];
      y ^= y >> 11;
      y ^= (y << 7) & 0x9d2c5680U;
      y ^= (y << 15) & 0xefc60000U;
      tempered_[k] = y ^ (y >> 18);
    }
    next_ = 0;
  }

  std::array<std::uint32_t, size> state_, tempered_;
  std::uint32_t next_ = size;
};

}  // namespace recte
