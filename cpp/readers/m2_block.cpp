#include "readers/m2_block.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "text/utf8.hpp"

namespace recte {
namespace {

constexpr std::string_view deletion = "-NONE-", noop = "noop", not_annotatable = "NA";
constexpr std::size_t most_digits = 4300;  // Python refuses longer numbers

/// A whole number as Python's int() takes it: a sign, digits, single underscores between them. `digits` has
/// no leading zeros, so that numbers too large for a word can be shown and compared.
struct Number {
  bool negative = false;
  std::string digits;

  bool too_large() const { return digits.size() > 18; }
  std::int64_t value() const {
    if (too_large()) return std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    for (const char c : digits) sum = 10 * sum + (c - '0');
    return sum;
  }
  bool above(const Number& other) const {
    if (digits.size() != other.digits.size()) return digits.size() > other.digits.size();
    return digits > other.digits;
  }
};

bool read_number(std::string_view text, Number& number) {
  number = {};
  std::size_t at = 0, read = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) number.negative = text[at++] == '-';
  bool after_digit = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      ++read;
      if (c != '0' || !number.digits.empty()) number.digits.push_back(c);
      after_digit = true;
    } else if (c == '_' && after_digit) {
      after_digit = false;
    } else {
      return false;
    }
  }
  if (number.digits.empty()) number.digits = "0";
  if (number.digits == "0") number.negative = false;
  return after_digit && read <= most_digits;
}

/// Two offsets as nearly all files write them: digits, a space, digits.
bool read_plain_offsets(std::string_view text, std::array<std::int32_t, 2>& offsets) {
  std::size_t at = 0;
  for (std::int32_t& offset : offsets) {
    const std::size_t begin = at;
    offset = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && at < begin + 9; ++at)
      offset = 10 * offset + (text[at] - '0');
    if (at == begin || (begin == 0 && (at == text.size() || text[at++] != ' '))) return false;
  }
  return at == text.size();
}

/// Pieces between separators, as `str.split` with one cuts them.
template <class Visit>
void for_each_piece(std::string_view text, std::string_view separator, Visit visit) {
  for (;;) {
    const std::size_t at = text.find(separator);
    visit(text.substr(0, at));
    if (at == std::string_view::npos) return;
    text.remove_prefix(at + separator.size());
  }
}

/// Whether a bar too many stands between two fields: four in a row that touch text on both sides. Where a bar
/// is a word of the correction, a space stands next to it.
bool has_four_bars(std::string_view line) {
  for (std::size_t at = line.find("||||"); at != std::string_view::npos; at = line.find("||||", at)) {
    const std::size_t end = std::min(line.find_first_not_of('|', at), line.size());
    if (end - at == 4 && at > 0 && line[at - 1] != ' ' && end < line.size() && line[end] != ' ') return true;
    at = end;
  }
  return false;
}

}  // namespace

bool M2BlockParser::fail(M2Fault fault, std::int64_t line, std::string_view text, std::int64_t count) {
  error_ = {fault, line, count, std::string(text)};
  return false;
}

void M2BlockParser::add(Spans& spans, std::string_view text) {
  const std::int64_t begin = text.empty() ? 0 : text.data() - bytes_.data();
  spans.add(begin, begin + static_cast<std::int64_t>(text.size()));
}

bool M2BlockParser::parse(std::int64_t begin, std::int64_t end, std::int64_t first_line) {
  has_text_ = dropped_ = false;
  annotators_.clear();
  not_annotatable_.clear();
  edits_.clear();
  std::int64_t number = first_line;
  for (std::int64_t at = begin; at < end; ++number) {
    const std::size_t found = bytes_.find('\n', static_cast<std::size_t>(at));
    const std::int64_t stop =
        std::min(end, found == std::string_view::npos ? end : static_cast<std::int64_t>(found));
    std::string_view line = bytes_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(stop - at));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    if (!parse_line(line, number)) return false;
    at = stop + 1;
  }
  if (!has_text_) return fail(M2Fault::empty_block, first_line);
  emit();
  return true;
}

bool M2BlockParser::parse_line(std::string_view line, std::int64_t number) {
  if (is_blank(line) || line.starts_with("# recte edits: ")) return true;
  if (line.starts_with("S ") || line == "S") {
    if (has_text_) return fail(M2Fault::second_source, number);
    has_text_ = true;
    text_ = line.substr(std::min<std::size_t>(2, line.size()));
    tokens_ = count_words(text_);
    return true;
  }
  if (!has_text_) return fail(M2Fault::expected_source, number, line);
  if (line.starts_with("A ")) return parse_edit(line, number);
  if (line.size() > 1 && line[0] == 'T' && line[1] >= '0' && line[1] <= '9') return true;  // ChERRANT's
  if (lenient_ && (line.starts_with("I ") || line.starts_with('T'))) return true;
  return fail(M2Fault::unknown_line, number, line);
}

