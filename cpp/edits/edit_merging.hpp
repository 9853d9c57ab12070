// Steps of an alignment put together to edits, after Felice, Bryant and Briscoe (2016).
#pragma once

#include "edits/annotated_text.hpp"
#include "edits/extraction_options.hpp"

namespace recte {

/// Puts the steps of one pair after another together.
class EditMerger {
 public:
  EditMerger(const WordTable& table, const ExtractionOptions& options)
      : table_(table), merging_(options.merging), rules_(options.rules.merging) {}

  /// Appends the edits in the order of the sentence.
  void merge(const AnnotatedSentence& source, const AnnotatedSentence& corrected,
             std::span<const AlignedSpan> steps, std::vector<AlignedSpan>& edits);

 private:
  using Run = std::span<const AlignedSpan>;
  enum class Fired { nothing, head_alone, last_two, whole, whole_alone, split, last_alone };

  void merge_by_rules(Run run);
  Fired rule_for(Run run, std::size_t a, std::size_t z) const;
  Fired pair_rule(Run run, std::size_t a, std::size_t z) const;
  bool same_end(Run run, std::size_t a, std::size_t z, Fired& fired) const;
  bool same_letters(const AlignedSpan& span) const;
  bool one_kind(const AlignedSpan& span) const;
  bool has_content(const AlignedSpan& span) const;
  bool is_punctuation(const AnnotatedSentence& sentence, std::int32_t place) const;
  bool similar(std::int32_t source_place, std::int32_t corrected_place) const;
  void join(Run run);

  const WordTable& table_;
  Merging merging_;
  MergeRules rules_;
  AnnotatedSentence source_, corrected_;
  std::vector<AlignedSpan>* edits_ = nullptr;
};

}  // namespace recte
