// Sentences with typed edits as the lines of an M2 file.
#pragma once

#include <optional>
#include <string>

#include "readers/interning.hpp"

namespace recte {

/// Sentences and what their annotators corrected, one text for each edit; nothing in them needs escaping.
struct EditLines {
  TextSpans texts;                                   // by sentence
  std::span<const std::int64_t> annotation_offsets;  // where a sentence's annotations begin
  std::span<const std::int32_t> annotators;          // by annotation
  std::span<const std::int64_t> edit_offsets;        // where an annotation's edits begin
  std::span<const std::int32_t> starts, ends;        // by edit
  TextSpans types, corrections;                      // by edit
  TextSpans endings;                                 // what ends the lines of an annotator
  std::string_view without_edits;  // the line of an annotation without edits, up to its ending
};

/// All lines, with an empty one behind each sentence; none where a sentence has several lines.
std::optional<std::string> format_lines(const EditLines& edits);

}  // namespace recte
