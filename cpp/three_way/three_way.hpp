// Exact three-way alignment of source, hypothesis and reference by the sum of pairs (Felice and Briscoe
// 2015, 2.2).
#pragma once

#include <array>
#include <vector>

#include "text/tokens.hpp"

namespace recte {

/// Costs of a pair in a column; two gaps cost nothing. The paper wants 2·gap > mismatch > gap > match.
struct AlignmentCosts {
  std::int32_t match = 0, mismatch = 3, gap = 2;
};

/// A column takes a token of source, hypothesis or reference where its bit is set.
enum Takes : std::uint8_t { reference_bit = 1, hypothesis_bit = 2, source_bit = 4 };

/// Predecessors in the published order: the first that is optimal is followed back from the end.
inline constexpr std::array<std::uint8_t, 7> column_order = {0b111, 0b110, 0b101, 0b011, 0b100, 0b010, 0b001};

/// Table 6 of the paper: what a column counts as, for detection and for correction.
struct TokenCounts {
  std::int32_t detection_tp = 0, detection_tn = 0, detection_fp = 0, detection_fn = 0;
  std::int32_t correction_tp = 0, correction_tn = 0, correction_fp = 0, correction_fn = 0, correction_fpn = 0;

  void add_unchanged(int columns) {
    detection_tn += columns;
    correction_tn += columns;
  }
  /// -1 stands for a gap.
  void add_column(Token source, Token hypothesis, Token reference);
  TokenCounts& operator+=(const TokenCounts& other);
  auto operator<=>(const TokenCounts&) const = default;
};

/// The do-nothing baseline as released: the source aligned with the reference again. Gaps and changes are
/// errors.
struct BaselineCounts {
  std::int32_t tn = 0, fn = 0;
  auto operator<=>(const BaselineCounts&) const = default;
};

class ThreeWayAligner {
 public:
  /// `max_cells` of the cube is where an alignment is refused instead of filling it.
  ThreeWayAligner(AlignmentCosts costs, std::int64_t max_cells) : costs_(costs), max_cells_(max_cells) {}

  /// Counts of the published alignment. False where it would need a larger cube than allowed.
  bool count(Tokens source, Tokens hypothesis, Tokens reference, TokenCounts& counts) {
    std::int64_t cost = 0;
    return count(source, hypothesis, reference, counts, cost);
  }
  /// The same, and what it costs besides common beginnings and ends.
  bool count(Tokens source, Tokens hypothesis, Tokens reference, TokenCounts& counts, std::int64_t& cost);
  /// The same with its columns, as Takes, first to last, and its cost.
  bool align(Tokens source, Tokens hypothesis, Tokens reference, std::vector<std::uint8_t>& columns,
             std::int64_t& cost);
  /// Every distinct outcome of all optimal alignments, at most `limit`.
  bool outcomes(Tokens source, Tokens hypothesis, Tokens reference, std::size_t limit,
                std::vector<TokenCounts>& found);
  BaselineCounts baseline(Tokens source, Tokens reference);

 private:
  // The cells that one (source, hypothesis) position has: references from..to, values from `offset` on.
  struct Run {
    std::int32_t hypothesis, from, to;
    std::int64_t offset;
  };
  // Distances of two texts on the diagonals that can matter, and the slack of each cell: what the best path
  // through it costs above the best of all.
  class PairTable {
   public:
    /// Every cell with slack up to `slack_wanted` is known; slacks only `with_slack`.
    void fill(Tokens a, Tokens b, const AlignmentCosts& costs, std::int32_t slack_wanted, bool with_slack);
    std::int32_t total() const { return total_; }
    int first(int i) const { return std::max(0, i + lowest_); }
    int last(int i) const { return std::min(columns_ - 1, i + highest_); }
    std::int32_t forward(int i, int j) const { return forward_[cell(i, j)]; }
    /// Cells that were left out have more slack than wanted.
    std::int32_t slack(int i, int j) const {
      return j < first(i) || j > last(i) ? left_out : slack_[cell(i, j)];
    }
    static constexpr std::int32_t left_out = 1 << 28;

   private:
    std::size_t cell(int i, int j) const {
      return static_cast<std::size_t>(i) * step_ + static_cast<std::size_t>(j + offset_);
    }
    int rows_ = 0, columns_ = 0, lowest_ = 0, highest_ = 0, offset_ = 0;
    std::size_t step_ = 0;  // from a cell to the one below it
    std::int32_t total_ = 0;
    std::vector<std::int32_t> forward_, slack_;
  };

  /// Columns of the alignment of two texts, the first of which stands there twice.
  struct PairColumns {
    int matches = 0, others = 0;
  };
  /// Predecessors in the published order: both texts, the one that stands there twice, the other.
  PairColumns align_pair(Tokens twice, Tokens once);

  void fill_tables(std::int32_t slack_wanted);
  bool fits(Tokens source, Tokens hypothesis, Tokens reference) const;
  bool solve(Tokens source, Tokens hypothesis, Tokens reference);
  bool sweep(std::int32_t allowed, std::int64_t most_cells);
  void forget(std::size_t row);
  const std::int32_t* find(int i, int j, int k) const;
  std::int32_t column_cost(int i, int j, int k, std::uint8_t takes) const;
  std::uint8_t best_column(int i, int j, int k) const;

  AlignmentCosts costs_;
  std::int64_t max_cells_;
  Tokens source_, hypothesis_, reference_, filled_source_, filled_hypothesis_;
  std::int32_t filled_slack_ = 0;  // up to which slacks of source and hypothesis are known
  PairTable source_hypothesis_, source_reference_, hypothesis_reference_, pair_;
  std::vector<std::int64_t> runs_of_;  // by source position, into runs_
  std::vector<Run> runs_;
  std::vector<std::int32_t> values_;
  std::vector<std::int32_t> previous_, current_;  // planes of the recurrence; all unreached between sweeps
  std::vector<std::uint8_t> columns_;
};

}  // namespace recte