bool M2BlockParser::parse_edit(std::string_view line, std::int64_t number) {
  std::array<std::string_view, 6> fields;
  std::size_t count = 0;
  bool more_bars = false;  // than three in a row: the next field begins with those left over
  for_each_piece(line.substr(2), "|||", [&](std::string_view field) {
    more_bars = more_bars || (count > 0 && field.starts_with('|'));
    if (count < fields.size()) fields[count] = field;
    ++count;
  });
  if (more_bars && has_four_bars(line)) return fail(M2Fault::four_bars, number, line);
  if (count != fields.size()) return fail(M2Fault::fields, number, line, static_cast<std::int64_t>(count));
  const std::string_view annotator = stripped(fields[5]);
  std::array<std::int32_t, 2> plain{};
  std::array<Number, 2> offsets;
  const bool is_plain = read_plain_offsets(fields[0], plain);
  if (!is_plain) {
    std::size_t words = 0;
    bool numbers = true;
    for_each_word(fields[0], [&](std::string_view word) {
      numbers = numbers && words < 2 && read_number(word, offsets[words]);
      ++words;
    });
    if (!numbers || words != 2) return fail(M2Fault::offsets, number, fields[0]);
  }
  if (annotator.empty()) return fail(M2Fault::no_annotator, number);
  auto known = std::ranges::find(annotators_, annotator);
  const auto place = static_cast<std::size_t>(known - annotators_.begin());
  if (known == annotators_.end()) {
    annotators_.push_back(annotator);
    not_annotatable_.push_back(false);
  }
  if (fields[1] == noop) {
    const bool changes =
        (is_plain && plain[0] < plain[1]) || !(stripped(fields[2]).empty() || fields[2] == deletion);
    if (!changes || !(is_plain || !offsets[0].negative)) return true;
    if (!lenient_) return fail(M2Fault::noop_with_edit, number, line);
    dropped_ = true;
    return true;
  }
  if (!is_plain || plain[0] > plain[1] || plain[1] > tokens_) {  // something may be wrong: look closely
    if (is_plain)
      for (std::size_t k = 0; k < 2; ++k) offsets[k].digits = std::to_string(plain[k]);
    const auto& [start, end] = offsets;
    if (start.negative) {
      if (fields[1] == not_annotatable) not_annotatable_[place] = true;
      return true;
    }
    const auto both = [&] { return start.digits + " " + (end.negative ? "-" : "") + end.digits; };
    if (end.negative || start.above(end)) return fail(M2Fault::reversed, number, both());
    if (end.value() > tokens_) {
      if (!lenient_) return fail(M2Fault::past_the_end, number, both(), tokens_);
      dropped_ = true;
      return true;
    }
    plain = {static_cast<std::int32_t>(start.value()), static_cast<std::int32_t>(end.value())};
  }
  edits_.push_back({place, fields[1], fields[2], fields[4] == deletion ? std::string_view() : fields[4],
                    plain[0], plain[1], stripped(fields[3]) == "REQUIRED", number});
  return true;
}

void M2BlockParser::emit() {
  add(columns_.texts, text_);
  columns_.dropped.push_back(dropped_);
  for (std::size_t a = 0; a < annotators_.size(); ++a) {  // in the order of their first lines
    add(columns_.annotators, annotators_[a]);
    columns_.implied.push_back(false);
    columns_.not_annotatable.push_back(not_annotatable_[a]);
    for (const Edit& edit : edits_) {
      if (edit.annotator != a) continue;
      columns_.starts.push_back(edit.start);
      columns_.ends.push_back(edit.end);
      columns_.required.push_back(edit.required);
      columns_.lines.push_back(edit.line);
      add(columns_.types, edit.type);
      add(columns_.comments, edit.comment);
      for_each_piece(edit.correction, "||", [&](std::string_view one) {
        one = stripped(one);
        add(columns_.corrections, one == deletion ? std::string_view() : one);
      });
      columns_.correction_offsets.push_back(static_cast<std::int64_t>(columns_.corrections.begins.size()));
    }
    columns_.edit_offsets.push_back(static_cast<std::int64_t>(columns_.starts.size()));
  }
  if (annotators_.empty()) {
    add(columns_.annotators, {});
    columns_.implied.push_back(true);
    columns_.not_annotatable.push_back(false);
    columns_.edit_offsets.push_back(static_cast<std::int64_t>(columns_.starts.size()));
  }
  columns_.annotation_offsets.push_back(static_cast<std::int64_t>(columns_.implied.size()));
}

}  // namespace recte
