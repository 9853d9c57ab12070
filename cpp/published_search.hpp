// MaxMatch as the published scorer does it: which edits it proposes against one annotation, to the last tie.
#pragma once

#include "edits.hpp"
#include "published_arcs.hpp"

namespace errata {

/// Where an insertion before the first word stands. `running`: the k-th inserted word at offset k - 1, as in
/// version 3.2 of the published scorer; `zero`: all at offset 0, as in its later revision.
enum class InitialInsertions { running, zero };

struct SearchOptions {
  int max_unchanged_words = 2;
  InitialInsertions initial_insertions = InitialInsertions::running;
  std::int64_t max_vertices = 20'000;
};

/// One pair of source and hypothesis, against as many annotations as wanted. Keeps its memory between pairs.
class PublishedSearch {
 public:
  /// False where the lattice is larger than allowed.
  bool open(Tokens source, Tokens hypothesis, const SearchOptions& options);
  /// The proposed edits against one annotation; valid until the next call.
  const std::vector<Edit>& propose(const Annotation& gold);

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

  Edit edit_of(int start, const PublishedArc& arc) const;
  void collect_rewards(const Annotation& gold);
  void reward_spans(const Annotation& gold);
  void reward_insertions(const Annotation& gold, int offset);
  void list_insertions(int offset);
  void shortest_path();
  bool unique_path();
  void replay_ties();
  double double_weight(const TightArc& tight) const;
  int free_tight(int head);

  Tokens source_, hypothesis_;
  SearchOptions options_;
  Lattice lattice_;
  PublishedArcs arcs_;
  std::vector<Reward> rewards_;
  std::vector<std::int64_t> distance_;
  std::vector<std::int32_t> tight_heads_, chosen_;
  std::vector<TightArc> tight_;
  std::int32_t free_ = -1;
  struct ListedArc {
    std::int32_t start, end;
    Edit edit;
  };
  std::vector<ListedArc> listed_;
  std::vector<std::uint8_t> relevant_;
  std::vector<Edit> edits_, unrewarded_edits_;
  bool have_unrewarded_ = false;
};

}  // namespace errata
