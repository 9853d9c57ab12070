#include "edits/published_search.hpp"

#include <limits>

#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr std::int64_t unit = 1000;  // one atomic step, in epsilons
constexpr double epsilon = 0.001;
constexpr int poll_from = 256;  // smaller lattices are searched in no time
constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::max();

/// Few are far from their place, unless there are many.
template <class Steps>
void sort_nearly_sorted(Steps& steps) {
  if (steps.size() > 256) {
    std::ranges::sort(steps, {}, [](const auto& step) { return step.place; });
    return;
  }
  for (std::size_t k = 1; k < steps.size(); ++k) {
    const auto moved = steps[k];
    std::size_t at = k;
    for (; at > 0 && steps[at - 1].place > moved.place; --at) steps[at] = steps[at - 1];
    steps[at] = moved;
  }
}

}  // namespace

bool PublishedSearch::open(Tokens source, Tokens hypothesis, const SearchOptions& options) {
  source_ = source;
  hypothesis_ = hypothesis;
  options_ = options;
  if (!lattice_.build(source, hypothesis, Tables::both, options.max_lattice)) return false;
  arcs_.build(lattice_, options);
  // A path of rewards alone must have a weight that can be written.
  const auto steps = static_cast<std::int64_t>(source.size() + hypothesis.size() + 1);
  return arcs_.list_length() < unreached / (2 * unit * steps);
}

void PublishedSearch::propose(std::span<const Annotation> golds, std::vector<std::vector<Edit>>& edits) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t used = 0, unrewarded = none;
  search_of_.clear();
  for (const Annotation& gold : golds) {
    if (searches_.size() == used) searches_.emplace_back();
    collect_rewards(gold, searches_[used].rewards);
    if (!searches_[used].rewards.empty() || unrewarded == none) {
      if (searches_[used].rewards.empty()) unrewarded = used;
      search_of_.push_back(used++);
    } else {
      search_of_.push_back(unrewarded);
    }
  }
  const std::span<Search> searches(searches_.data(), used);
  // Paths share the unchanged words they begin with, unless a gold edit rewards such words.
  first_ = arcs_.first_choice();
  for (const Search& search : searches)
    if (!search.rewards.empty()) first_ = std::min(first_, search.rewards.front().start);
  for (Search& search : searches) search.begin(first_, lattice_.size());
  // One sweep in topological order finds the exact distances.
  const std::int64_t reward = -unit * arcs_.list_length();
  for (int start = first_; start < lattice_.size(); ++start) {
    if (lattice_.size() > poll_from) poll();
    for (Search& search : searches) search.enter(start);
    arcs_.for_each(start, [&](const PublishedArc& arc) {
      for (Search& search : searches) search.relax(start, arc, reward);
    });
  }
  for (Search& search : searches)
    if (!unique_path(search)) replay_ties(search);
  edits.resize(golds.size());
  for (std::size_t g = 0; g < golds.size(); ++g) collect_edits(searches_[search_of_[g]], edits[g]);
}

void PublishedSearch::collect_edits(const Search& search, std::vector<Edit>& edits) const {
  edits.clear();
  for (int vertex = lattice_.size() - 1; vertex > first_;) {
    const TightArc& tight = search.tight[search.chosen[vertex]];
    if (!tight.arc.noop()) edits.push_back(edit_of(tight.from, tight.arc));
    vertex = tight.from;
  }
  std::ranges::reverse(edits);
}

Edit PublishedSearch::edit_of(int start, const PublishedArc& arc) const {
  const Vertex &from = lattice_[start], &to = lattice_[arc.to];
  Edit edit{from.source, to.source, from.source, to.source, from.hypothesis, to.hypothesis};
  if (options_.initial_insertions == InitialInsertions::running && from.source == 0) {
    if (arc.inserts_first) edit.start = from.hypothesis;
    if (to.source == 0) edit.end = to.hypothesis - 1;
  }
  return edit;
}

void PublishedSearch::collect_rewards(const Annotation& gold, std::vector<Reward>& rewards) {
  rewards.clear();
  reward_spans(gold, rewards);
  for (int g = 0; g < gold.size(); ++g) {
    if (!gold.is_insertion(g)) continue;
    bool first_here = true;
    for (int earlier = 0; earlier < g; ++earlier)
      first_here = first_here && !(gold.is_insertion(earlier) && gold.start(earlier) == gold.start(g));
    if (first_here) reward_insertions(gold, gold.start(g), rewards);
  }
  std::ranges::sort(rewards);
}

