// Which groups of signs occur in each of many texts, and how outputs begin and end unlike their sources.
#pragma once

#include <cstdint>
#include <span>

#include "readers/interning.hpp"

namespace recte {

/// Writes for each text the union of its signs' groups, a bit each. `groups[i]` are those of the code points
/// from `begins[i]` up to `begins[i + 1]` (the last: to the end); `begins` rises from 0. A byte that is no
/// UTF-8 has none.
void sign_groups(const TextSpans& texts, std::span<const std::uint32_t> begins,
                 std::span<const std::uint64_t> groups, int threads, std::span<std::uint64_t> found);

/// What the ends of an output are like, a bit each.
enum EdgeBits : std::uint8_t { other_begin = 1, other_end = 2, more_before = 4, more_behind = 8 };

/// Compares the first and the last `width` bytes of each source with its output's. They are other bytes where
/// they differ or a text is shorter. There is more where the source's stand within the first (the last)
/// `farthest` bytes of the output, but not at its end.
void edge_differences(const TextSpans& sources, const TextSpans& outputs, std::size_t width,
                      std::size_t farthest, int threads, std::span<std::uint8_t> found);

}  // namespace recte
