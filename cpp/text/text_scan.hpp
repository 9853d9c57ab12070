// What each of many texts is made of, and how outputs begin, end and are cut unlike their sources.
#pragma once

#include <cstdint>
#include <span>

#include "readers/interning.hpp"

namespace recte {

/// How a text ends, white space apart.
enum Ending : std::int32_t { other_ending = 0, final_mark = 1, word_ending = 2 };

/// What a text is made of. Letters beyond Latin, Greek and Cyrillic are neither capital nor small. A word in
/// capitals has two of them in a row, and no small letter.
struct TextMakeup {
  std::int32_t bytes = 0;  // without white space
  std::int32_t words = 0;
  std::int32_t capitals = 0;
  std::int32_t small_letters = 0;
  std::int32_t words_in_capitals = 0;
  Ending ending = other_ending;
};

/// Writes for each text what it is made of, and the union of its signs' groups, a bit each. `groups[i]` are
/// those of the code points from `begins[i]` up to `begins[i + 1]` (the last: to the end); `begins` rises
/// from 0. A byte that is no UTF-8 has none, nor has what is behind it.
void scan_texts(const TextSpans& texts, std::span<const std::uint32_t> begins,
                std::span<const std::uint64_t> groups, int threads, std::span<std::uint64_t> found,
                std::span<TextMakeup> makeups);

/// Writes for each text the union of the groups of those parts that stand in it, as far as they are wanted of
/// it. Capitals of ASCII count as small letters; parts have no capitals and are not empty.
void find_parts(const TextSpans& texts, const TextSpans& parts, std::span<const std::uint64_t> groups,
                std::span<const std::uint64_t> wanted, int threads, std::span<std::uint64_t> found);

/// What an output is to its source, a bit each.
enum PairBits : std::uint8_t {
  other_begin = 1,
  other_end = 2,
  more_before = 4,
  more_behind = 8,
  joined_mark = 16,
  joined_clitic = 32,
  parted_mark = 64,
  lost_words = 128
};

inline constexpr std::size_t letters_of_lost_words = 10;

/// Compares each source with its output.
///
/// White space apart, the first and the last `width` bytes are other bytes where they differ or a text is
/// shorter. There is more where the source's stand within the first (the last) `farthest` bytes of the
/// output, but not at its end.
///
/// What both begin and end with, white space apart, may be cut otherwise: a mark (a sign that is no letter)
/// is joined where the source has white space before or behind it and the output has not, and parted in the
/// reverse case. Clitics are n't, and those that begin with an apostrophe. Words are lost where the output is
/// its source without so many letters in a row.
void compare_texts(const TextSpans& sources, const TextSpans& outputs, std::size_t width,
                   std::size_t farthest, int threads, std::span<std::uint8_t> found);

}  // namespace recte
