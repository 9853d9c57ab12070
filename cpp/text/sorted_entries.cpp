#include "text/sorted_entries.hpp"

#include <algorithm>

namespace recte {

std::optional<std::string_view> SortedEntries::find(std::string_view key) const {
  std::optional<std::string_view> found;
  std::size_t low = 0,
              high = text_.size();  // the last entry up to the key, if there is one more, begins here
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    std::size_t begin = middle;
    while (begin > low && text_[begin - 1] != separator_) --begin;
    const std::size_t end = std::min(text_.find(separator_, middle), text_.size());
    const std::string_view entry = text_.substr(begin, end - begin),
                           name = entry.substr(0, std::min(entry.find(' '), entry.size()));
    if (name > key) {
      high = begin;
      continue;
    }
    if (name == key) found = entry.substr(std::min(name.size() + 1, entry.size()));
    low = std::min(end + 1, text_.size());
  }
  return found;
}

}  // namespace recte
