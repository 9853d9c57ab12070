// The edits that agree best with an annotation, as the MaxMatch paper defines it and as its Theorem 1
// promises.
#pragma once

#include "edits/hoo.hpp"
#include "edits/lattice.hpp"
#include "edits/search_options.hpp"

namespace recte {

/// Most credited edits, then fewest atomic steps, then fewest edits without credit; the earliest vertex on a
/// tie. Here an arc stands for every path between two vertices that changes something and keeps few enough
/// words.
class OptimalSearch {
 public:
  /// The steps and the credit of `paper` or of `optimal`. False where the lattice is larger than allowed.
  bool open(Tokens source, Tokens hypothesis, const SearchOptions& options);
  /// `one_to_one`: an edit is credited with one gold edit at most; else with all that it meets. False where
  /// the gold has too many edits at one place to remember which are used.
  bool propose(const Annotation& gold, Criterion criterion, bool one_to_one);
  const std::vector<Edit>& edits() const { return edits_; }

 private:
  // Which gold edits around a cut of the source have had their credit already: one bit each.
  using Mask = std::uint32_t;
  struct State {
    Mask mask;
    std::int64_t value;
    std::int32_t from_vertex, from_state;
  };

  template <class Visit>
  void for_each_arc(int start, Visit visit);
  bool prepare_gold(const Annotation& gold);
  void find_nearby(const Annotation& gold, int position);
  void extend(const State& state, int state_index, int start, int end, int steps, const Annotation& gold);
  void offer(int end, Mask mask, std::int64_t value, int from_vertex, int from_state);
  Mask carry(Mask mask, int from, int to) const;
  int bit(int position, int g) const;

  Tokens source_, hypothesis_;
  SearchOptions options_;
  bool use_gold_once_ = true;  // false: an edit counts if any gold edit matches it (equation 6 of the paper)
  Criterion criterion_ = Criterion::correction;
  bool one_to_one_ = true;
  Lattice lattice_;
  std::vector<std::uint16_t> lengths_;  // by vertex and number of unchanged words
  std::vector<std::vector<int>>
      pending_;  // by source position: gold edits that may be credited on both sides
  std::vector<int> nearby_, aligned_;
  std::vector<std::vector<State>> states_;
  std::vector<Edit> edits_;
};

}  // namespace recte
