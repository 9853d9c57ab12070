#include "readers/fingerprints.hpp"

namespace recte {
namespace {

class Hash {
 public:
  void add(std::uint64_t word) { state_ = scrambled(state_ + 0x9e3779b97f4a7c15ULL + word); }
  void add(std::string_view text) { add(hash_bytes(text)); }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

// What comes next is named, so that nothing can be taken for something else.
enum Part : std::uint64_t { source = 1, annotator = 2, edit = 3, references = 4 };

}  // namespace

void fingerprints(const FingerprintColumns& columns, const Interner& vocabulary, std::int64_t first,
                  std::span<std::uint64_t> hashes) {
  const GoldColumns& gold = columns.gold;
  for (std::size_t sentence = 0; sentence < hashes.size(); ++sentence) {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(first) + sentence);
    const Tokens tokens = columns.tokens[sentence];
    hash.add(Part::source);
    hash.add(tokens.size());
    for (const Token token : tokens) hash.add(vocabulary.hash(token));
    for (const std::int64_t a : annotations_by_column(gold, sentence)) {
      hash.add(Part::annotator);
      hash.add(columns.annotator_hashes[static_cast<std::size_t>(gold.annotators[a])]);
      for (std::int64_t e = gold.edit_offsets[a]; e < gold.edit_offsets[a + 1]; ++e) {
        hash.add(Part::edit);
        hash.add(static_cast<std::uint64_t>(gold.starts[e]) << 32 | static_cast<std::uint64_t>(gold.ends[e]));
        hash.add(columns.types[static_cast<std::size_t>(e)]);
        hash.add(columns.required[e]);
        hash.add(static_cast<std::uint64_t>(gold.correction_offsets[e + 1] - gold.correction_offsets[e]));
        for (std::int64_t c = gold.correction_offsets[e]; c < gold.correction_offsets[e + 1]; ++c)
          hash.add(gold.corrections[static_cast<std::size_t>(c)]);
      }
    }
    hash.add(Part::references);
    for (std::int64_t r = columns.reference_offsets[sentence]; r < columns.reference_offsets[sentence + 1];
         ++r)
      hash.add(columns.references[static_cast<std::size_t>(r)]);
    hashes[sentence] = hash.value();
  }
}

}  // namespace recte
