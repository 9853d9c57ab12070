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

/// For each pair of labels how much more the second can get than the first from a neighbour whose label is
/// not known, the place before it or the one behind it; 0 at an end of the sentence, so never less.
struct TransitionGains {
  std::vector<std::int64_t> from_before, from_behind;  // labels × labels
  // How far the second may score below the first: both together, and less than the margin.
  std::vector<std::uint32_t> allowed;

  TransitionGains(std::size_t labels, std::int32_t margin, std::span<const std::int32_t> transitions);
};

/// A label that a place may have, and its score there.
struct Candidate {
  std::int32_t label, score;
};

/// The best sequence of labels. A label that scores `margin` or more below a place's best is no candidate
/// there; the lower label wins a tie. Nor is a label that would always lose to the place's best one, whatever
/// stands next to it: leaving it out changes nothing, and most places have one candidate left.
class LabelSearch {
 public:
  /// `transitions` has labels × labels weights, the earlier label first; `gains` are theirs.
  LabelSearch(std::size_t labels, std::span<const std::int32_t> transitions, const TransitionGains& gains);

  /// Adds the candidates of a place whose labels have these scores.
  void add_candidates(std::span<const std::int32_t> scores, std::vector<Candidate>& candidates) const;
  /// The candidates that do not always lose to the best one, given those of the places before and behind:
  /// they are moved to the front, and their number is returned. None of a neighbour are candidates not known.
  std::size_t drop_losers(std::span<Candidate> candidates, std::span<const Candidate> before,
                          std::span<const Candidate> behind) const;
  /// The best labels of places with these candidates.
  void choose(std::span<const std::span<const Candidate>> places, std::span<std::int32_t> labels);
  /// Both; `scores` has one row of labels per token.
  void best(std::span<const std::int32_t> scores, std::span<std::int32_t> labels);

 private:
  struct Path {
    std::int64_t total;
    std::size_t from;  // which candidate of the place before
  };

  std::size_t labels_;
  std::span<const std::int32_t> transitions_;
  const TransitionGains& gains_;
  std::vector<Path> paths_;
};

/// Candidates by the types around a place: scores depend on those alone, and a correction has most of its
/// source's, which it follows. So few entries find most windows again, and stay in the processor's memory. An
/// entry is overwritten by the next one that falls on its slot, candidates by those that come much later.
class WindowMemory {
 public:
  /// `width` types make a window; `tokens` are to be labelled.
  WindowMemory(std::size_t width, std::size_t tokens);

  /// Where a window's candidates are, or would be; they are soon in the processor's memory.
  std::size_t slot_of(const Token* window) const;
  /// The candidates of a window; none where they are not known.
  std::span<const Candidate> find(std::size_t slot, const Token* window) const;
  /// Keeps the candidates of a window.
  void keep(std::size_t slot, const Token* window, std::span<const Candidate> candidates);

 private:
  struct Entry {
    static constexpr std::size_t widest = 9;
    std::uint64_t begin = 0;  // how many candidates were kept before
    std::uint32_t size = 0;
    std::array<Token, widest> window;
  };

  /// Candidates lie in a ring; the other half of them is for a piece that goes beyond its end.
  std::size_t ring_size() const { return candidates_.size() / 2; }
  std::size_t place_of(std::uint64_t begin) const { return begin & (ring_size() - 1); }

  std::size_t width_, mask_;
  std::uint64_t kept_ = 0;
  std::vector<Entry> entries_;
  std::vector<Candidate> candidates_;
};

class Labeller {
 public:
  /// Features ascend; feature f has the weights offsets[f]..offsets[f + 1] for the labels in `weight_labels`.
  Labeller(std::vector<Template> templates, std::size_t labels, std::int32_t margin,
           std::span<const std::uint32_t> features, std::span<const std::uint8_t> weights_per_feature,
           std::span<const std::uint8_t> weight_labels, std::span<const std::int16_t> weights,
           std::vector<std::int32_t> transitions);

  /// The label of each token: the best sequence of labels, the lower label wins a tie. Where `wanted` is not
  /// empty, tokens without a mark there may get -1: the others' labels are those of the whole sentence.
  void label(const TokenTypes& types, const Sentences& sentences, std::span<const std::uint8_t> wanted,
             int threads, std::span<std::int32_t> found) const;

  std::int32_t columns() const { return columns_; }

 private:
  /// Labels and their weights, four at a time: nearly all features have no more. What is left over has weight
  /// 0.
  struct Block {
    static constexpr std::size_t size = 4;
    std::array<std::uint8_t, size> labels{};
    std::array<std::int16_t, size> weights{};
  };
  /// Features in their order. A bucket has those that begin with its number, and what did not fit
  /// into the ones before; where it is full, the next one may have more.
  struct alignas(64) Bucket {  // as large as what a processor fetches at once
    static constexpr std::size_t size = 8;
    std::array<std::uint32_t, size> features;  // none: `empty`, which no feature is above
    std::array<std::uint32_t, size> blocks;    // where the feature's begin, and how many there are
  };
  static constexpr std::uint32_t empty = 0xffffffffU;
  static constexpr int count_bits = 8;
  struct Numbered {
    std::uint32_t seed;
    int size;
    Template one;
  };
  class SentenceLabels;  // labels one sentence after another

  /// The first bucket that may have the feature: features are hashes, so their first bits spread well.
  std::size_t bucket_of(std::uint32_t feature) const { return std::uint64_t{feature} >> shift_; }
  /// The blocks of a feature: where they begin and how many; 0 for a feature without any.
  std::uint32_t blocks_of(std::uint32_t feature) const;
  /// Whether a feature may have weights: most features of several cells have none.
  bool may_have_weights(std::uint32_t feature) const {
    const std::uint32_t bit = feature >> filter_shift_;
    return filter_[bit / 64] >> (bit % 64) & 1;
  }
  /// What the types alone score at each distance of `distances_`, labels × distances × types.
  std::vector<std::int32_t> score_alone(const TokenTypes& types, int threads) const;
  void add(std::uint32_t blocks, std::int32_t* scores) const;

  std::size_t labels_;
  std::vector<Numbered> single_, joint_;  // templates of one distance, and of several, the shorter ones first
  std::int32_t columns_ = 0;
  std::size_t reach_ = 0;                // the furthest distance of a cell
  std::vector<std::int32_t> distances_;  // those of single cells
  int shift_ = 0, filter_shift_ = 0;
  std::vector<std::uint64_t> filter_;  // a bit for the first bits of each feature
  std::vector<Bucket> buckets_;
  std::vector<Block> blocks_;
  std::vector<std::int32_t> transitions_;
  TransitionGains gains_;
};

}  // namespace recte
