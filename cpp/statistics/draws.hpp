// Random choices that do not depend on how the work is split: weights of sentences, references of GLEU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "edits/products.hpp"
#include "statistics/twister.hpp"

namespace recte {

/// Poisson's distribution function of mean 1 in steps of 2^-16, from -2^15 on; above the last one the weight
/// is 8.
constexpr std::array<std::int16_t, 8> poisson_steps = {24109 - 32768, 48219 - 32768, 60273 - 32768,
                                                       64292 - 32768, 65296 - 32768, 65497 - 32768,
                                                       65531 - 32768, 65535 - 32768};
constexpr std::int32_t largest_poisson = poisson_steps.size();
constexpr std::size_t steps_always_looked_at = 4;  // few weights are above

/// Keys as weights are made from them: those of neighbours are far apart.
std::vector<std::uint64_t> scattered_keys(std::span<const std::uint64_t> keys, std::uint64_t seed);

/// Random bits of a key and a number: the generator wyrand (Wang Yi), set to that place.
inline std::uint64_t random_bits(std::uint64_t scattered_key, std::uint64_t number) {
  const std::uint64_t place = scattered_key + (number + 1) * 0xa0761d6478bd642fULL;
  return folded_product(place, place ^ 0xe7037ed1a0b428dbULL);
}

constexpr std::size_t poisson_lanes = 64;
using PoissonWeights = std::array<std::uint16_t, poisson_lanes>;

/// The weights of one item in 64 resamples, from number `first` on, which can be divided by 4.
void poisson_weights_of(std::uint64_t scattered_key, std::size_t first, PoissonWeights& weights);

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
/// uniform number of 53 bits, `python3` as many bits as R has, drawn again until below R. A large corpus goes
/// through in parts, one after the other.
class ReferenceDraws {
 public:
  ReferenceDraws(std::size_t first, std::size_t draws, DrawStream stream, std::uint32_t seed_step,
                 std::size_t cells);

  /// Goes through the next places.
  void add(const ReferenceRows& rows, std::span<const std::int64_t> row_offsets,
           std::span<const std::int32_t> bounds, int threads);

  std::size_t cells() const { return cells_; }
  std::size_t draws() const { return twisters_.size(); }
  /// By draw and cell.
  const std::vector<std::int64_t>& sums() const { return sums_; }

 private:
  DrawStream stream_;
  std::size_t cells_;
  std::vector<Twister> twisters_;
  std::vector<std::int64_t> sums_;
};

}  // namespace recte
