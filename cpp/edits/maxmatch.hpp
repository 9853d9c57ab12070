// Counting over a whole corpus: every hypothesis against every annotation of its source, on all cores.
//
// How the parts work together: `lattice` holds all minimum-cost ways from source to hypothesis. It is filled
// on a band of diagonals, which is widened until no minimal path can leave it. `published_arcs` makes the
// phrase edits of the published scorer start by start: arcs of one start never meet those of another, so only
// counters are shared, and a large lattice is walked again instead of stored. `published_search` finds exact
// distances with integer weights in one topological sweep and keeps every arc that attains one. Usually one
// path is shortest, and it is the answer. Where paths tie exactly, the Bellman-Ford passes of the published
// scorer are repeated in doubles over the tied arcs: every other arc is worse by an epsilon that rounding
// cannot hide, so the result is equal to the last tie. `optimal_search` is the paper's search with Theorem 1:
// a state remembers which gold insertions at one place are used. `running_sums` makes the published choice of
// annotators for 64 weightings at once. Where one annotator is the best for all totals that can have been
// reached, counts are added without a choice. `swapped_sums` does the same for the trials of a randomisation
// test.
#pragma once

#include "edits/optimal_search.hpp"
#include "edits/published_search.hpp"

namespace recte {

/// Edits that someone else found: source begin and end, hypothesis begin and end of each.
struct GivenEdits {
  std::span<const std::int32_t> rows;
  std::span<const std::int64_t> offsets;  // by hypothesis

  void of(std::size_t pair, std::vector<Edit>& edits) const {
    edits.clear();
    for (auto e = offsets[pair]; e < offsets[pair + 1]; ++e) {
      const auto row = rows.subspan(static_cast<std::size_t>(e) * 4, 4);
      edits.push_back({row[0], row[1], row[0], row[1], row[2], row[3]});
    }
  }
};

/// The options with what they need of the texts of one call.
struct MaxMatchOptions : SearchOptions {
  FoldedText folded;  // empty, or what to ignore edits of white space and case by
  GivenEdits given;   // where extraction says so
};

/// What became of one hypothesis.
enum class PairStatus : std::uint8_t {
  searched = 0,
  word_diffed = 1,     // the lattice was too large: its edits are those of a word diff
  too_long = 2,        // too long even for that
  gold_too_dense = 3,  // too many gold insertions at one place for the exact choice
};

/// Proposes edits for one hypothesis against each annotation of its source.
class Proposer {
 public:
  explicit Proposer(const MaxMatchOptions& options) : options_(options) {}

  PairStatus open(std::size_t pair, Tokens source, Tokens hypothesis, std::span<const Annotation> golds);
  /// `one_to_one`: where edits are chosen to agree most, each is credited with one gold edit at most.
  PairStatus propose(std::size_t gold, Criterion criterion, bool one_to_one, std::vector<Edit>& edits);
  /// How many edits count as right, by the behaviour's own rule.
  int true_positives(std::span<const Edit> edits, const Annotation& gold);

 private:
  MaxMatchOptions options_;
  Tokens source_, hypothesis_;
  bool unchanged_ = false, fixed_ = false;
  std::span<const Annotation> golds_;
  std::vector<Edit> fixed_edits_;
  std::vector<std::vector<Edit>> published_edits_;  // by annotation
  PublishedSearch published_;
  OptimalSearch optimal_;
};

struct Pairs {
  Sentences sources, hypotheses;
  std::span<const std::int64_t> source_of;  // by hypothesis
  GoldTable gold;
};

/// tp, proposed and gold for each hypothesis and annotator column; -1 where the annotator is no candidate.
void count_maxmatch(const Pairs& pairs, const MaxMatchOptions& options, std::size_t annotators, int threads,
                    std::span<std::int32_t> counts, std::span<std::uint8_t> status);

/// met, spurious, system, gold and missed optional for each hypothesis, annotator column and criterion.
void count_hoo(const Pairs& pairs, const MaxMatchOptions& options, std::size_t annotators, int threads,
               std::span<std::int32_t> counts, std::span<std::uint8_t> status);

struct TracedEdit {
  std::int32_t pair, annotator;
  Edit edit;
};

/// The proposed edits themselves, for those who want to look.
std::vector<TracedEdit> trace_edits(const Pairs& pairs, const MaxMatchOptions& options, Criterion criterion,
                                    int threads, std::span<std::uint8_t> status);

}  // namespace recte
