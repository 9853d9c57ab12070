#include "readers/m2_writer.hpp"

#include <array>
#include <charconv>

#include "support/interrupt.hpp"

namespace recte {

std::optional<std::string> format_lines(const EditLines& edits) {
  std::string lines;
  // Rather more than they take: a text that grows would be in memory twice.
  std::size_t size = edits.starts.size() * (edits.without_edits.size() + 64);
  for (std::size_t text = 0; text < edits.texts.size(); ++text) size += edits.texts[text].size() + 64;
  lines.reserve(size);
  const auto add_number = [&](std::int32_t number) {
    std::array<char, 12> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    lines.append(digits.data(), written.ptr);
  };
  for (std::size_t sentence = 0; sentence < edits.texts.size(); ++sentence) {
    poll();
    const std::string_view text = edits.texts[sentence];
    if (text.find('\n') != std::string_view::npos) return {};
    lines.append("S ").append(text).append("\n");
    for (auto a = edits.annotation_offsets[sentence]; a < edits.annotation_offsets[sentence + 1]; ++a) {
      const std::string_view ending = edits.endings[static_cast<std::size_t>(edits.annotators[a])];
      const auto first = edits.edit_offsets[a], last = edits.edit_offsets[a + 1];
      if (first == last) lines.append(edits.without_edits).append(ending);
      for (auto edit = first; edit < last; ++edit) {
        lines.append("A ");
        add_number(edits.starts[edit]);
        lines.append(" ");
        add_number(edits.ends[edit]);
        lines.append("|||").append(edits.types[edit]).append("|||");
        lines.append(edits.corrections[edit]).append(ending);
      }
    }
    lines.append("\n");
  }
  return lines;
}

}  // namespace recte
