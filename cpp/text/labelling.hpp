// One label per token by a linear model with integer weights: what our tagger is made of.
//
// A token is known by its type (its distinct form), and a type by columns of numbers: attributes. A template
// names one to three cells (a column and a distance from the token); their values make one number, a feature.
// A label scores the sum of the weights that the features have for it, and a sequence of labels the sum of
// its labels' scores and of the weights between neighbours. Integers throughout: the same answer everywhere.
#pragma once

#include <array>

#include "text/tokens.hpp"

namespace recte {

/// Column and distance of up to three cells; a column of -1 ends them.
struct Template {
  struct Cell {
    std::int32_t column, distance;
  };
  static constexpr int most = 3;
  std::array<Cell, most> cells;

  int size() const;
};

/// Attributes, one row per type. The last row stands for what lies beyond the ends of a sentence.
struct TokenTypes {
  std::span<const std::uint32_t> attributes;
  std::size_t columns;

  std::size_t size() const { return columns ? attributes.size() / columns : 0; }
  Token beyond() const { return static_cast<Token>(size()) - 1; }
  std::uint32_t at(Token type, std::int32_t column) const {
    return attributes[static_cast<std::size_t>(type) * columns + static_cast<std::size_t>(column)];
  }
};

/// What the numbers of a template's features begin with.
std::uint32_t seed_of(std::size_t number_of_template);

/// The number of the feature that a template makes of these values.
std::uint32_t feature_of(std::uint32_t seed, std::span<const std::uint32_t> values);

/// The type at a place of a sentence, or the one beyond its ends.
inline Token type_at(Tokens sentence, std::int64_t place, const TokenTypes& types) {
  return place < 0 || place >= static_cast<std::int64_t>(sentence.size()) ? types.beyond() : sentence[place];
}

/// For each pair of labels how far the second may score below the first, if the first is a place's best, and
/// still be chosen: what its neighbours can give it more than the first, and less than `margin`.
std::vector<std::int64_t> allowed_below(std::size_t labels, std::int32_t margin,
                                        std::span<const std::int32_t> transitions);

/// The best sequence of labels. A label that scores `margin` or more below a place's best is no candidate
/// there; the lower label wins a tie. Nor is a label that would always lose to the place's best one, whatever
/// stands next to it: leaving it out changes nothing, and most places have one candidate left.
class LabelSearch {
 public:
  /// `transitions` has labels × labels weights, the earlier label first; `allowed` is `allowed_below` of
  /// them.
  LabelSearch(std::size_t labels, std::span<const std::int32_t> transitions,
              std::span<const std::int64_t> allowed);

  /// `scores` has one row of labels per token.
  void best(std::span<const std::int32_t> scores, std::span<std::int32_t> labels);

 private:
  struct Candidate {
    std::int32_t label, from;  // which candidate of the place before
    std::int64_t total;
  };

  std::size_t labels_;
  std::span<const std::int32_t> transitions_;
  std::span<const std::int64_t> allowed_;
  std::vector<Candidate> candidates_;
};

/// Scores of one sentence's labels, a row per token, and of the sentence before it. A row depends on the
/// types within reach alone: where the sentence before has the same ones, as a source and its correction
/// have, the row is copied.
class RowMemory {
 public:
  RowMemory(std::size_t reach, std::size_t labels);

  void begin(Tokens sentence, Token beyond);
  /// Whether the row was there to copy.
  bool contains(std::size_t place);

  /// The type at a distance from a place, which may be the one beyond the ends.
  Token at(std::size_t place, std::int32_t distance) const {
    return now_.padded[place + reach_ + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(distance))];
  }
  std::int32_t* row(std::size_t place) { return now_.scores.data() + place * labels_; }
  std::span<const std::int32_t> scores() const { return now_.scores; }

 private:
  struct Rows {
    std::vector<Token> padded;  // as many types beyond each end as templates reach
    std::vector<std::int32_t> scores;
  };

  bool same(std::size_t place, std::ptrdiff_t shift) const;

  std::size_t reach_, labels_;
  std::ptrdiff_t shift_ = 0;  // where a place was last found, from itself
  Rows before_, now_;
};

class Labeller {
 public:
  /// Features ascend; feature f has the weights offsets[f]..offsets[f + 1] for the labels in `weight_labels`.
  Labeller(std::vector<Template> templates, std::size_t labels, std::int32_t margin,
           std::span<const std::uint32_t> features, std::span<const std::uint8_t> weights_per_feature,
           std::span<const std::uint8_t> weight_labels, std::span<const std::int16_t> weights,
           std::vector<std::int32_t> transitions);

  /// The label of each token.
  void label(const TokenTypes& types, const Sentences& sentences, int threads,
             std::span<std::int32_t> found) const;

  std::int32_t columns() const { return columns_; }

 private:
  /// A label and its weight in two bytes, as nearly all weights are small. A feature has how many of them are
  /// small and how many are large, then the small ones, then each large one's label and its two bytes.
  using Entry = std::array<std::uint8_t, 2>;
  struct Slot {
    std::uint32_t feature = empty;
    std::uint32_t weights = 0;  // where its entries begin
  };
  static constexpr std::uint32_t empty = 0xffffffffU;  // ends a search for any feature, and has no weights
  struct Numbered {
    std::uint32_t seed;
    int size;
    Template one;
  };

  /// The first slot that may have the feature: features are hashes, so their first bits spread well.
  std::size_t slot_of(std::uint32_t feature) const { return std::uint64_t{feature} >> shift_; }
  /// Where the weights of a feature begin; 0, where there are none, for a feature without any.
  std::uint32_t weights_of(std::uint32_t feature) const;
  void add(std::uint32_t begin, std::int32_t* scores) const;

  std::size_t labels_;
  std::vector<Numbered> single_, joint_;  // templates of one cell, and of several
  std::int32_t columns_ = 0;
  std::size_t reach_ = 0;                // the furthest distance of a cell
  std::vector<std::int32_t> distances_;  // those of single cells
  int shift_ = 0;
  std::vector<Slot> slots_;  // features in their order, each at its first bits or, if taken, soon after
  std::vector<Entry> weights_;
  std::vector<std::int32_t> transitions_;
  std::vector<std::int64_t> allowed_;
};

}  // namespace recte
