#include "edits/optimal_search.hpp"

#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr std::int64_t one_step = std::int64_t{1} << 20;
constexpr std::int64_t one_credit = std::int64_t{1} << 41;  // above all steps and edits of a path
constexpr std::size_t max_pending = 8;                      // 256 states a vertex at the worst
constexpr std::uint16_t unreached = 0xffff;
constexpr int poll_from = 256;  // smaller lattices are searched in no time

}  // namespace

bool OptimalSearch::open(Tokens source, Tokens hypothesis, const SearchOptions& options) {
  source_ = source;
  hypothesis_ = hypothesis;
  use_gold_once_ = options.behaviour == Behaviour::optimal;
  options_ = options;
  const Tables tables = options.behaviour == Behaviour::paper ? Tables::unit : Tables::both;
  if (!lattice_.build(source, hypothesis, tables, options.max_lattice)) return false;
  lengths_.assign(static_cast<std::size_t>(lattice_.size()) * (options.max_unchanged_words + 1), unreached);
  return true;
}

/// Visit (end, fewest steps, whether it is one unchanged word) of the arcs that leave `start`.
template <class Visit>
void OptimalSearch::for_each_arc(int start, Visit visit) {
  const SearchOptions options = options_;  // a copy, which the compiler knows to stay as it is
  const int kinds = options.max_unchanged_words + 1;
  int last = start;
  const auto reach = [&](int end, int unchanged, int length) {
    std::uint16_t& best = lengths_[static_cast<std::size_t>(end) * kinds + unchanged];
    best = std::min(best, static_cast<std::uint16_t>(length));
    last = std::max(last, end);
  };
  const auto step = [&](int middle, int unchanged, int length) {
    for (Move move : {insertion, deletion, diagonal}) {
      const int end = lattice_[middle].to[move];
      const int kept = unchanged + (move == diagonal && lattice_[middle].unchanged);
      if (end < 0 || kept >= kinds) continue;
      const Vertex &from = lattice_[start], &to = lattice_[end];
      const bool allowed = options.allows(to.source - from.source, to.hypothesis - from.hypothesis, kept);
      if (length == 0 || allowed) reach(end, kept, length + 1);
    }
  };
  step(start, 0, 0);
  if (kinds == 1 && lattice_[start].unchanged) visit(lattice_[start].to[diagonal], 1, true);
  for (int middle = start + 1; middle <= last; ++middle) {
    int fewest = unreached, shortest = unreached;
    for (int unchanged = 0; unchanged < kinds; ++unchanged) {
      std::uint16_t& slot = lengths_[static_cast<std::size_t>(middle) * kinds + unchanged];
      const int length = slot;
      slot = unreached;
      if (length == unreached) continue;
      if (length != unchanged)
        fewest = std::min(fewest, length);
      else if (length == 1)
        visit(middle, 1, true);
      if (length >= shortest) continue;  // a way with fewer unchanged words is as short
      shortest = length;
      step(middle, unchanged, length);
    }
    if (fewest != unreached) visit(middle, fewest, false);
  }
}

/// Which gold edits need remembering at each cut: those that edits on both sides of it could be credited
/// with.
bool OptimalSearch::prepare_gold(const Annotation& gold) {
  pending_.assign(source_.size() + 1, {});
  if (!use_gold_once_) return true;
  for (int g = 0; g < gold.size(); ++g) {
    if (gold.is_insertion(g))
      pending_[gold.start(g)].push_back(g);
    else if (criterion_ == Criterion::detection)
      for (int cut = gold.start(g) + 1; cut < gold.end(g); ++cut) pending_[cut].push_back(g);
  }
  for (const auto& here : pending_)
    if (here.size() > max_pending) return false;
  return true;
}

/// The gold edits that an edit starting here could be aligned with.
void OptimalSearch::find_nearby(const Annotation& gold, int position) {
  nearby_.clear();
  for (int g = 0; g < gold.size(); ++g) {
    const bool starts_here = gold.start(g) == position;
    const bool touched_behind =
        criterion_ == Criterion::recognition && gold.is_insertion(g) && gold.start(g) == position + 1;
    const bool ahead = criterion_ == Criterion::detection && gold.end(g) >= position;
    if (starts_here || touched_behind || ahead) nearby_.push_back(g);
  }
}

int OptimalSearch::bit(int position, int g) const {
  const auto found = std::ranges::find(pending_[position], g);
  return found == pending_[position].end() ? -1 : static_cast<int>(found - pending_[position].begin());
}

