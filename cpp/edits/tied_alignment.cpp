#include "edits/tied_alignment.hpp"

#include <array>
#include <limits>

#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr std::int64_t most_walks = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t no_way = -1;

constexpr std::uint8_t bit(Operation operation) { return std::uint8_t(1U << unsigned(operation)); }

/// Spreads a text's number over 64 bits (splitmix64), so that sums of windows tell multisets apart.
std::uint64_t spread(std::int32_t text) {
  std::uint64_t x = std::uint64_t(text) * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

void sum_hashes(Tokens tokens, std::span<const std::int32_t> texts, std::vector<std::uint64_t>& sums) {
  sums.assign(1, 0);
  for (Token token : tokens) sums.push_back(sums.back() + spread(texts[token]));
}

std::int64_t add_walks(std::int64_t a, std::int64_t b) { return a > most_walks - b ? most_walks : a + b; }

}  // namespace

void TiedAligner::fill(Tokens source, Tokens target) {
  columns_ = target.size() + 1;
  cells_.resize((source.size() + 1) * columns_);
  sum_hashes(source, tokens_.texts, source_sums_);
  sum_hashes(target, tokens_.texts, target_sums_);
  cells_[0] = {0, 1, 0, 0};
  changes_.assign(columns_, 0);
  last_match_in_column_.assign(columns_, 0);
  for (std::size_t j = 1; j < columns_; ++j) cells_[j] = {double(j), 1, 0, bit(Operation::insert)};
  for (std::size_t i = 1; i <= source.size(); ++i) {
    poll();
    poll();
    std::swap(changes_, changes_above_);
    last_match_in_row_ = 0;
    changes_.assign(columns_, 0);
    cells_[i * columns_] = {double(i), 1, 0, bit(Operation::remove)};
    for (std::size_t j = 1; j < columns_; ++j) fill_cell(source, target, i, j);
  }
}

void TiedAligner::fill_cell(Tokens source, Tokens target, std::size_t i, std::size_t j) {
  const std::size_t here = i * columns_ + j;
  const Cell &diagonal = cells_[here - columns_ - 1], &above = cells_[here - columns_],
             &left = cells_[here - 1];
  Cell& cell = cells_[here];
  const Token a = source[i - 1], b = target[j - 1];
  if (tokens_.texts[a] == tokens_.texts[b]) {  // the same text is a match, whatever else might be cheaper
    cell = {diagonal.cost, diagonal.walks, 0, bit(Operation::match)};
    last_match_in_row_ = j;
    last_match_in_column_[j] = i;
    return;
  }
  const std::int32_t width = transposition(source, target, i, j);
  constexpr double never = std::numeric_limits<double>::infinity();
  const double inserted = left.cost + 1, removed = above.cost + 1;
  double least = std::min(inserted, removed), transposed = never;
  std::int64_t walks_before = 0;
  if (width > 0) {
    const Cell& start = cells_[here - std::size_t(width) * (columns_ + 1)];
    transposed = start.cost + (width - 1);
    walks_before = start.walks;
    least = std::min(least, transposed);
  }
  // Away from the diagonal a substitution is rarely worth a look at thesaurus and readings.
  const bool can_win = diagonal.cost + costs_.least() <= least;
  const double substituted = can_win ? diagonal.cost + costs_(a, b) : never;
  least = std::min(least, substituted);
  cell = {least, 0, width, 0};
  const auto offer = [&](double cost, std::int64_t walks, Operation operation) {
    if (cost != least) return;
    cell.operations |= bit(operation);
    cell.walks = add_walks(cell.walks, walks);
  };
  offer(transposed, walks_before, Operation::transpose);
  offer(substituted, diagonal.walks, Operation::substitute);
  offer(inserted, left.walks, Operation::insert);
  offer(removed, above.walks, Operation::remove);
  changes_[j] = least != diagonal.cost ? changes_above_[j - 1] + 1 : 0;
}

