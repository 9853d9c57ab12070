// Phrase edits as the published scorer builds them: one path for each pair of vertices, the first of minimal
// length.
#pragma once

#include <algorithm>

#include "edits/lattice.hpp"
#include "edits/search_options.hpp"

namespace recte {

/// An arc of the published list, without its starting vertex.
struct PublishedArc {
  std::int32_t to;
  std::int32_t middle;      // where it was first appended; -1 for an atomic edge
  std::uint16_t length;     // atomic edges on its path
  std::uint16_t unchanged;  // words its path leaves alone
  std::uint16_t copies;     // how often it stands in the list
  bool inserts_first;       // its path begins with an insertion

  bool atomic() const { return middle < 0; }
  bool noop() const { return length == unchanged; }
};

/// The published list holds an entry for each arc found, and one more each time a shorter path replaces it,
/// in the order of the path's middle vertex, then start, then end. Arcs that share a start never meet those
/// of another, so they are made here start by start, and kept only while there are few.
class PublishedArcs {
 public:
  /// Arcs beyond `max_stored_arcs` are computed again each time they are needed.
  void build(const Lattice& lattice, const SearchOptions& options);

  /// Length of the list once the published scorer has weeded it.
  std::int64_t list_length() const { return list_length_; }

  /// Nothing but unchanged words stand before this vertex, on any path.
  int first_choice() const { return first_choice_; }

  /// Visit the arcs that leave `start`, ends ascending; weeded ones are passed over.
  template <class Visit>
  void for_each(int start, Visit visit) {
    const auto pass = [&](const PublishedArc& arc) {
      if (arc.noop() && !arc.atomic()) {
        PublishedArc survivor = arc;
        if (survives(start, survivor)) visit(survivor);
      } else {
        visit(arc);
      }
    };
    if (!stored_) {
      walk(start, [](auto&&...) {}, pass);
      return;
    }
    for (auto a = offsets_[start]; a < offsets_[start + 1]; ++a) pass(arcs_[a]);
  }

 private:
  struct NoopEntry {
    std::int32_t middle, rank, start, end;
    auto operator<=>(const NoopEntry&) const = default;
  };

  template <class Appended, class Visit>
  void walk(int start, Appended appended, Visit visit);
  /// What `walk` finds where nothing but unchanged words follow, as in most of a sentence: false elsewhere.
  template <class Appended, class Visit>
  bool walk_unchanged(int start, Appended appended, Visit visit);
  void weed();
  bool survives(int start, PublishedArc& arc) const;

  const Lattice* lattice_ = nullptr;
  SearchOptions options_;
  bool stored_ = false;
  std::int64_t list_length_ = 0;
  int first_choice_ = 0;
  std::vector<PublishedArc> arcs_;
  std::vector<std::int64_t> offsets_;
  std::vector<PublishedArc> reached_;     // by end, while walking one start; length 0 where not reached
  std::vector<std::int32_t> appended_;    // entries so far, by middle
  std::vector<std::int32_t> noop_chain_;  // ends of the unchanged words that follow one start
  std::vector<NoopEntry> noop_entries_;
  std::vector<NoopEntry> survivors_;  // by start, end, middle
};

template <class Appended, class Visit>
bool PublishedArcs::walk_unchanged(int start, Appended appended, Visit visit) {
  const Lattice& lattice = *lattice_;
  const auto plain = [&](int v) {
    const Vertex& vertex = lattice[v];
    return vertex.to[insertion] < 0 && vertex.to[deletion] < 0 &&
           (vertex.to[diagonal] < 0 || vertex.unchanged);
  };
  if (noop_chain_.empty() || !plain(start) || !std::ranges::all_of(noop_chain_, plain)) return false;
  visit(PublishedArc{noop_chain_[0], -1, 1, 1, lattice[start].copies[diagonal], false});
  for (std::size_t c = 1; c < noop_chain_.size(); ++c) {
    const auto length = static_cast<std::uint16_t>(c + 1);
    appended(noop_chain_[c - 1], noop_chain_[c]);
    visit(PublishedArc{noop_chain_[c], noop_chain_[c - 1], length, length, 1, false});
  }
  return true;
}

template <class Appended, class Visit>
void PublishedArcs::walk(int start, Appended appended, Visit visit) {
  const Lattice& lattice = *lattice_;
  int last = start;
  const Vertex& first = lattice[start];
  for (Move move : {insertion, deletion, diagonal}) {
    const int end = first.to[move];
    if (end < 0) continue;
    const bool unchanged = move == diagonal && first.unchanged;
    reached_[end] = {end, -1, 1, unchanged, first.copies[move], move == insertion};
    last = std::max(last, end);
  }
  for (int middle = start + 1; middle <= last; ++middle) {
    if (!reached_[middle].length) continue;
    const PublishedArc arc = reached_[middle];  // final: shorter ones would come over smaller middles
    reached_[middle].length = 0;
    visit(arc);
    const Vertex& vertex = lattice[middle];
    for (Move move : {insertion, deletion, diagonal}) {
      const int end = vertex.to[move];
      if (end < 0) continue;
      const int unchanged = arc.unchanged + (move == diagonal && vertex.unchanged);
      const Vertex& to = lattice[end];
      if (!options_.allows(to.source - first.source, to.hypothesis - first.hypothesis, unchanged)) continue;
      PublishedArc& longer = reached_[end];
      const auto length = static_cast<std::uint16_t>(arc.length + 1);
      if (!longer.length) {
        longer = {end, middle, length, static_cast<std::uint16_t>(unchanged), 1, arc.inserts_first};
        last = std::max(last, end);
      } else if (length < longer.length) {
        longer.length = length;
        longer.unchanged = static_cast<std::uint16_t>(unchanged);
        longer.inserts_first = arc.inserts_first;
        ++longer.copies;
      } else {
        continue;
      }
      appended(middle, end);
    }
  }
}

}  // namespace recte
