// Edits of many versions of sentences (a hypothesis, a reference), each version's end to end.
#pragma once

#include "text/tokens.hpp"

namespace recte {

struct EditTable {
  std::span<const std::int64_t> offsets;  // where each version's edits begin
  std::span<const std::int32_t> starts, ends;
  Sentences corrections;

  std::size_t size() const { return offsets.size() - 1; }
};

struct SpanEdit {
  std::int32_t start, end;
  Tokens correction;
  std::int32_t number;  // its place in the version, as given
};

/// A version's edits by their place in the sentence; insertions at one place stay in the order given.
inline void sorted_edits(const EditTable& table, std::size_t version, std::vector<SpanEdit>& edits) {
  edits.clear();
  const std::int64_t first = table.offsets[version], last = table.offsets[version + 1];
  for (std::int64_t e = first; e < last; ++e)
    edits.push_back({table.starts[e], table.ends[e], table.corrections[static_cast<std::size_t>(e)],
                     static_cast<std::int32_t>(e - first)});
  std::ranges::stable_sort(edits, [](const SpanEdit& a, const SpanEdit& b) {
    return a.start != b.start ? a.start < b.start : a.end < b.end;
  });
}

}  // namespace recte