/// The width of the shortest windows that end here and hold the same texts, 0 where there are none. Wider
/// ones are tried only while the costs before them change along the diagonal.
std::int32_t TiedAligner::transposition(Tokens source, Tokens target, std::size_t i, std::size_t j) const {
  // Windows hold the same texts only if each one's last text stands in the other.
  const std::size_t in_target = last_match_in_row_, in_source = last_match_in_column_[j];
  if (in_target == 0 || in_source == 0) return 0;
  const std::size_t narrowest = std::max({std::size_t{2}, j - in_target + 1, i - in_source + 1});
  const std::size_t widest = std::size_t(changes_above_[j - 1]) + 1;
  const std::uint64_t difference = source_sums_[i] - target_sums_[j];
  for (std::size_t width = narrowest; width <= widest; ++width)
    if (source_sums_[i - width] - target_sums_[j - width] == difference &&
        same_window(source, target, i, j, width))
      return static_cast<std::int32_t>(width);
  return 0;
}

bool TiedAligner::same_window(Tokens source, Tokens target, std::size_t i, std::size_t j,
                              std::size_t width) const {
  window_a_.clear();
  window_b_.clear();
  for (std::size_t k = 1; k <= width; ++k) {
    window_a_.push_back(tokens_.texts[source[i - k]]);
    window_b_.push_back(tokens_.texts[target[j - k]]);
  }
  std::ranges::sort(window_a_);
  std::ranges::sort(window_b_);
  return window_a_ == window_b_;
}

/// The operations that ways back follow from a cell: all of them, or the first alone.
std::uint8_t TiedAligner::followed(std::size_t cell) const {
  const std::uint8_t operations = cells_[cell].operations;
  return first_only_ ? std::uint8_t(operations & -operations) : operations;
}

bool TiedAligner::allows(std::size_t cell, Operation operation) const {
  return (followed(cell) & bit(operation)) != 0;
}

std::size_t TiedAligner::before(std::size_t cell, Operation operation) const {
  switch (operation) {
    case Operation::insert: return cell - 1;
    case Operation::remove: return cell - columns_;
    case Operation::transpose: return cell - std::size_t(cells_[cell].width) * (columns_ + 1);
    default: return cell - columns_ - 1;
  }
}