void PublishedSearch::reward_spans(const Annotation& gold, std::vector<Reward>& rewards) {
  for (int g = 0; g < gold.size(); ++g) {
    if (gold.is_insertion(g)) continue;
    for (int start = lattice_.begin_of_row(gold.start(g)); start < lattice_.end_of_row(gold.start(g));
         ++start) {
      if (lattice_.size() > poll_from) poll();
      const int from = lattice_[start].hypothesis;
      gold.for_each_correction(g, [&](Tokens correction) {
        const int to = from + static_cast<int>(correction.size());
        if (to > static_cast<int>(hypothesis_.size()) ||
            !same(correction, hypothesis_.subspan(from, correction.size())))
          return;
        const int end = lattice_.find(gold.end(g), to);
        if (end < 0) return;
        arcs_.for_each(start, [&](const PublishedArc& arc) {
          if (arc.to == end && edit_of(start, arc).start == gold.start(g)) rewards.push_back({start, end, 0});
        });
      });
    }
  }
  // Several gold edits may fit one arc.
  std::ranges::sort(rewards);
  const auto repeated = std::ranges::unique(rewards);
  rewards.erase(repeated.begin(), repeated.end());
}

/// The arcs whose two offsets are `offset`, with their copies, starts and ends ascending.
void PublishedSearch::list_insertions(int offset) {
  listed_.clear();
  const auto list = [&](int start, const PublishedArc& arc) {
    const Edit edit = edit_of(start, arc);
    if (edit.start == offset && edit.end == offset)
      listed_.insert(listed_.end(), arc.copies, {start, arc.to, edit});
  };
  const bool running = options_.initial_insertions == InitialInsertions::running;
  if (running) {
    const int start = lattice_.find(0, offset);
    if (start >= 0) arcs_.for_each(start, [&](const PublishedArc& arc) { list(start, arc); });
    if (offset == 0) return;
  }
  for (int start = lattice_.begin_of_row(offset); start < lattice_.end_of_row(offset); ++start) {
    PublishedArc arc{start, -1, 0, 0, 0, true};
    for (int v = start, words = 1; lattice_[v].to[insertion] >= 0; ++v, ++words) {
      if (words > 1 && !options_.allows(0, words, 0)) break;
      arc.to = v + 1;
      arc.copies = v == start ? lattice_[v].copies[insertion] : 1;
      list(start, arc);
    }
  }
}

// Two cursors close in on the listed arcs, and a window closes on the gold edits of this place: so one gold
// insertion rewards one arc.
void PublishedSearch::reward_insertions(const Annotation& gold, int offset, std::vector<Reward>& rewards) {
  list_insertions(offset);
  if (listed_.empty()) return;
  std::vector<int> window;
  for (int g = 0; g < gold.size(); ++g)
    if (gold.is_insertion(g) && gold.start(g) == offset) window.push_back(g);
  std::ptrdiff_t left = 0, right = std::ssize(listed_) - 1;
  std::ptrdiff_t low = 0, high = std::ssize(window) - 1;
  const std::size_t first_reward = rewards.size();
  const auto add_epsilon = [&](const ListedArc& arc) {
    for (std::size_t r = first_reward; r < rewards.size(); ++r)
      if (rewards[r].start == arc.start && rewards[r].end == arc.end) ++rewards[r].epsilons;
  };
  const auto add_reward = [&](const ListedArc& arc) {
    for (std::size_t r = first_reward; r < rewards.size(); ++r)
      if (rewards[r].start == arc.start && rewards[r].end == arc.end) {
        rewards[r].epsilons = 0;
        return;
      }
    rewards.push_back({arc.start, arc.end, 0});
  };
  for (bool on_left = true; left <= right;) {
    if (lattice_.size() > poll_from) poll();
    const ListedArc arc = listed_[on_left ? left : right];
    const auto fits = [&](std::ptrdiff_t w) {
      return matches(arc.edit, source_, hypothesis_, gold, window[w]);
    };
    std::ptrdiff_t found = on_left ? low : high;
    if (on_left)
      while (found <= high && !fits(found)) ++found;
    else
      while (found >= low && !fits(found)) --found;
    if (found < low || found > high) {
      add_epsilon(arc);
      on_left ? ++left : --right;
      on_left = !on_left;
    } else if (add_reward(arc); on_left) {
      low = found + 1;
      for (++left; left <= right && listed_[left].start != arc.end; ++left) add_epsilon(listed_[left]);
    } else {
      high = found - 1;
      for (--right; left <= right && listed_[right].end != arc.start; --right) add_epsilon(listed_[right]);
    }
  }
}

void PublishedSearch::Search::begin(int first, int vertices) {
  next_reward = 0;
  distance.assign(vertices, unreached);
  tight_heads.assign(vertices, -1);
  tight.clear();
  free = -1;
  distance[first] = 0;
}

