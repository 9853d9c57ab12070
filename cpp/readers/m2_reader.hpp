// M2 files from bytes to columns: blocks are found in order, then parsed on several threads.
#pragma once

#include <optional>
#include <string>

#include "readers/interning.hpp"

namespace recte {

/// What is wrong with a file, in numbers and the text to show; the message is written in Python.
enum class M2Fault : int {
  none = 0,
  not_utf8 = 1,         // `text` is the whole line
  no_sentence = 2,      // the file has none
  empty_block = 3,      // lines of white space that no empty line parts
  second_source = 4,    // a second S line
  expected_source = 5,  // something before the S line
  unknown_line = 6,
  fields = 7,   // `count` fields instead of six
  offsets = 8,  // `text` is not two numbers
  no_annotator = 9,
  reversed = 10,      // `text` is "START END"
  past_the_end = 11,  // `text` is "START END", `count` the tokens
  too_long = 12,      // a sentence with its edits has more than `longest_block` bytes
  four_bars = 13,     // between two fields
  noop_with_edit = 14,
};

/// A compressed file may hide a sentence whose edits fill the memory; a real one has some thousand bytes.
constexpr std::int64_t longest_block = std::int64_t{1} << 24;

struct M2Error {
  M2Fault fault = M2Fault::none;
  std::int64_t line = 0, count = 0;
  std::string text;
};

/// Spans of a chunk's bytes.
struct Spans {
  std::vector<std::int64_t> begins, ends;

  void add(std::int64_t begin, std::int64_t end) {
    begins.push_back(begin);
    ends.push_back(end);
  }
};

/// Sentences with their edits, laid out flat: sentence, annotation (in the order of their first lines), edit,
/// correction.
struct M2Columns {
  std::string bytes;
  std::vector<std::int64_t> blocks{0};  // where each sentence's lines begin
  Spans texts;
  std::vector<std::uint8_t> dropped;  // by sentence: an edit was left out, so its lines say something else
  std::vector<std::int64_t> annotation_offsets{0};
  Spans annotators;                           // by annotation
  std::vector<std::uint8_t> implied;          // by annotation: the file had no line for any annotator
  std::vector<std::uint8_t> not_annotatable;  // by annotation: its line has the type NA
  std::vector<std::int64_t> edit_offsets{0};
  std::vector<std::int32_t> starts, ends;  // by edit
  std::vector<std::uint8_t> required;
  std::vector<std::int64_t> lines;
  Spans types, comments;
  std::vector<std::int64_t> correction_offsets{0};
  Spans corrections;
};

class M2Stream {
 public:
  explicit M2Stream(bool lenient) : lenient_(lenient) {}

  /// More bytes of the file.
  void feed(std::string_view bytes);
  /// There are no more.
  void finish();
  /// How many sentences can be taken.
  std::size_t ready() const { return blocks_.size(); }
  /// Whether nothing behind the ready sentences can be read.
  const M2Error& failure() const { return failure_; }
  /// The next sentences, `most` at most; or what is wrong with the first that is wrong, after those before
  /// it.
  M2Columns take(std::size_t most, int threads, M2Error& error);

 private:
  struct Block {
    std::int64_t begin, end, first_line;
  };
  void scan(bool last);
  void close(std::int64_t end);

  bool lenient_;
  std::string pending_;
  std::vector<Block> blocks_;
  std::int64_t scanned_ = 0, block_begin_ = 0;  // places in `pending_`
  std::int64_t line_ = 0, block_line_ = 1;
  std::int64_t sentences_ = 0;
  bool started_ = false, ended_ = false;  // the block has text; an empty line came after it
  M2Error failure_;
};

}  // namespace recte
