// One block of an M2 file: a source line, its edits, comments.
#pragma once

#include "readers/m2_reader.hpp"

namespace recte {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Adds blocks to columns one by one, until one is wrong.
class M2BlockParser {
 public:
  M2BlockParser(std::string_view bytes, bool lenient, M2Columns& columns, M2Error& error)
      : bytes_(bytes), lenient_(lenient), columns_(columns), error_(error) {}

  /// False where the block is wrong; the error is set, and the columns end before it.
  bool parse(std::int64_t begin, std::int64_t end, std::int64_t first_line);

 private:
  struct Edit {
    std::size_t annotator;  // in `annotators_`
    std::string_view type, correction, comment;
    std::int32_t start, end;
    bool required;
    std::int64_t line;
  };

  bool parse_line(std::string_view line, std::int64_t number);
  bool parse_edit(std::string_view line, std::int64_t number);
  void emit();
  bool fail(M2Fault fault, std::int64_t line, std::string_view text = {}, std::int64_t count = 0);
  void add(Spans& spans, std::string_view text);

  std::string_view bytes_;
  bool lenient_;
  M2Columns& columns_;
  M2Error& error_;
  // Of the block at hand:
  bool has_text_ = false, dropped_ = false;
  std::string_view text_;
  std::int64_t tokens_ = 0;
  std::vector<std::string_view> annotators_;
  std::vector<bool> not_annotatable_;  // by annotator
  std::vector<Edit> edits_;
};

}  // namespace recte