bool TiedAligner::alternatives(bool first_only, std::size_t limit,
                               std::vector<std::vector<AlignedItem>>& found) {
  first_only_ = first_only;
  stops_.clear();
  links_.clear();
  stop_of_.assign(2 * cells_.size(), -1);
  seen_.assign(cells_.size(), 0);
  const std::int32_t end = stop_at(cells_.size() - 1, false);
  for (std::size_t s = 0; s < stops_.size(); ++s) {
    poll();
    find_exits(static_cast<std::int32_t>(s));
  }
  // Whatever lies before a stop has a smaller cell, so in ascending order all ways are known when they are
  // asked for; at one cell, stops never need each other.
  bool complete = true;
  std::vector<std::int32_t> order(stops_.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = static_cast<std::int32_t>(s);
  std::ranges::sort(order, {}, [&](std::int32_t s) { return stops_[std::size_t(s)].cell; });
  for (std::int32_t s : order) complete = list_ways(stops_[std::size_t(s)], limit) && complete;
  found.clear();
  for (std::int32_t way : stops_[std::size_t(end)].ways) {
    auto& items = found.emplace_back();
    for (; way != no_way; way = links_[std::size_t(way)].before)
      items.push_back(links_[std::size_t(way)].item);
    std::ranges::reverse(items);
  }
  return complete;
}

std::int32_t TiedAligner::stop_at(std::size_t cell, bool after_run) {
  // Where no run can start, it does not matter whether one has just ended.
  const bool only_exits = (followed(cell) & ~(bit(Operation::match) | bit(Operation::transpose))) == 0;
  const bool matters = after_run && !only_exits;
  std::int32_t& stop = stop_of_[2 * cell + matters];
  if (stop < 0) {
    stop = static_cast<std::int32_t>(stops_.size());
    stops_.push_back({cell, matters, {}, {}});
  }
  return stop;
}

void TiedAligner::find_exits(std::int32_t stop) {
  const std::size_t cell = stops_[std::size_t(stop)].cell;
  const auto leave = [&](Operation operation, std::size_t to) {
    const std::int32_t next = stop_at(to, false);
    stops_[std::size_t(stop)].exits.push_back({operation, false, next});
  };
  if (allows(cell, Operation::match)) {
    std::size_t first = cell;
    while (allows(first, Operation::match)) first = before(first, Operation::match);
    leave(Operation::match, first);
    return;
  }
  if (allows(cell, Operation::transpose)) leave(Operation::transpose, before(cell, Operation::transpose));
  if (cell > 0 && !stops_[std::size_t(stop)].after_run) walk_run(stop);
}

/// A run of substitutions, insertions and deletions, walked back depth first. A cell reached again with the
/// same operations can only repeat what was found from it.
void TiedAligner::walk_run(std::int32_t stop) {
  struct Place {
    std::size_t cell;
    std::uint8_t operations;
  };
  constexpr std::array order{Operation::remove, Operation::insert, Operation::substitute};  // last goes first
  const std::uint8_t substitutes = bit(Operation::substitute);
  std::vector<Place> open{{stops_[std::size_t(stop)].cell, 0}};
  while (!open.empty()) {
    poll();
    const auto [cell, operations] = open.back();
    open.pop_back();
    if (operations != 0) {
      const auto mark = std::uint8_t(1U << (operations >> unsigned(Operation::substitute)));
      if (seen_[cell] & mark) continue;
      if (seen_[cell] == 0) touched_.push_back(cell);
      seen_[cell] |= mark;
      if (cell == 0 || allows(cell, Operation::match) || allows(cell, Operation::transpose)) {
        const bool single = level_ == ChineseLevel::words && operations == substitutes;
        const Operation joined = operations & substitutes              ? Operation::substitute
                                 : operations & bit(Operation::insert) ? Operation::insert
                                                                       : Operation::remove;
        const std::int32_t next = stop_at(cell, true);
        auto& exits = stops_[std::size_t(stop)].exits;
        if (std::ranges::none_of(exits, [&](const Exit& e) {
              return e.next == next && e.operation == joined && e.single == single;
            }))
          exits.push_back({joined, single, next});
      }
    }
    for (Operation operation : order)
      if (allows(cell, operation))
        open.push_back({before(cell, operation), std::uint8_t(operations | bit(operation))});
  }
  for (std::size_t cell : touched_) seen_[cell] = 0;
  touched_.clear();
}

bool TiedAligner::list_ways(Stop& stop, std::size_t limit) {
  if (stop.cell == 0) {
    stop.ways.push_back(no_way);
    return true;
  }
  for (const Exit& exit : stop.exits) {
    poll();
    const Stop& next = stops_[std::size_t(exit.next)];
    for (std::int32_t way : next.ways) {
      if (stop.ways.size() == limit) return false;
      stop.ways.push_back(link(exit, next.cell, stop.cell, way));
    }
  }
  return true;
}

std::int32_t TiedAligner::link(const Exit& exit, std::size_t from, std::size_t to, std::int32_t way) {
  const auto row = [&](std::size_t cell) { return static_cast<std::int32_t>(cell / columns_); };
  const auto column = [&](std::size_t cell) { return static_cast<std::int32_t>(cell % columns_); };
  const std::size_t step = exit.single ? columns_ + 1 : to - from;
  for (std::size_t start = from; start < to; start += step) {
    const std::size_t end = start + step;
    links_.push_back({{exit.operation, row(start), row(end), column(start), column(end)}, way});
    way = static_cast<std::int32_t>(links_.size() - 1);
  }
  return way;
}

}  // namespace recte
