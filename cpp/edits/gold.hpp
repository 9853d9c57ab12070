// Gold annotations of many sentences, laid out flat: sentence, annotation, edit, correction, token.
#pragma once

#include "text/tokens.hpp"

namespace recte {

/// One annotator's edits of one sentence, in file order: a view, cheap to copy.
class Annotation;

struct GoldTable {
  std::span<const std::int64_t> annotation_offsets;  // by sentence
  std::span<const std::int32_t> annotator_columns;   // by annotation
  std::span<const std::int64_t> edit_offsets;        // by annotation
  std::span<const std::int32_t> starts, ends;        // by edit
  std::span<const std::uint8_t> optional;            // by edit
  std::span<const std::int64_t> correction_offsets;  // by edit
  std::span<const std::int64_t> token_offsets;       // by correction
  Tokens tokens;

  Annotation annotation(std::size_t index) const;
};

class Annotation {
 public:
  Annotation(const GoldTable& table, std::size_t index)
      : table_(&table),
        first_(table.edit_offsets[index]),
        size_(static_cast<int>(table.edit_offsets[index + 1] - first_)) {}

  int size() const { return size_; }
  int start(int edit) const { return table_->starts[first_ + edit]; }
  int end(int edit) const { return table_->ends[first_ + edit]; }
  bool is_insertion(int edit) const { return start(edit) == end(edit); }
  bool optional(int edit) const { return table_->optional[first_ + edit]; }

  template <class Visit>
  void for_each_correction(int edit, Visit visit) const {
    for (auto c = table_->correction_offsets[first_ + edit];
         c < table_->correction_offsets[first_ + edit + 1]; ++c)
      visit(table_->tokens.subspan(table_->token_offsets[c],
                                   table_->token_offsets[c + 1] - table_->token_offsets[c]));
  }

  template <class Test>
  bool any_correction(int edit, Test test) const {
    bool found = false;
    for_each_correction(edit, [&](Tokens correction) { found = found || test(correction); });
    return found;
  }

  /// Whether the text is among the corrections of the edit.
  bool accepts(int edit, Tokens text) const {
    return any_correction(edit, [&](Tokens correction) { return same(correction, text); });
  }

 private:
  const GoldTable* table_;
  std::int64_t first_;
  int size_;
};

inline Annotation GoldTable::annotation(std::size_t index) const { return {*this, index}; }

}  // namespace recte
