// Where raw outputs are cut into tokens, so that what they share with their sources has the sources' tokens.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "readers/interning.hpp"

namespace recte {

/// What is known of the place before a byte of an output.
enum class Cut : std::uint8_t {
  no = 0,     // within a token, or within a letter
  yes = 1,    // a token begins here
  open = 2,   // the rule of the language decides
  blank = 3,  // the byte is white space
};

struct OpenPieces {
  std::vector<std::int64_t> begins, ends;
};

/// More words of 64 bits than this are refused: a quarter of a gigabyte for each thread.
inline constexpr std::size_t most_alignment_words = std::size_t{1} << 25;

/// Letters and digits of scripts that are written with blanks between words: those of ASCII, and `letters`,
/// code points in rising order.
///
/// The characters of an output are aligned with those of its source, white space left out: a common
/// beginning, a common end, and between them a longest common subsequence. White space in the output is a
/// cut. Between neighbours that are neighbours in the source, too, the source decides. Its cut is taken;
/// where it parts two letters, only before a contraction (`n't`: up to three characters, not letters alone)
/// and if the output has both tokens as a whole: else it may have joined two words, and the place is open.
/// Within a token of the source that stands in the output as a whole there is no cut. A mark that ends both
/// texts stands alone if it does so in the source. All else is open.
///
/// The pieces are those between white space with an open place in them, by where they begin and end in the
/// buffer. `cuts` holds one cut for each byte of the outputs' buffer. `too_long` holds one flag for each
/// text: it could not be aligned, and its cuts say nothing.
OpenPieces cut_outputs(const TextSpans& sources, const TextSpans& outputs,
                       std::span<const std::uint32_t> letters, int threads, std::span<Cut> cuts,
                       std::span<std::uint8_t> too_long);

/// The outputs without their white space, a blank before each cut but the first of a text; `offsets` says
/// where each begins and ends.
std::vector<std::uint8_t> join_cuts(const TextSpans& outputs, std::span<const Cut> cuts,
                                    std::vector<std::int64_t>& offsets);

}  // namespace recte
