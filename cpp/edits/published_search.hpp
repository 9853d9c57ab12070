// MaxMatch as the published scorer does it: which edits it proposes against one annotation, to the last tie.
#pragma once

#include "edits/edits.hpp"
#include "edits/published_arcs.hpp"
#include "edits/search_options.hpp"

namespace recte {

/// One pair of source and hypothesis, against as many annotations as wanted. Keeps its memory between pairs.
class PublishedSearch {
 public:
  /// False where the lattice is larger than allowed.
  bool open(Tokens source, Tokens hypothesis, const SearchOptions& options);
  /// The proposed edits against each annotation. All are searched in one sweep, since in a large lattice
  /// finding the arcs costs more than taking their cost.
  void propose(std::span<const Annotation> golds, std::vector<std::vector<Edit>>& edits);

 private:
  // A weight is exact: `units` of one step, `epsilons` of a thousandth. The published scorer adds them as
  // doubles, one by one; that order is replayed only among paths whose exact weights tie.
  struct Reward {
    std::int32_t start, end;
    std::int32_t epsilons;  // added after the match
    auto operator<=>(const Reward&) const = default;
  };
  struct TightArc {
    std::int32_t from, next;
    PublishedArc arc;
    std::int32_t rewarded;  // -1, or the epsilons added to the reward
  };
  /// An arc of a tied path; `place` orders arcs as the published list does: by middle, then start, then end.
  struct Step {
    std::uint64_t place;
    double weight;
    std::int32_t tight;

    Step(int middle, int from, int to, double weight, int tight)
        : place(static_cast<std::uint64_t>(middle + 1) << 42 | static_cast<std::uint64_t>(from) << 21 |
                static_cast<std::uint64_t>(to)),  // numbers of vertices have twenty bits
          weight(weight),
          tight(tight) {}
    std::size_t from() const { return place >> 21 & 0x1fffff; }
    std::size_t to() const { return place & 0x1fffff; }
  };
  struct ListedArc {
    std::int32_t start, end;
    Edit edit;
  };

  /// The search against one annotation, or against all that reward no arc: they see the same path.
  struct Search {
    std::vector<Reward> rewards;
    std::size_t next_reward = 0;
    bool rewards_left = false;  // among the arcs of the start entered last
    std::int64_t here = 0;      // its distance
    std::vector<std::int64_t> distance;
    std::vector<std::int32_t> tight_heads, chosen;
    std::vector<TightArc> tight;  // every arc on a shortest path to its end
    std::int32_t free = -1;

    void begin(int first, int vertices);
    void enter(int start);
    void relax(int start, const PublishedArc& arc, std::int64_t reward);
    void release(int head);
  };

  Edit edit_of(int start, const PublishedArc& arc) const;
  void collect_rewards(const Annotation& gold, std::vector<Reward>& rewards);
  void reward_spans(const Annotation& gold, std::vector<Reward>& rewards);
  void reward_insertions(const Annotation& gold, int offset, std::vector<Reward>& rewards);
  void list_insertions(int offset);
  bool unique_path(Search& search) const;
  void replay_ties(Search& search);
  double double_weight(const TightArc& tight) const;
  void collect_edits(const Search& search, std::vector<Edit>& edits) const;

  Tokens source_, hypothesis_;
  SearchOptions options_;
  Lattice lattice_;
  PublishedArcs arcs_;
  int first_ = 0;  // the vertex from which paths differ
  std::vector<Search> searches_;
  std::vector<std::size_t> search_of_;
  std::vector<ListedArc> listed_;
  std::vector<std::uint8_t> relevant_;
  std::vector<Step> steps_;
  std::vector<double> replayed_;  // distances
};

}  // namespace recte
