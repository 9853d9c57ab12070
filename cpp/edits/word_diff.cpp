#include "edits/edits.hpp"
#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr std::uint64_t max_cells = 1'600'000'000;  // a bit each, 200 MB; two seconds of work

}  // namespace

bool word_diff(Tokens source, Tokens hypothesis, std::vector<Edit>& edits) {
  edits.clear();
  std::size_t prefix = 0;
  while (prefix < source.size() && prefix < hypothesis.size() && source[prefix] == hypothesis[prefix])
    ++prefix;
  std::size_t n = source.size(), m = hypothesis.size();
  while (n > prefix && m > prefix && source[n - 1] == hypothesis[m - 1]) --n, --m;
  n -= prefix;
  m -= prefix;
  const Tokens a = source.subspan(prefix, n), b = hypothesis.subspan(prefix, m);

  // longest[i][j] of the suffixes a[i:], b[j:]; only whether a step skips a source word is kept.
  const std::size_t stride = m + 1;
  if (static_cast<std::uint64_t>(n + 1) * stride > max_cells) return false;
  std::vector<bool> skips_source((n + 1) * stride);
  std::vector<std::int32_t> below(m + 1), here(m + 1);
  for (std::size_t i = n; i-- > 0;) {
    poll();
    here[m] = 0;
    skips_source[i * stride + m] = true;
    for (std::size_t j = m; j-- > 0;) {
      if (a[i] == b[j]) {
        here[j] = below[j + 1] + 1;
      } else {
        const bool skip = below[j] >= here[j + 1];
        here[j] = skip ? below[j] : here[j + 1];
        skips_source[i * stride + j] = skip;
      }
    }
    std::swap(below, here);
  }

  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[i] == b[j]) {
      ++i, ++j;
      continue;
    }
    const std::size_t i0 = i, j0 = j;
    while ((i < n || j < m) && !(i < n && j < m && a[i] == b[j])) {
      if (i < n && (j == m || skips_source[i * stride + j]))
        ++i;
      else
        ++j;
    }
    const auto at = [&](std::size_t index) { return static_cast<std::int32_t>(prefix + index); };
    edits.push_back({at(i0), at(i), at(i0), at(i), at(j0), at(j)});
  }
  return true;
}

}  // namespace recte
