// Gold edits applied: the rewritten sentences that metrics over texts compare with.
#pragma once

#include "readers/interning.hpp"

namespace recte {

/// Annotations in columns: sentence, annotation, edit, correction.
struct GoldColumns {
  std::span<const std::int64_t> annotation_offsets;  // by sentence
  std::span<const std::int32_t> annotators;          // by annotation: its column
  std::span<const std::int64_t> edit_offsets;        // by annotation
  std::span<const std::int32_t> starts, ends;        // by edit
  std::span<const std::int64_t> correction_offsets;  // by edit
  TextSpans corrections;
  Sentences words;  // of each correction
};

/// The annotations of a sentence by their columns: in files they stand in the order of their first lines.
std::vector<std::int64_t> annotations_by_column(const GoldColumns& gold, std::size_t sentence);

struct TextsOfSentences {
  std::vector<std::int64_t> offsets{0};  // by sentence
  std::vector<Token> ids;
  std::vector<std::int64_t> ends{0};  // by text

  void add(Tokens text) {
    ids.insert(ids.end(), text.begin(), text.end());
    ends.push_back(static_cast<std::int64_t>(ids.size()));
  }
  void close_sentence() { offsets.push_back(static_cast<std::int64_t>(ends.size()) - 1); }
};

/// Which edits may be left undone: those not required, and those with the original among their corrections.
void mark_optional(const Sentences& sources, const GoldColumns& gold, std::span<const std::uint8_t> required,
                   std::span<std::uint8_t> optional);

/// One text for each of `columns` annotators by the first correction of each edit; one that has no annotation
/// of the sentence gets a copy of its first annotator's text, or the source. Sentences without annotations
/// keep their references. `skipped` edits are not applied.
TextsOfSentences annotator_texts(const Sentences& sources, const GoldColumns& gold,
                                 std::span<const std::uint8_t> skipped, std::size_t columns,
                                 bool missing_is_source, std::span<const std::int64_t> reference_offsets,
                                 const Sentences& references);

/// The distinct references of the I-measure without mixing: overlapping edits clustered, those of one
/// annotator applied, and the source where an annotator has no edit. `words` are those of each edit's
/// correction. Sentences without annotations keep their distinct references.
TextsOfSentences unmixed_references(const Sentences& sources, const GoldColumns& gold,
                                    std::span<const std::int64_t> lines, const Sentences& words,
                                    std::span<const std::int64_t> reference_offsets,
                                    const Sentences& references);

}  // namespace recte
