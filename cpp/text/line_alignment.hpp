// Which lines of two texts belong together, where lines may be missing, added, split or joined.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "readers/interning.hpp"

namespace recte {

/// Places of what both sides have once, as many as keep their order.
std::vector<std::pair<std::int64_t, std::int64_t>> common_in_order(std::span<const std::int64_t> first,
                                                                   std::span<const std::int64_t> second);

/// Lines of both sides from one place to before another; one side may have none.
struct LinePair {
  std::int64_t source, source_end, output, output_end;
};

/// All lines of both sides in pairs, in order.
///
/// Lines that both sides have once, white space left out, are fixed points as far as they keep their order.
/// A part between two of them with as many lines on both sides, each like its own, is taken as it is. In the
/// others, the pairs that share most trigrams of their first `prefix` bytes are chosen by dynamic
/// programming: one line each, or one against two or three. A pair gains twice what it shares, less half of
/// what both have; one line each gains something in any case, and the other pairs half a trigram less. In a
/// part with more pairs than `large`, lines farther than `widest` off the diagonal are not tried, the
/// difference of both sides' numbers added.
std::vector<LinePair> align_lines(const TextSpans& sources, const TextSpans& outputs, std::size_t prefix,
                                  std::size_t large, std::size_t widest, int threads);

}  // namespace recte