OptimalSearch::Mask OptimalSearch::carry(Mask mask, int from, int to) const {
  if (from == to || !mask) return mask;
  Mask carried = 0;
  for (std::size_t b = 0; b < pending_[from].size(); ++b)
    if (mask >> b & 1)
      if (const int there = bit(to, pending_[from][b]); there >= 0) carried |= Mask{1} << there;
  return carried;
}

void OptimalSearch::offer(int end, Mask mask, std::int64_t value, int from_vertex, int from_state) {
  for (State& state : states_[end])
    if (state.mask == mask) {
      if (value < state.value) state = {mask, value, from_vertex, from_state};
      return;
    }
  states_[end].push_back({mask, value, from_vertex, from_state});
}

void OptimalSearch::extend(const State& state, int index, int start, int end, int steps,
                           const Annotation& gold) {
  const Vertex &from = lattice_[start], &to = lattice_[end];
  const std::int64_t value = state.value + steps * one_step;
  const Mask carried = carry(state.mask, from.source, to.source);
  if (!use_gold_once_ || one_to_one_) {
    // One edit, one gold edit: try each that is still free.
    bool matched = false;
    for (int g : aligned_) {
      const int before = use_gold_once_ && gold.is_insertion(g) ? bit(from.source, g) : -1;
      if (before >= 0 && state.mask >> before & 1) continue;
      matched = true;
      Mask mask = carried;
      if (const int there = before < 0 ? -1 : bit(to.source, g); there >= 0) mask |= Mask{1} << there;
      offer(end, mask, value - one_credit, start, index);
    }
    if (!matched || use_gold_once_) offer(end, carried, value + 1, start, index);
    return;
  }
  Mask mask = carried;
  int credits = 0;
  for (int g : aligned_) {
    const int before = bit(from.source, g);
    if (before >= 0 && state.mask >> before & 1) continue;
    ++credits;
    if (const int there = bit(to.source, g); there >= 0) mask |= Mask{1} << there;
  }
  offer(end, mask, value - credits * one_credit + (aligned_.empty() ? 1 : 0), start, index);
}

bool OptimalSearch::propose(const Annotation& gold, Criterion criterion, bool one_to_one) {
  criterion_ = criterion;
  one_to_one_ = one_to_one;
  if (!prepare_gold(gold)) return false;
  const int size = lattice_.size();
  if (static_cast<int>(states_.size()) < size) states_.resize(size);
  for (int vertex = 0; vertex < size; ++vertex) states_[vertex].clear();
  states_[0].push_back({0, 0, -1, -1});
  for (int start = 0; start < size; ++start) {
    const Vertex& from = lattice_[start];
    if (start == lattice_.begin_of_row(from.source)) find_nearby(gold, from.source);
    if (size > poll_from) poll();
    for_each_arc(start, [&](int end, int steps, bool unchanged_word) {
      const Vertex& to = lattice_[end];
      aligned_.clear();
      if (!unchanged_word) {
        const Edit edit{from.source, to.source, from.source, to.source, from.hypothesis, to.hypothesis};
        if (same(edit.original(source_), edit.correction(hypothesis_))) return;  // changes nothing
        for (int g : nearby_)
          if (gold.start(g) <= to.source && align(edit, hypothesis_, gold, g).meets(criterion_))
            aligned_.push_back(g);
      }
      const std::size_t known = states_[start].size();
      for (std::size_t s = 0; s < known; ++s) {
        const State state = states_[start][s];
        if (unchanged_word)
          offer(end, carry(state.mask, from.source, to.source), state.value + one_step, start,
                static_cast<int>(s));
        else
          extend(state, static_cast<int>(s), start, end, steps, gold);
      }
    });
  }
  const auto& final_states = states_[size - 1];
  int vertex = size - 1, state = 0;
  for (std::size_t s = 1; s < final_states.size(); ++s)
    if (final_states[s].value < final_states[state].value) state = static_cast<int>(s);
  edits_.clear();
  while (vertex > 0) {
    const State& here = states_[vertex][state];
    const Vertex &from = lattice_[here.from_vertex], &to = lattice_[vertex];
    const bool unchanged_word = from.unchanged && from.to[diagonal] == vertex;
    if (!unchanged_word)
      edits_.push_back({from.source, to.source, from.source, to.source, from.hypothesis, to.hypothesis});
    vertex = here.from_vertex;
    state = here.from_state;
  }
  std::ranges::reverse(edits_);
  return true;
}

}  // namespace recte
