#include "readers/line_reader.hpp"

#include <cstring>

#include "readers/m2_block.hpp"
#include "text/utf8.hpp"

namespace recte {

void LineStream::feed(std::string_view bytes) {
  if (failure_.line) return;
  pending_.append(bytes);
  scan(false);
}

void LineStream::finish() {
  if (!failure_.line) scan(true);
}

void LineStream::scan(bool last) {
  while (scanned_ < pending_.size()) {
    const void* found = std::memchr(pending_.data() + scanned_, '\n', pending_.size() - scanned_);
    if (!found && !last) return;
    const std::size_t end =
        found ? static_cast<std::size_t>(static_cast<const char*>(found) - pending_.data()) : pending_.size();
    std::string_view line(pending_.data() + scanned_, end - scanned_);
    ++number_;
    if (valid_utf8_prefix(line) < line.size()) {
      failure_ = {M2Fault::not_utf8, number_, 0, std::string(line)};
      return;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    const std::int64_t begin = line.data() - pending_.data();
    lines_.add(begin, begin + static_cast<std::int64_t>(line.size()));
    scanned_ = end + (found ? 1 : 0);
  }
}

/// What was taken leaves the memory once it is half of all: seldom enough to cost little, soon enough to
/// bound it.
void LineStream::let_go() {
  pending_.erase(0, dropped_);
  const auto shift = static_cast<std::int64_t>(dropped_);
  for (auto* places : {&lines_.begins, &lines_.ends}) {
    places->erase(places->begin(), places->begin() + static_cast<std::ptrdiff_t>(taken_));
    for (std::int64_t& place : *places) place -= shift;
  }
  scanned_ -= dropped_;
  taken_ = dropped_ = 0;
}

LineColumns LineStream::take(std::size_t most) {
  const std::size_t size = std::min(most, ready());
  LineColumns columns;
  const auto base = static_cast<std::int64_t>(dropped_);
  for (std::size_t k = taken_; k < taken_ + size; ++k)
    columns.lines.add(lines_.begins[k] - base, lines_.ends[k] - base);
  taken_ += size;
  const std::size_t end =
      taken_ < lines_.begins.size() ? static_cast<std::size_t>(lines_.begins[taken_]) : scanned_;
  columns.bytes = pending_.substr(dropped_, end - dropped_);
  dropped_ = end;
  if (2 * taken_ >= lines_.begins.size() && 2 * dropped_ >= pending_.size()) let_go();
  return columns;
}

}  // namespace recte
