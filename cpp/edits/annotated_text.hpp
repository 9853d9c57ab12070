// Sentences as aligning and merging edits see them: words, lemmas, coarse tags.
#pragma once

#include "text/tokens.hpp"

namespace recte {

/// Coarse tags with a meaning of their own; every other tag has a number from `other_tags` on.
enum CoarseTag : std::int32_t { adj, adv, noun, verb, aux, part, det, punct, other_tags };

/// What is known of each distinct word, by its number.
struct WordTable {
  std::span<const std::int32_t> lower;        // the number of its lower-case form
  Sentences letters;                          // its code points
  Sentences joined;                           // those of its lower case, without apostrophes and hyphens
  std::span<const std::uint8_t> capitalised;  // whether the first letter is upper case
  std::span<const std::uint8_t> punctuation;  // whether it is a stretch of ASCII punctuation
};

/// One sentence of an annotated text.
struct AnnotatedSentence {
  Tokens words, lemmas, tags;
  std::span<const std::uint8_t> possessive;  // whether the fine tag is POS

  std::size_t size() const { return words.size(); }
  AnnotatedSentence part(std::size_t begin, std::size_t length) const {
    return {words.subspan(begin, length), lemmas.subspan(begin, length), tags.subspan(begin, length),
            possessive.subspan(begin, length)};
  }
};

/// Many annotated sentences; the columns share the words' offsets.
struct AnnotatedText {
  Sentences words;
  Tokens lemmas, tags;
  std::span<const std::uint8_t> possessive;

  std::size_t size() const { return words.size(); }
  AnnotatedSentence operator[](std::size_t index) const {
    const auto begin = static_cast<std::size_t>(words.offsets[index]);
    const std::size_t length = words[index].size();
    return AnnotatedSentence{words.tokens, lemmas, tags, possessive}.part(begin, length);
  }
};

/// A step of an alignment, and the tokens of source and correction it covers. A transposition's width is
/// that of its span.
struct AlignedSpan {
  enum Operation : std::int32_t { match, substitution, insertion, deletion, transposition };

  std::int32_t operation, source_begin, source_end, corrected_begin, corrected_end;
};

}  // namespace recte
