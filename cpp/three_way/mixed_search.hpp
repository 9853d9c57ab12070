// All references that mixing the annotators' corrections can make of one sentence, and the best of them.
#pragma once

#include <functional>

#include "three_way/imeasure.hpp"

namespace recte {

/// One edit of an option.
struct ErrorEdit {
  std::int32_t start, end;
  Tokens correction;
};

/// One error of a sentence: its options, each a set of edits.
using ErrorOptions = std::vector<std::vector<ErrorEdit>>;

/// The best references seen so far: the best alone, or several with distinct counts.
class BestReferences {
 public:
  BestReferences(const IMeasureOptions& options, ThreeWayAligner& aligner)
      : options_(options), aligner_(aligner) {}

  void clear() { kept_.clear(); }
  /// False where the alignment was refused. `note` is kept with a reference that is kept.
  bool consider(Tokens source, Tokens hypothesis, Tokens reference, const std::vector<std::int32_t>& note);
  void consider(const ReferenceCounts& counts, const std::vector<std::int32_t>& note);

  struct Kept {
    ReferenceKey key;
    ReferenceCounts counts;
    std::vector<std::int32_t> note;
  };
  const std::vector<Kept>& kept() const { return kept_; }

 private:
  const IMeasureOptions& options_;
  ThreeWayAligner& aligner_;
  std::vector<Kept> kept_;  // best first
};

class MixedSearch {
 public:
  MixedSearch(const IMeasureOptions& options, ThreeWayAligner& aligner)
      : options_(options), aligner_(aligner) {}

  /// Fill `best` with the best choice of options; its notes are option numbers by error.
  TripleStatus search(Tokens source, Tokens hypothesis, const std::vector<ErrorOptions>& errors,
                      BestReferences& best);

 private:
  struct Segment {
    std::size_t source_begin, source_end, hypothesis_begin, hypothesis_end;
    std::vector<std::size_t> errors;
  };
  using Visit = std::function<bool(const std::vector<std::int32_t>&, Tokens)>;

  bool consider_source(Tokens source, Tokens hypothesis, std::size_t errors, BestReferences& best);
  bool enumerate(Tokens source, const std::vector<ErrorOptions>& errors, std::size_t shift,
                 const std::vector<std::size_t>& which, const Visit& visit);
  bool apply(Tokens source, const std::vector<ErrorOptions>& errors, std::size_t shift,
             const std::vector<std::size_t>& which, const std::vector<std::int32_t>& options);
  /// Option by option to the best neighbour, where a segment has more combinations than can be tried.
  bool climb(Tokens source, const std::vector<ErrorOptions>& errors, std::size_t shift,
             const std::vector<std::size_t>& which,
             const std::function<ReferenceKey(const std::vector<std::int32_t>&, Tokens, bool&)>& weigh);
  std::vector<Segment> cut(Tokens source, Tokens hypothesis, const std::vector<ErrorOptions>& errors);
  /// Segments by which most combinations can be ruled out, or none where trying all is as fast.
  std::vector<Segment> bounded_segments(Tokens source, Tokens hypothesis,
                                        const std::vector<ErrorOptions>& errors,
                                        const std::vector<std::size_t>& all);
  /// All combinations, but for those that a bound says are worse than the best.
  TripleStatus search_bounded(Tokens source, Tokens hypothesis, const std::vector<ErrorOptions>& errors,
                              const std::vector<Segment>& segments, const std::vector<std::size_t>& all,
                              BestReferences& best);
  TripleStatus search_segments(Tokens source, Tokens hypothesis, const std::vector<ErrorOptions>& errors,
                               BestReferences& best);

  const IMeasureOptions& options_;
  ThreeWayAligner& aligner_;
  std::vector<const ErrorEdit*> edits_;
  std::vector<Token> reference_;
};

}  // namespace recte
