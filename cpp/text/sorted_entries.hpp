// A sorted list of entries in one text, searched as it stands: a table of it would take longer to build than
// a corpus takes to look up.
#pragma once

#include <optional>
#include <string_view>

namespace recte {

/// Entries between separators, in the order of their bytes. An entry is a key and what stands behind the
/// first space after it.
class SortedEntries {
 public:
  SortedEntries(std::string_view text, char separator) : text_(text), separator_(separator) {}

  /// What stands behind the key, which may be nothing; of entries with the same key the last one's.
  std::optional<std::string_view> find(std::string_view key) const;

 private:
  std::string_view text_;
  char separator_;
};

}  // namespace recte
