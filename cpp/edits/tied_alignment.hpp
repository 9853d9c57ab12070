// All cheapest alignments of two Chinese sentences, as ChERRANT keeps them, without walking each.
#pragma once

#include "edits/chinese_tokens.hpp"

namespace recte {

enum class Operation : std::uint8_t { match = 0, transpose = 1, substitute = 2, insert = 3, remove = 4 };

/// A run of one operation: source and target tokens from start up to end.
struct AlignedItem {
  Operation operation;
  std::int32_t source_start, source_end, target_start, target_end;

  bool operator==(const AlignedItem&) const = default;
};

/// Fills the cost table of one pair after another and lists the ways through it, in memory that is used
/// again.
class TiedAligner {
 public:
  TiedAligner(const ChineseTokens& tokens, const ChineseCosts& costs, ChineseLevel level)
      : tokens_(tokens), costs_(costs), level_(level) {}

  void fill(Tokens source, Tokens target);

  double cost() const { return cells_.back().cost; }

  /// How many ways back there are; stays at the largest number that fits.
  std::int64_t walks() const { return cells_.back().walks; }

  /// The distinct ways in the published order (depth first from the end; transposition, substitution,
  /// insertion, deletion), each with its runs joined; the first `limit` of them, or with `first_only` the
  /// first operation of each cell alone. False where the limit cut some off.
  bool alternatives(bool first_only, std::size_t limit, std::vector<std::vector<AlignedItem>>& found);

 private:
  struct Cell {
    double cost;
    std::int64_t walks;
    std::int32_t width;  // of the transposition, where there is one
    std::uint8_t operations;
  };
  /// One way to leave a cell: an item (or, of words, single substitutions), and the cell before it.
  struct Exit {
    Operation operation;
    bool single;
    std::int32_t next;
  };
  /// A cell from which ways go on. Where a run has just ended, only a match or a transposition may follow.
  struct Stop {
    std::size_t cell;
    bool after_run;
    std::vector<Exit> exits;
    std::vector<std::int32_t> ways;  // of what lies before: last items in `links_`
  };
  struct Link {
    AlignedItem item;
    std::int32_t before;
  };

  void fill_cell(Tokens source, Tokens target, std::size_t i, std::size_t j);
  std::int32_t transposition(Tokens source, Tokens target, std::size_t i, std::size_t j) const;
  bool same_window(Tokens source, Tokens target, std::size_t i, std::size_t j, std::size_t width) const;
  bool allows(std::size_t cell, Operation operation) const;
  std::uint8_t followed(std::size_t cell) const;
  std::size_t before(std::size_t cell, Operation operation) const;
  std::int32_t stop_at(std::size_t cell, bool after_run);
  void find_exits(std::int32_t stop);
  void walk_run(std::int32_t stop);
  bool list_ways(Stop& stop, std::size_t limit);
  std::int32_t link(const Exit& exit, std::size_t from, std::size_t to, std::int32_t way);

  const ChineseTokens& tokens_;
  const ChineseCosts& costs_;
  ChineseLevel level_;
  bool first_only_ = false;
  std::size_t columns_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint64_t> source_sums_, target_sums_;  // of hashes, to compare windows as multisets
  std::vector<std::int32_t> changes_, changes_above_;     // how long costs have changed along the diagonal
  std::size_t last_match_in_row_ = 0;              // the column of the last match in this row, 0 for none
  std::vector<std::size_t> last_match_in_column_;  // the row of the last match in each column
  mutable std::vector<std::int32_t> window_a_, window_b_;
  std::vector<Stop> stops_;
  std::vector<std::int32_t> stop_of_;  // two per cell, -1 where there is none
  std::vector<Link> links_;
  std::vector<std::uint8_t> seen_;  // per cell, the sets of operations a run has come with
  std::vector<std::size_t> touched_;
};

}  // namespace recte
