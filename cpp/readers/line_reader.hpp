// Lines of a text file from bytes: where each begins and ends, without its end.
#pragma once

#include "readers/m2_reader.hpp"

namespace recte {

struct LineColumns {
  std::string bytes;
  Spans lines;
};

class LineStream {
 public:
  void feed(std::string_view bytes);
  void finish();
  std::size_t ready() const { return lines_.begins.size() - taken_; }
  /// The line that is no UTF-8 and its number, or line 0.
  const M2Error& failure() const { return failure_; }
  LineColumns take(std::size_t most);

 private:
  void scan(bool last);
  void let_go();

  std::string pending_;
  Spans lines_;                            // places in `pending_`
  std::size_t taken_ = 0;                  // of `lines_`
  std::size_t scanned_ = 0, dropped_ = 0;  // places in `pending_`
  std::int64_t number_ = 0;
  M2Error failure_;
};

}  // namespace recte
