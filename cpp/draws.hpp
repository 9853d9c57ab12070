// Random choices that do not depend on how the work is split: weights of sentences, references of GLEU.
#pragma once

#include <cstdint>
#include <span>

namespace recte {

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
