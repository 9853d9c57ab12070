// Counting over a whole corpus: every hypothesis against every annotation of its source, on all cores.
#pragma once

#include "optimal_search.hpp"
#include "published_search.hpp"

namespace recte {

enum class Behaviour { official = 0, paper = 1, optimal = 2 };
enum class Extraction { maxmatch = 0, word_diff = 1, given = 2 };

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

struct MaxMatchOptions {
  Behaviour behaviour = Behaviour::official;
  Extraction extraction = Extraction::maxmatch;
  int max_unchanged_words = 2;
  InitialInsertions initial_insertions = InitialInsertions::running;
  std::int64_t max_vertices = 20'000;
  std::size_t max_stored_arcs = 400'000;
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
