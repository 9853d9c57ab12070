#include "readers/m2_survey.hpp"

#include <algorithm>

#include "readers/m2_block.hpp"
#include "text/utf8.hpp"

namespace recte {

void M2Survey::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      pending_.append(bytes);
      return;
    }
    if (pending_.empty()) {
      look(bytes.substr(0, end));
    } else {
      pending_.append(bytes.substr(0, end));
      look(pending_);
      pending_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void M2Survey::finish() {
  if (!pending_.empty()) look(pending_);
  pending_.clear();
  close();
}

void M2Survey::look(std::string_view line) {
  ++lines_;
  if (lines_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (line.starts_with('S')) {
    close();
    ++sentences_;
    annotated_ = false;
  } else if (line.starts_with("A ")) {
    annotated_ = true;
    const std::size_t bars = line.rfind("|||");
    meet(stripped(line.substr(bars == std::string_view::npos ? line.size() : bars + 3)));
  }
}

void M2Survey::meet(std::string_view annotator) {
  if (std::ranges::find(annotators_, annotator) == annotators_.end()) annotators_.emplace_back(annotator);
}

void M2Survey::close() {
  if (!annotated_) meet({});
  annotated_ = true;
}

}  // namespace recte
