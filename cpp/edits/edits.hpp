// What a search proposes: the spans of source and hypothesis that an edit joins, and the offsets it is known
// by.
#pragma once

#include "edits/gold.hpp"

namespace recte {

struct Edit {
  std::int32_t start, end;                        // offsets to compare with the gold's
  std::int32_t source_begin, source_end;          // the words it replaces
  std::int32_t hypothesis_begin, hypothesis_end;  // by these words

  Tokens original(Tokens source) const { return source.subspan(source_begin, source_end - source_begin); }
  Tokens correction(Tokens hypothesis) const {
    return hypothesis.subspan(hypothesis_begin, hypothesis_end - hypothesis_begin);
  }
};

/// Equation 1 of Dahlmeier and Ng (2012), with the original text compared too: the published scorer does, and
/// it matters where the offsets of a sentence-initial insertion are not its place.
inline bool matches(const Edit& edit, Tokens source, Tokens hypothesis, const Annotation& gold, int g) {
  return edit.start == gold.start(g) && edit.end == gold.end(g) &&
         same(edit.original(source), source.subspan(edit.start, edit.end - edit.start)) &&
         gold.accepts(g, edit.correction(hypothesis));
}

/// Maximal runs of changed words in a longest common subsequence, as a word diff prints them.
/// False where the pair is too long even for this.
bool word_diff(Tokens source, Tokens hypothesis, std::vector<Edit>& edits);

}  // namespace recte