void PublishedSearch::Search::enter(int start) {
  while (next_reward < rewards.size() && rewards[next_reward].start < start) ++next_reward;
  here = distance[start];
  rewards_left = next_reward < rewards.size() && rewards[next_reward].start == start;
}

/// Every arc that attains the least distance of its end is kept. Arcs of one start come with their ends
/// ascending.
void PublishedSearch::Search::relax(int start, const PublishedArc& arc, std::int64_t reward) {
  std::int64_t weight = unit * arc.length + (arc.noop() ? 0 : arc.copies);
  std::int32_t rewarded = -1;
  if (rewards_left) {
    const auto of_start = [&] { return next_reward < rewards.size() && rewards[next_reward].start == start; };
    while (of_start() && rewards[next_reward].end < arc.to) ++next_reward;
    rewards_left = of_start();
    if (rewards_left && rewards[next_reward].end == arc.to) {
      rewarded = rewards[next_reward].epsilons;
      weight = reward + rewarded;
    }
  }
  const std::int64_t through = here + weight;
  if (through > distance[arc.to]) return;
  if (through < distance[arc.to]) {
    distance[arc.to] = through;
    release(tight_heads[arc.to]);
    tight_heads[arc.to] = -1;
  }
  const TightArc kept{start, tight_heads[arc.to], arc, rewarded};
  if (free >= 0) {
    tight_heads[arc.to] = free;
    free = tight[free].next;
    tight[tight_heads[arc.to]] = kept;
  } else {
    tight_heads[arc.to] = static_cast<std::int32_t>(tight.size());
    tight.push_back(kept);
  }
}

void PublishedSearch::Search::release(int head) {
  while (head >= 0) {
    const int next = tight[head].next;
    tight[head].next = free;
    free = head;
    head = next;
  }
}

/// Whether one path alone is shortest, a no-op arc over several words being the same as its words.
bool PublishedSearch::unique_path(Search& search) const {
  search.chosen.assign(lattice_.size(), -1);
  for (int vertex = lattice_.size() - 1; vertex > first_;) {
    int only = -1;
    for (int t = search.tight_heads[vertex]; t >= 0; t = search.tight[t].next) {
      if (search.tight[t].arc.noop() && !search.tight[t].arc.atomic() && search.tight[t].rewarded < 0)
        continue;
      if (only >= 0) return false;
      only = t;
    }
    search.chosen[vertex] = only;
    vertex = search.tight[only].from;
  }
  return true;
}

double PublishedSearch::double_weight(const TightArc& tight) const {
  const bool rewarded = tight.rewarded >= 0;
  double weight = rewarded ? -static_cast<double>(arcs_.list_length()) : tight.arc.length;
  const int epsilons = rewarded ? tight.rewarded : tight.arc.noop() ? 0 : tight.arc.copies;
  for (int e = 0; e < epsilons; ++e) weight += epsilon;
  return weight;
}

// Bellman-Ford over the list, literally, but only over arcs of exactly shortest paths: any other arc is worse
// by an epsilon at least, which no rounding bridges.
void PublishedSearch::replay_ties(Search& search) {
  const int size = lattice_.size();
  relevant_.assign(size, 0);
  relevant_[size - 1] = 1;
  for (int vertex = size - 1; vertex > first_; --vertex) {
    if (!relevant_[vertex]) continue;
    for (int t = search.tight_heads[vertex]; t >= 0; t = search.tight[t].next)
      relevant_[search.tight[t].from] = 1;
  }
  // Atomic arcs stand first in the list; ends ascending, both kinds are nearly in its order.
  steps_.clear();
  for (const bool atomic : {true, false})
    for (int vertex = first_ + 1; vertex < size; ++vertex) {
      if (!relevant_[vertex]) continue;
      for (int t = search.tight_heads[vertex]; t >= 0; t = search.tight[t].next) {
        const TightArc& tight = search.tight[t];
        if (tight.arc.atomic() == atomic)
          steps_.emplace_back(tight.arc.middle, tight.from, vertex, double_weight(tight), t);
      }
    }
  sort_nearly_sorted(steps_);
  replayed_.assign(size, std::numeric_limits<double>::infinity());
  replayed_[first_] = first_;  // one for each unchanged word; no other arc is looked at before theirs
  for (bool changed = true; changed;) {
    changed = false;
    poll();
    for (const Step& step : steps_) {
      const double through = replayed_[step.from()] + step.weight;
      if (through < replayed_[step.to()]) {
        replayed_[step.to()] = through;
        search.chosen[step.to()] = step.tight;
        changed = true;
      }
    }
  }
}

}  // namespace recte
