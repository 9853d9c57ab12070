// The published, sequential choice of annotators for many weightings of a corpus at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "edits/choice_candidates.hpp"

namespace recte {

/// Totals of a group of weightings that go through the sentences side by side, one in each lane.
///
/// Whose counts a lane takes depends on its totals so far. But lanes are alike: where the best annotator is
/// the same for all totals that any lane can have reached, there is nothing to choose, and weighted counts
/// are added in whole numbers. Only where it is not, each lane chooses for itself. The sums are those of a
/// choice in every lane, to the last digit.
class RunningSums {
 public:
  static constexpr std::size_t lanes = 64;
  static constexpr std::size_t stretch = 128;  // most sentences that are looked at ahead

  /// How many are best looked at behind `done` sentences: the larger the totals, the less they can change.
  static std::size_t stretch_behind(std::size_t done) {
    return std::clamp<std::size_t>(done / 64, 16, stretch);
  }

  template <class Weight>
  using Weights = std::array<Weight, lanes>;

  /// The first `used` lanes are looked at; the others' weights must be 0.
  RunningSums(const Candidates& candidates, double beta2, std::size_t used);
  /// What a lane has before the first sentence: the sums of those before these.
  void begin(std::size_t lane, const Totals& before) { totals_[lane] = before; }

  /// Before sentences `first` to `last` - 1, at most a stretch of them, no weight of which is above `most`.
  void look_ahead(std::size_t first, std::size_t last, double most);
  /// Whether weights of a sentence among those looked at change anything.
  bool matters(std::size_t sentence) const { return !nothing_[sentence - first_]; }
  /// A sentence as often as its weight in each lane says.
  template <class Weight>
  void add(std::size_t sentence, const Weights<Weight>& weights);

  /// The sums of a lane.
  Totals of(std::size_t lane);

 private:
  template <class Weight>
  void choose(std::span<const Candidate> rivals, const Weights<Weight>& weights);
  void settle();

  const Candidates& candidates_;
  const double beta2_;
  const std::size_t used_;
  std::size_t first_ = 0;
  bool small_ = false;  // counts times weights of a stretch fit in 16 bits
  std::array<const Candidate*, stretch> taken_{};
  std::array<bool, stretch> nothing_{};
  std::array<Totals, lanes> totals_{};
  bool unsettled_ = false;
  alignas(64) std::array<Weights<std::uint16_t>, 3> pending_{};  // tp, proposed, gold
};

}  // namespace recte
