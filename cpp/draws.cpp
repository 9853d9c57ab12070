#include "draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "interning.hpp"
#include "parallel.hpp"

namespace recte {
namespace {

constexpr std::size_t lanes = 4;  // weights that one random word of 64 bits gives

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
    std::uint32_t y = state_[next_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680U;
    y ^= (y << 15) & 0xefc60000U;
    return y ^ (y >> 18);
  }

 private:
  static constexpr std::uint32_t size = 624, far = 397;

  void step(std::uint32_t& i) {
    if (++i == size) {
      state_[0] = state_[size - 1];
      i = 1;
    }
  }
  void refill() {
    const auto mixed = [](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t y = (a & 0x80000000U) | (b & 0x7fffffffU);
      return (y >> 1) ^ ((y & 1U) ? 0x9908b0dfU : 0U);
    };
    for (std::uint32_t k = 0; k < size; ++k)
      state_[k] = state_[(k + far) % size] ^ mixed(state_[k], state_[(k + 1) % size]);
    next_ = 0;
  }

  std::array<std::uint32_t, size> state_;
  std::uint32_t next_ = size;
};

std::uint32_t drawn(Twister& twister, std::uint32_t bound, DrawStream stream) {
  if (stream == DrawStream::python2) {
    const std::uint32_t a = twister.word() >> 5, b = twister.word() >> 6;
    const double uniform = (a * 67108864.0 + b) / 9007199254740992.0;
    return static_cast<std::uint32_t>(uniform * bound);
  }
  const int bits = std::bit_width(bound);
  for (;;) {
    const std::uint32_t one = twister.word() >> (32 - bits);
    if (one < bound) return one;
    poll();
  }
}

}  // namespace

std::vector<std::uint64_t> scattered_keys(std::span<const std::uint64_t> keys, std::uint64_t seed) {
  std::vector<std::uint64_t> scattered(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    scattered[k] = scrambled(scrambled(keys[k] + 0x9e3779b97f4a7c15ULL) + seed);
  return scattered;
}

void poisson_weights(std::span<const std::uint64_t> keys, std::uint64_t seed, std::size_t first, int threads,
                     std::span<std::int32_t> weights) {
  if (keys.empty()) return;
  const std::size_t rows = weights.size() / keys.size(), last = first + rows;
  const std::size_t first_word = first / lanes, words = (last + lanes - 1) / lanes - first_word;
  const std::vector<std::uint64_t> scattered = scattered_keys(keys, seed);
  parallel_for(words, threads, [&] {
    return [&, tile = std::array<std::uint64_t, 1024>(), uniform = std::array<std::int16_t, 1024>(),
            weight = std::array<std::uint16_t, 1024>()](std::size_t w) mutable {
      for (std::size_t begin = 0; begin < keys.size(); begin += tile.size()) {
        const std::size_t size = std::min(tile.size(), keys.size() - begin);
        for (std::size_t k = 0; k < size; ++k) tile[k] = random_bits(scattered[begin + k], first_word + w);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t resample = (first_word + w) * lanes + lane;
          if (resample < first || resample >= last) continue;
          std::int32_t* row = weights.data() + (resample - first) * keys.size() + begin;
          // As in poisson_lanes, but many items side by side instead of many resamples.
          for (std::size_t k = 0; k < size; ++k)
            uniform[k] = static_cast<std::int16_t>(tile[k] >> (16 * lane));
          std::fill_n(weight.begin(), size, std::uint16_t{0});
          for (const std::int16_t step : poisson_steps)
            for (std::size_t k = 0; k < size; ++k)
              weight[k] = static_cast<std::uint16_t>(weight[k] + (uniform[k] >= step));
          for (std::size_t k = 0; k < size; ++k) row[k] = weight[k];
        }
        poll();
      }
    };
  });
}

void sum_drawn_references(const ReferenceRows& rows, std::span<const std::int64_t> row_offsets,
                          std::span<const std::int32_t> bounds, DrawStream stream, std::uint32_t seed_step,
                          int threads, std::span<std::int64_t> sums) {
  const std::size_t cells = rows.cells, columns = rows.columns;
  parallel_for(sums.size() / cells, threads, [&] {
    return [&](std::size_t draw) {
      Twister twister(static_cast<std::uint32_t>(draw) * seed_step);
      const auto sum = sums.subspan(draw * cells, cells);
      std::ranges::fill(sum, 0);
      for (std::size_t place = 0; place < bounds.size(); ++place) {
        poll_every(place);
        const std::uint32_t wanted = drawn(twister, static_cast<std::uint32_t>(bounds[place]), stream);
        for (std::int64_t r = row_offsets[place]; r < row_offsets[place + 1]; ++r) {
          std::uint32_t rank = wanted;
          const std::int32_t* row = rows.counts.data() + static_cast<std::size_t>(r) * columns * cells;
          for (std::size_t column = 0; column < columns; ++column, row += cells) {
            if (row[0] < 0) continue;
            if (rank-- == 0) {
              for (std::size_t cell = 0; cell < cells; ++cell) sum[cell] += row[cell];
              break;
            }
          }
        }
      }
    };
  });
}

}  // namespace recte
