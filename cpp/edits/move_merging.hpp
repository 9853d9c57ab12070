// ChERRANT's merging: what was taken away here and put in there is one move.
#pragma once

#include "edits/tied_alignment.hpp"

namespace recte {

/// Turns aligned items of one pair into edits: items that are one move are joined, what only cuts words
/// otherwise is dropped, and words that stay the same at the ends of a substitution are cut off.
class MoveMerger {
 public:
  /// `punctuation` is a text, as code points: whatever stands in it, a run of its signs included, never
  /// moves.
  MoveMerger(const ChineseTokens& tokens, std::span<const std::int32_t> punctuation)
      : tokens_(tokens), punctuation_(punctuation) {}

  void read(Tokens source, Tokens target);
  void merge(std::span<const AlignedItem> items, std::vector<AlignedItem>& edits) const;

 private:
  /// A sentence's letters, and where each token's begin.
  struct Spelt {
    std::vector<std::int32_t> letters;
    std::vector<std::size_t> offsets;

    Tokens text(std::int32_t start, std::int32_t end) const {
      return Tokens(letters).subspan(offsets[std::size_t(start)],
                                     offsets[std::size_t(end)] - offsets[std::size_t(start)]);
    }
  };

  void spell(Tokens tokens, Spelt& spelt) const;
  Tokens source(const AlignedItem& item) const { return source_.text(item.source_start, item.source_end); }
  Tokens target(const AlignedItem& item) const { return target_.text(item.target_start, item.target_end); }
  bool is_move(const AlignedItem& x, const AlignedItem& y, const AlignedItem& z) const;
  bool is_moved(Tokens removed, Tokens inserted) const;
  AlignedItem trimmed(const AlignedItem& item) const;

  const ChineseTokens& tokens_;
  std::span<const std::int32_t> punctuation_;
  Spelt source_, target_;
};

/// The edits of many pairs. Alternative a of pair p is number `alternatives[p] + a`, its edits are those from
/// `offsets` of that number up to the next.
struct TiedEdits {
  std::vector<std::int64_t> alternatives, offsets;
  std::vector<AlignedItem> edits;
  std::vector<double> costs;
  std::vector<std::int64_t> walks;
  std::vector<std::uint8_t> cut_off;  // 1 where there were more ways than the limit
};

/// Align and merge every pair; pairs whose lengths differ by more than `longest_tie` tokens, or all with a
/// negative one, keep the first alignment alone.
TiedEdits extract_tied_edits(const Sentences& sources, const Sentences& targets, const ChineseTokens& tokens,
                             const Confusions& confusions, std::span<const std::int32_t> punctuation,
                             ChineseLevel level, int longest_tie, std::size_t limit, int threads);

}  // namespace recte
