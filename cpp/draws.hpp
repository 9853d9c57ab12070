// Random choices that do not depend on how the work is split: weights of sentences, references of GLEU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "interning.hpp"

namespace recte {

/// Poisson's distribution function of mean 1 in steps of 2^-16; above the last one the weight is 8.
constexpr std::array<std::uint16_t, 8> poisson_steps = {24109, 48219, 60273, 64292,
                                                        65296, 65497, 65531, 65535};
constexpr std::int32_t largest_poisson = poisson_steps.size();

/// Keys as weights are made from them: those of neighbours are far apart.
std::vector<std::uint64_t> scattered_keys(std::span<const std::uint64_t> keys, std::uint64_t seed);

/// The weights of one item in `lanes` resamples, from number `first` on; both can be divided by 4.
template <std::size_t lanes>
void poisson_lanes(std::uint64_t scattered_key, std::size_t first,
                   std::array<std::uint16_t, lanes>& weights) {
  std::array<std::uint16_t, lanes> uniform;
  for (std::size_t word = 0; word < lanes / 4; ++word) {
    const std::uint64_t bits = scrambled(scattered_key + (first / 4 + word + 1) * 0x9e3779b97f4a7c15ULL);
    for (std::size_t lane = 0; lane < 4; ++lane)
      uniform[4 * word + lane] = static_cast<std::uint16_t>(bits >> (16 * lane));
  }
  weights.fill(0);
  for (const std::uint16_t step : poisson_steps)  // eight comparisons at a time, as compilers make them
    for (std::size_t lane = 0; lane < lanes; ++lane)
      weights[lane] = static_cast<std::uint16_t>(weights[lane] + (uniform[lane] >= step));
}

/// How often each item stands in each resample: independent Poisson numbers of mean 1, made from the item's
/// key, the resample's number and the seed alone, so that any part of the items gets the weights it has in
/// the whole. Rows of `weights` are resamples, from number `first` on. Probabilities are in steps of 2^-16.
void poisson_weights(std::span<const std::uint64_t> keys, std::uint64_t seed, std::size_t first, int threads,
                     std::span<std::int32_t> weights);

enum class DrawStream { python2 = 0, python3 = 1 };

/// Counts of every sentence against every reference: -1 in the first cell where there is none.
struct ReferenceRows {
  std::span<const std::int32_t> counts;
  std::size_t columns, cells;
};

/// For each draw the sum over sentences of the counts against the reference drawn. Draw j has a Mersenne
/// twister of its own, seeded by j times `seed_step`, which goes through all places of the corpus: `bounds`
/// says how many references each has, `row_offsets` which rows stand there. `python2` is floor(u · R) of a
/// uniform number of 53 bits, `python3` as many bits as R has, drawn again until below R.
void sum_drawn_references(const ReferenceRows& rows, std::span<const std::int64_t> row_offsets,
                          std::span<const std::int32_t> bounds, DrawStream stream, std::uint32_t seed_step,
                          int threads, std::span<std::int64_t> sums);

}  // namespace recte
