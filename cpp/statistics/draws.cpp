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

/// Which reference each of some places has drawn.
void draw_references(Twister& twister, std::span<const std::int32_t> bounds, DrawStream stream,
                     std::span<std::uint32_t> drawn) {
  if (stream == DrawStream::python2) {
    std::uint32_t odd = 0;  // of any bound, other bits than its first: without a branch, several at a time
    for (const std::int32_t bound : bounds)
      odd |= static_cast<std::uint32_t>(bound) & (static_cast<std::uint32_t>(bound) - 1);
    const bool powers = odd == 0;
    for (std::size_t p = 0; p < bounds.size();) {
      const auto words = twister.pairs(2 * (bounds.size() - p));
      const std::uint32_t* word = words.data();
      const std::size_t end = p + words.size() / 2;
      if (powers)  // the product is exact: its whole part is in the first bits
        for (; p < end; ++p, word += 2)
          drawn[p] = static_cast<std::uint32_t>(
              (std::uint64_t{*word} * static_cast<std::uint32_t>(bounds[p])) >> 32);
      else
        for (; p < end; ++p, word += 2) {
          const double uniform = ((word[0] >> 5) * 67108864.0 + (word[1] >> 6)) / 9007199254740992.0;
          drawn[p] = static_cast<std::uint32_t>(uniform * static_cast<std::uint32_t>(bounds[p]));
        }
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

// Tables of so many places stay in the processor's cache.
constexpr std::size_t places_together = 256, most_combinations = 64;

/// What drawing another reference than the first adds to a sum, for each sentence where that is anything.
struct Differences {
  std::vector<std::uint32_t> places;     // one for each row of counts there
  std::vector<std::uint32_t> ranks;      // how many references it can draw that differ in their effect
  std::vector<std::int64_t> rows;        // by sentence and rank from 1 on
  std::vector<std::size_t> row_offsets;  // where a sentence's begin
  std::vector<std::int64_t> first;       // the sum of all first references
};

Differences differences_of(const ReferenceRows& rows, std::span<const std::int64_t> row_offsets,
                           std::span<const std::int32_t> bounds) {
  Differences found;
  found.first.resize(rows.cells);
  std::vector<const std::int32_t*> present;
  for (std::size_t place = 0; place < bounds.size(); ++place) {
    poll_every(place);
    for (std::int64_t r = row_offsets[place]; r < row_offsets[place + 1]; ++r) {
      const std::int32_t* row = rows.counts.data() + static_cast<std::size_t>(r) * rows.columns * rows.cells;
      present.clear();
      for (std::size_t c = 0; c < rows.columns; ++c)
        if (row[c * rows.cells] >= 0) present.push_back(row + c * rows.cells);
      if (present.empty()) continue;
      for (std::size_t cell = 0; cell < rows.cells; ++cell) found.first[cell] += present[0][cell];
      // All ranks that the sentence does not have add nothing at all.
      const auto ranks = std::min(static_cast<std::size_t>(bounds[place]), present.size() + 1);
      bool differs = false;
      for (std::size_t rank = 1; rank < ranks && !differs; ++rank)
        differs =
            rank == present.size() || !std::equal(present[rank], present[rank] + rows.cells, present[0]);
      if (!differs) continue;
      found.places.push_back(static_cast<std::uint32_t>(place));
      found.ranks.push_back(static_cast<std::uint32_t>(ranks));
      found.row_offsets.push_back(found.rows.size());
      for (std::size_t rank = 1; rank < ranks; ++rank)
        for (std::size_t cell = 0; cell < rows.cells; ++cell) {
          const std::int64_t other = rank < present.size() ? present[rank][cell] : 0;
          found.rows.push_back(other - present[0][cell]);
        }
    }
  }
  return found;
}

/// Neighbouring sentences, a few at a time, with the sum of differences for each combination of references
/// that they can draw: a draw adds one row for all of them.
class Combinations {
 public:
  explicit Combinations(std::size_t cells) : cells_(cells) {}

  /// Sentences from one to another.
  void make(const Differences& differences, std::size_t from, std::size_t to) {
    groups_.clear();
    sentences_.clear();
    sums_.clear();
    for (std::size_t e = from; e < to;) {
      groups_.push_back({sums_.size(), 0});
      std::size_t size = 1;
      sums_.resize(sums_.size() + cells_);
      do {
        const std::size_t ranks = differences.ranks[e];
        sentences_.push_back(
            {differences.places[e], static_cast<std::uint32_t>(ranks) - 1, static_cast<std::uint32_t>(size)});
        sums_.resize(groups_.back().sums + size * ranks * cells_);
        std::int64_t* const sums = sums_.data() + groups_.back().sums;
        const std::int64_t* row = differences.rows.data() + differences.row_offsets[e];
        for (std::size_t rank = 1; rank < ranks; ++rank, row += cells_)
          for (std::size_t c = 0; c < size; ++c)
            for (std::size_t cell = 0; cell < cells_; ++cell)
              sums[(rank * size + c) * cells_ + cell] = sums[c * cells_ + cell] + row[cell];
        size *= ranks;
        ++groups_.back().sentences;
        ++e;
      } while (e < to && size * differences.ranks[e] <= most_combinations);
    }
  }

  /// Adds what was drawn, from place `begin` on. `cells` is a constant where it is the usual number.
  template <class Cells>
  void add(std::span<const std::uint32_t> drawn, std::size_t begin, Cells cells, std::int64_t* sums) const {
    const Sentence* sentence = sentences_.data();
    for (const Group& group : groups_) {
      std::size_t combination = 0;
      for (const Sentence* const end = sentence + group.sentences; sentence < end; ++sentence)
        combination += std::size_t{std::min(drawn[sentence->place - begin], sentence->last)} * sentence->step;
      const std::int64_t* const row = sums_.data() + group.sums + combination * cells;
      for (std::size_t cell = 0; cell < cells; ++cell) sums[cell] += row[cell];
    }
  }

 private:
  struct Group {
    std::size_t sums, sentences;
  };
  struct Sentence {
    std::uint32_t place, last, step;  // the last of its ranks, and by how many combinations ranks are apart
  };
  std::size_t cells_;
  std::vector<Group> groups_;
  std::vector<Sentence> sentences_;
  std::vector<std::int64_t> sums_;  // by group and combination
};

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

ReferenceDraws::ReferenceDraws(std::size_t first, std::size_t draws, DrawStream stream,
                               std::uint32_t seed_step, std::size_t cells)
    : stream_(stream), cells_(cells), sums_(draws * cells) {
  for (std::size_t draw = first; draw < first + draws; ++draw)
    twisters_.emplace_back(static_cast<std::uint32_t>(draw) * seed_step);
}

void ReferenceDraws::add(const ReferenceRows& rows, std::span<const std::int64_t> row_offsets,
                         std::span<const std::int32_t> bounds, int threads) {
  const Differences differences = differences_of(rows, row_offsets, bounds);
  // Each thread makes its own tables, once for all of its draws.
  const auto crew =
      std::clamp<std::size_t>(twisters_.size(), 1, static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(crew, threads, [&] {
    return [&, combinations = Combinations(cells_)](std::size_t part) mutable {
      const std::size_t first = twisters_.size() * part / crew, last = twisters_.size() * (part + 1) / crew;
      std::array<std::uint32_t, places_together> drawn;
      std::size_t from = 0;
      for (std::size_t begin = 0; begin < bounds.size(); begin += drawn.size()) {
        const auto found = std::span(drawn).first(std::min(drawn.size(), bounds.size() - begin));
        std::size_t to = from;
        while (to < differences.places.size() && differences.places[to] < begin + found.size()) ++to;
        combinations.make(differences, from, to);
        from = to;
        for (std::size_t draw = first; draw < last; ++draw) {
          poll();
          draw_references(twisters_[draw], bounds.subspan(begin, found.size()), stream_, found);
          std::int64_t* const sum = sums_.data() + draw * cells_;
          if (cells_ == 10)  // orders up to four
            combinations.add(found, begin, std::integral_constant<std::size_t, 10>(), sum);
          else
            combinations.add(found, begin, cells_, sum);
        }
      }
    };
  });
  for (std::size_t place = 0; place < sums_.size(); ++place)
    sums_[place] += differences.first[place % cells_];
}

}  // namespace recte
