#include "statistics/draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "readers/interning.hpp"
#include "support/parallel.hpp"

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
    return tempered_[next_++];
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

constexpr std::size_t places_together = 1024, draws_together = 8;

/// Which reference each of some places has drawn.
void draw_references(Twister& twister, std::span<const std::int32_t> bounds, DrawStream stream,
                     std::span<std::uint32_t> drawn) {
  if (stream == DrawStream::python2) {
    for (std::size_t p = 0; p < bounds.size(); ++p) {
      const std::uint32_t a = twister.word() >> 5, b = twister.word() >> 6;
      const double uniform = (a * 67108864.0 + b) / 9007199254740992.0;
      drawn[p] = static_cast<std::uint32_t>(uniform * bounds[p]);
    }
    return;
  }
  // Half of the numbers are refused at random: no branch tells which.
  for (std::size_t p = 0, tried = 0; p < bounds.size(); ++tried) {
    poll_every(tried);
    const auto bound = static_cast<std::uint32_t>(bounds[p]);
    drawn[p] = twister.word() >> std::countl_zero(bound);
    p += drawn[p] < bound;
  }
}

/// Adds to sums the counts against the references drawn. `cells` is a constant where it is the usual number.
template <class Cells>
void add_drawn(const ReferenceRows& rows, std::span<const std::int64_t> row_offsets,
               std::span<const std::uint32_t> drawn, Cells cells, std::int64_t* sums) {
  for (std::size_t place = 0; place < drawn.size(); ++place)
    for (std::int64_t r = row_offsets[place]; r < row_offsets[place + 1]; ++r) {
      const std::int32_t* row = rows.counts.data() + static_cast<std::size_t>(r) * rows.columns * cells;
      if (rows.all_present) {
        if (drawn[place] >= rows.columns) continue;
        row += drawn[place] * cells;
      } else {
        std::uint32_t rank = drawn[place];
        std::size_t column = 0;
        for (; column < rows.columns; ++column, row += cells)
          if (row[0] >= 0 && rank-- == 0) break;
        if (column == rows.columns) continue;
      }
      for (std::size_t cell = 0; cell < cells; ++cell) sums[cell] += row[cell];
    }
}

}  // namespace

#if defined(__GNUC__)
#define RECTE_INLINE __attribute__((always_inline)) inline
#else
#define RECTE_INLINE inline
#endif

namespace {

// Loops over numbers of 16 bits, which compilers make eight comparisons at a time of, or more where a
// processor can; inlined, so that they are compiled for the processor of their caller.

RECTE_INLINE void count_steps(const std::array<std::int16_t, poisson_lanes>& uniform, std::size_t begin,
                              std::size_t end, PoissonWeights& weights) {
  for (std::size_t step = begin; step < end; ++step)
    for (std::size_t lane = 0; lane < poisson_lanes; ++lane)
      weights[lane] = static_cast<std::uint16_t>(weights[lane] + (uniform[lane] >= poisson_steps[step]));
}

RECTE_INLINE void make_poisson_weights(std::uint64_t scattered_key, std::size_t first,
                                       PoissonWeights& weights) {
  std::array<std::int16_t, poisson_lanes> uniform;
  for (std::size_t word = 0; word < poisson_lanes / 4; ++word) {
    const std::uint64_t bits = random_bits(scattered_key, first / 4 + word);
    if constexpr (std::endian::native == std::endian::little)
      std::memcpy(&uniform[4 * word], &bits, 8);  // one store, which wider loads can wait for
    else
      for (std::size_t lane = 0; lane < 4; ++lane)
        uniform[4 * word + lane] = static_cast<std::int16_t>(bits >> (16 * lane));
  }
  for (std::uint16_t& weight : weights) weight = 0;
  count_steps(uniform, 0, steps_always_looked_at, weights);
  std::uint16_t most = 0;
  for (std::size_t lane = 0; lane < poisson_lanes; ++lane) most |= weights[lane];
  if (most >= steps_always_looked_at)
    count_steps(uniform, steps_always_looked_at, poisson_steps.size(), weights);
}

}  // namespace

std::vector<std::uint64_t> scattered_keys(std::span<const std::uint64_t> keys, std::uint64_t seed) {
  std::vector<std::uint64_t> scattered(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    scattered[k] = scrambled(scrambled(keys[k] + 0x9e3779b97f4a7c15ULL) + seed);
  return scattered;
}

#if defined(__x86_64__) && defined(__GNUC__)
namespace {
__attribute__((target("avx2"))) void wide_poisson(std::uint64_t key, std::size_t first,
                                                  PoissonWeights& weights) {
  make_poisson_weights(key, first, weights);
}
}  // namespace

void poisson_weights_of(std::uint64_t scattered_key, std::size_t first, PoissonWeights& weights) {
  // The same numbers, sixteen at a time instead of eight.
  static const bool wide = __builtin_cpu_supports("avx2");
  if (wide)
    wide_poisson(scattered_key, first, weights);
  else
    make_poisson_weights(scattered_key, first, weights);
}
#else
void poisson_weights_of(std::uint64_t scattered_key, std::size_t first, PoissonWeights& weights) {
  make_poisson_weights(scattered_key, first, weights);
}
#endif

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
          // As in make_poisson_weights, but many items side by side instead of many resamples.
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

void sum_drawn_references(const ReferenceRows& given, std::span<const std::int64_t> row_offsets,
                          std::span<const std::int32_t> bounds, DrawStream stream, std::uint32_t seed_step,
                          int threads, std::span<std::int64_t> sums) {
  ReferenceRows rows = given;
  const std::size_t cells = rows.cells, draws = sums.size() / cells;
  rows.all_present = true;
  for (std::size_t row = 0; row < rows.counts.size(); row += cells)
    rows.all_present = rows.all_present && rows.counts[row] >= 0;
  std::ranges::fill(sums, 0);
  // Some draws go through the places together, so that rows are fetched from memory once for all of them.
  parallel_for((draws + draws_together - 1) / draws_together, threads, [&] {
    return [&](std::size_t group) {
      std::vector<Twister> twisters;
      const std::size_t first = group * draws_together, last = std::min(draws, first + draws_together);
      for (std::size_t draw = first; draw < last; ++draw)
        twisters.emplace_back(static_cast<std::uint32_t>(draw) * seed_step);
      std::array<std::uint32_t, places_together> drawn;
      for (std::size_t begin = 0; begin < bounds.size(); begin += drawn.size()) {
        const std::size_t size = std::min(drawn.size(), bounds.size() - begin);
        for (std::size_t draw = first; draw < last; ++draw) {
          poll();
          const auto found = std::span(drawn).first(size);
          draw_references(twisters[draw - first], bounds.subspan(begin, size), stream, found);
          std::int64_t* sum = sums.data() + draw * cells;
          if (cells == 10)  // orders up to four
            add_drawn(rows, row_offsets.subspan(begin), found, std::integral_constant<std::size_t, 10>(),
                      sum);
          else
            add_drawn(rows, row_offsets.subspan(begin), found, cells, sum);
        }
      }
    };
  });
}

}  // namespace recte
