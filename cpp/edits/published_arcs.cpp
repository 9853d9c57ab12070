#include "edits/published_arcs.hpp"

#include <numeric>
#include <tuple>

#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr int poll_from = 256;  // smaller lattices are walked in no time

}  // namespace

void PublishedArcs::build(const Lattice& lattice, const SearchOptions& options) {
  lattice_ = &lattice;
  options_ = options;
  const int size = lattice.size();
  reached_.assign(size, {});
  appended_.assign(size, 0);
  offsets_.assign(1, 0);
  arcs_.clear();
  noop_entries_.clear();
  stored_ = true;
  std::int64_t entries = 0;
  first_choice_ = -1;
  for (int start = 0; start < size; ++start) {
    if (size > poll_from) poll();
    noop_chain_.clear();
    for (int v = start, words = 1; lattice[v].unchanged && options_.allows(words, words, words); ++words)
      noop_chain_.push_back(v = lattice[v].to[diagonal]);
    const auto appended = [&](int middle, int end) {
      const int rank = appended_[middle]++;
      ++entries;
      for (std::size_t c = 1; c < noop_chain_.size(); ++c)
        if (noop_chain_[c] == end) noop_entries_.push_back({middle, rank, start, end});
    };
    const auto visit = [&](const PublishedArc& arc) {
      if (stored_) arcs_.push_back(arc);
    };
    if (!walk_unchanged(start, appended, visit)) {
      walk(start, appended, visit);
      if (first_choice_ < 0) first_choice_ = start;
    }
    offsets_.push_back(static_cast<std::int64_t>(arcs_.size()));
    if (arcs_.size() > options.max_stored_arcs) {
      stored_ = false;
      arcs_.clear();
    }
  }
  list_length_ = lattice.atomic_edges() + entries;
  weed();
}

// The published scorer deletes longer no-op arcs from the list while walking it, so the entry behind a
// deleted one is never looked at: in a run of no-op entries every second one survives.
void PublishedArcs::weed() {
  survivors_.clear();
  if (noop_entries_.empty()) return;
  if (!std::ranges::is_sorted(noop_entries_)) std::ranges::sort(noop_entries_);
  std::int64_t before = 0,
               expected = -1;  // entries before the middle; position behind the last deleted entry
  int middle = 0;
  for (const NoopEntry& entry : noop_entries_) {
    for (; middle < entry.middle; ++middle) before += appended_[middle];
    const std::int64_t position = before + entry.rank;
    if (position == expected) {
      survivors_.push_back(entry);
      expected = -1;
    } else {
      --list_length_;
      expected = position + 1;
    }
  }
  std::ranges::sort(survivors_, {},
                    [](const NoopEntry& entry) { return std::tuple(entry.start, entry.end, entry.middle); });
}

bool PublishedArcs::survives(int start, PublishedArc& arc) const {
  const auto found =
      std::ranges::lower_bound(survivors_, std::pair(start, arc.to), {},
                               [](const NoopEntry& entry) { return std::pair(entry.start, entry.end); });
  if (found == survivors_.end() || found->start != start || found->end != arc.to) return false;
  arc.middle = found->middle;
  return true;
}

}  // namespace recte
