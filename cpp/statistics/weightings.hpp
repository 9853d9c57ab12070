// Many ways to weigh the sentences of a corpus, as resampling makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace recte {

/// A weight says how often a sentence stands in the corpus, repeated ones in a row; one row of weights for
/// each weighting.
struct Weightings {
  std::span<const std::int32_t> weights;
  std::size_t sentences;

  std::span<const std::int32_t> operator[](std::size_t weighting) const {
    return weights.subspan(weighting * sentences, sentences);
  }
};

}  // namespace recte
