// A hash of each sentence with its gold, the same on every machine; sums of them stand for a corpus.
#pragma once

#include "edits/gold_texts.hpp"

namespace recte {

struct FingerprintColumns {
  Sentences tokens;
  GoldColumns gold;
  std::span<const std::uint64_t> annotator_hashes;  // by annotator
  TextSpans types;                                  // by edit
  std::span<const std::uint8_t> required;           // by edit
  std::span<const std::int64_t> reference_offsets;  // by sentence
  TextSpans references;
};

/// `first` is the place of the first sentence in the whole corpus.
void fingerprints(const FingerprintColumns& columns, const Interner& vocabulary, std::int64_t first,
                  std::span<std::uint64_t> hashes);

}  // namespace recte
