#include "edits/lattice.hpp"

#include <algorithm>
#include <cstdlib>

namespace recte {
namespace {

constexpr std::uint16_t unreachable = 0x7fff;
constexpr int max_tokens_together = 0x7ff0;     // distances stay below `unreachable`
constexpr std::int64_t max_cells = 24'000'000;  // 120 MB at five bytes each

// One byte a cell: bits 0 and 1 say which tables reach it, then two bits for each Move that leaves it.
constexpr std::uint8_t reached = 0b11;
constexpr int shift_of(Move move) { return 2 + 2 * move; }

/// How many of `shared` words at one end every minimal path keeps one by one, if none strays further than
/// `farthest` from the diagonal. A path that strays among them has paid for each word by which it is off, and
/// must find every other word again, at most as far away: it cannot have left before that ends.
template <class Word>
int kept_alone(int shared, int farthest, Word word) {
  int paid = 0;
  while (shared > 0) {
    bool again = false;
    for (int off = 1; off <= std::min(farthest, shared - 1) && !again; ++off)
      again = word(shared - 1) == word(shared - 1 - off);
    if (!again && paid++ == farthest) break;
    --shared;
  }
  return shared;
}

}  // namespace

bool Lattice::build(Tokens source, Tokens hypothesis, Tables tables, std::int64_t max_vertices) {
  if (static_cast<std::int64_t>(source.size()) + static_cast<std::int64_t>(hypothesis.size()) >
      max_tokens_together)
    return false;
  // A path that leaves the diagonals by more than `slack` costs at least |n - m| + 2 (slack + 1) in
  // either table: widen until the best path is cheaper than that, and no minimal path is cut off.
  const int n = static_cast<int>(source.size()), m = static_cast<int>(hypothesis.size());
  // Words that both begin or end with cost nothing, so no minimal path strays further than what is between.
  int begin = 0, end = 0;
  const int widest = std::min(n, m);
  while (begin < widest && source[begin] == hypothesis[begin]) ++begin;
  while (end < widest - begin && source[n - 1 - end] == hypothesis[m - 1 - end]) ++end;
  Tokens inner_source, inner_hypothesis;
  for (int slack = std::clamp(widest - begin - end, std::min(1, widest), std::min(2, widest));;
       slack = std::min(2 * slack, widest)) {
    const int farthest = std::abs(n - m) + slack;
    if (static_cast<std::int64_t>(n + 1) * (farthest + slack + 3) > max_cells) return false;
    before_ = kept_alone(begin, farthest, [&](int k) { return source[k]; });
    behind_ = kept_alone(end, farthest, [&](int k) { return source[n - 1 - k]; });
    inner_source = source.subspan(before_, n - before_ - behind_);
    inner_hypothesis = hypothesis.subspan(before_, m - before_ - behind_);
    fill_tables(inner_source, inner_hypothesis, slack);
    if (slack == widest || split_[cell(n - before_ - behind_, m - n)] < std::abs(n - m) + 2 * (slack + 1))
      break;
  }
  mark_minimal_edges(inner_source, inner_hypothesis, tables);
  return collect_vertices(inner_source, inner_hypothesis, tables, max_vertices);
}

void Lattice::fill_tables(Tokens source, Tokens hypothesis, int slack) {
  const int n = static_cast<int>(source.size()), m = static_cast<int>(hypothesis.size());
  lowest_ = std::min(0, m - n) - slack;
  highest_ = std::max(0, m - n) + slack;
  stride_ = highest_ - lowest_ + 3;
  const std::int64_t cells = static_cast<std::int64_t>(n + 1) * stride_;
  unit_.assign(cells, unreachable);
  split_.assign(cells, unreachable);
  for (int d = 0; d <= std::min(highest_, m); ++d)  // insertions alone
    unit_[cell(0, d)] = split_[cell(0, d)] = static_cast<std::uint16_t>(d);
  for (int i = 1; i <= n; ++i) {
    const int first = std::max(lowest_, -i), last = std::min(highest_, m - i);
    std::uint16_t* unit = unit_.data() + cell(i, first);
    std::uint16_t* split = split_.data() + cell(i, first);
    const std::uint16_t* unit_above = unit - stride_;  // same diagonal, one source token less
    const std::uint16_t* split_above = split - stride_;
    int unit_left = unreachable, split_left = unreachable;
    const Token word = source[i - 1];
    for (int d = first; d <= last; ++d, ++unit, ++split, ++unit_above, ++split_above) {
      unit_left = std::min(unit_left, int{unit_above[1]}) + 1;
      split_left = std::min(split_left, int{split_above[1]}) + 1;
      if (i + d > 0) {
        const int changed = word != hypothesis[i + d - 1];
        unit_left = std::min(unit_left, *unit_above + changed);
        split_left = std::min(split_left, *split_above + 2 * changed);
      }
      *unit = static_cast<std::uint16_t>(unit_left);
      *split = static_cast<std::uint16_t>(split_left);
    }
  }
}

void Lattice::mark_minimal_edges(Tokens source, Tokens hypothesis, Tables tables) {
  const int n = static_cast<int>(source.size()), m = static_cast<int>(hypothesis.size());
  marks_.assign(static_cast<std::size_t>(n + 1) * stride_, 0);
  marks_[cell(n, m - n)] = tables == Tables::both ? 0b11 : 0b01;
  for (int i = n; i >= 0; --i) {
    for (int d = std::min(highest_, m - i); d >= std::max(lowest_, -i); --d) {
      const std::size_t here = cell(i, d);
      const std::uint8_t tables_here = marks_[here] & reached;
      if (!tables_here) continue;
      const auto follow = [&](std::size_t from, Move move, int unit_cost, int split_cost) {
        std::uint8_t minimal = 0;
        if (unit_[from] + unit_cost == unit_[here]) minimal |= 0b01;
        if (split_[from] + split_cost == split_[here]) minimal |= 0b10;
        minimal &= tables_here;
        marks_[from] |= static_cast<std::uint8_t>(minimal | minimal << shift_of(move));
      };
      if (i + d > 0) follow(here - 1, insertion, 1, 1);
      if (i > 0) {
        const std::size_t above = here - stride_;
        follow(above + 1, deletion, 1, 1);
        if (i + d > 0) {
          const bool equal = source[i - 1] == hypothesis[i + d - 1];
          follow(above, diagonal, equal ? 0 : 1, equal ? 0 : 2);
        }
      }
    }
  }
}

bool Lattice::collect_vertices(Tokens source, Tokens hypothesis, Tables tables, std::int64_t max_vertices) {
  const int n = static_cast<int>(source.size()), m = static_cast<int>(hypothesis.size());
  const std::uint8_t all_tables = tables == Tables::both ? 2 : 1;
  vertices_.clear();
  rows_.assign(before_ + n + behind_ + 2, 0);
  atomic_edges_ = static_cast<std::int64_t>(before_ + behind_) * all_tables;
  if (before_ > max_vertices) return false;
  for (int i = 0; i < before_; ++i) {
    rows_[i] = i;
    vertices_.push_back({i, i, {-1, -1, i + 1}, {0, 0, all_tables}, true});
  }
  std::int32_t* const rows = rows_.data() + before_;
  for (int i = 0; i <= n; ++i) {
    rows[i] = size();
    for (int d = std::max(lowest_, -i); d <= std::min(highest_, m - i); ++d) {
      const std::uint8_t mark = marks_[cell(i, d)];
      if (!(mark & reached)) continue;
      Vertex vertex{before_ + i, before_ + i + d, {-1, -1, -1}, {}, false};
      for (Move move : {insertion, deletion, diagonal}) {
        const int found = mark >> shift_of(move) & 0b11;
        vertex.copies[move] = static_cast<std::uint8_t>((found & 1) + (found >> 1));
        atomic_edges_ += vertex.copies[move];
      }
      vertex.unchanged = vertex.copies[diagonal] && source[i] == hypothesis[i + d];
      vertices_.push_back(vertex);
    }
    if (size() > max_vertices) return false;
  }
  rows[n + 1] = size();
  for (int i = 0; i <= n; ++i) {
    int below = i < n ? rows[i + 1] : size();
    for (int v = rows[i]; v < rows[i + 1]; ++v) {
      Vertex& vertex = vertices_[v];
      if (vertex.copies[insertion]) vertex.to[insertion] = v + 1;
      if (i == n) continue;
      while (below < rows[i + 2] && vertices_[below].hypothesis < vertex.hypothesis) ++below;
      if (vertex.copies[deletion]) vertex.to[deletion] = below;
      if (vertex.copies[diagonal])
        vertex.to[diagonal] = below + (vertices_[below].hypothesis == vertex.hypothesis);
    }
  }
  for (int k = 1; k <= behind_; ++k) {
    Vertex& last = vertices_.back();
    last.to[diagonal] = size();
    last.copies[diagonal] = all_tables;
    last.unchanged = true;
    vertices_.push_back({before_ + n + k, before_ + m + k, {-1, -1, -1}, {}, false});
    rows[n + k + 1] = size();
  }
  return size() <= max_vertices;
}

int Lattice::find(int source, int hypothesis) const {
  int low = rows_[source], high = rows_[source + 1];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (vertices_[middle].hypothesis < hypothesis)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rows_[source + 1] && vertices_[low].hypothesis == hypothesis ? low : -1;
}

}  // namespace recte
