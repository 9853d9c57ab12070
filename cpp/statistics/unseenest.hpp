// UNSEENEST (Zou et al. 2015): the distribution, on a grid of frequencies, whose expected fingerprint is
// nearest to the one seen.
//
// Twenty rows and two hundred columns, and two thousand programs for the intervals of a study: the revised
// simplex method with the whole inverse of the basis, computed again at the end, so that the answer has all
// digits of a double. A general solver needs ten times as long, most of it to begin and to end; SciPy's is
// the oracle in the tests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace recte {

/// How many distinct answers were given once, twice, …, and the frequencies that are thought of, ascending.
struct SeenAnswers {
  std::span<const std::int64_t> fingerprint;
  std::span<const double> grid;
};

/// The linear program of one fingerprint, by the simplex method. Keeps its memory between fingerprints.
///
/// Unknown are the masses on the grid, the distances of expected and seen numbers upwards and downwards, and
/// how far the number of variants stays below the most that are believed.
class UnseenProgram {
 public:
  /// False where no solution was found; else the masses on the grid, and the objective.
  bool solve(const SeenAnswers& seen, double most_variants, std::span<double> masses, double& objective);

 private:
  // Variables: masses, then distances upwards, downwards, and the slack of the variants.
  int distance_up(int row) const { return points_ + row; }
  int distance_down(int row) const { return points_ + distances_ + row; }
  int slack() const { return points_ + 2 * distances_; }

  void lay_out(const SeenAnswers& seen, double most_variants);
  bool start();
  bool improve();
  /// The column of a variable in the rows of the program.
  void column(int variable, std::vector<double>& values) const;
  double cost(int variable) const;
  /// The variable that improves most, or -1; with `first`, the first that improves at all.
  int entering(bool first);
  /// The row of the basis that is left when a variable with these `direction_`s enters, or -1.
  int leaving(bool first) const;
  void pivot(int row, int variable);
  /// Makes inverse and values again from the basis: false where it cannot be.
  bool refactor();
  void price();

  int points_ = 0, distances_ = 0, rows_ = 0;
  std::vector<double> matrix_;   // of the masses, row by row
  std::vector<double> wanted_;   // right-hand sides
  std::vector<double> weights_;  // of distances
  std::vector<int> basis_;       // the variable of each row
  std::vector<std::uint8_t> basic_;
  std::vector<double> inverse_;  // of the basis, row by row
  std::vector<double> values_, prices_, reduced_, direction_, work_;
};

/// Many fingerprints; `offsets` divide fingerprints and grids. Masses lie as the grids do; `solved` says of
/// each whether there is a solution.
void unseenest(std::span<const std::int64_t> fingerprints, std::span<const std::int64_t> offsets,
               std::span<const double> grids, std::span<const std::int64_t> grid_offsets,
               double most_variants, int threads, std::span<double> masses, std::span<double> objectives,
               std::span<std::uint8_t> solved);

}  // namespace recte
