// Munkres' method for the assignment problem (1957), step by step as it is written for hand and paper.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace recte {

/// Assigns each row of a square matrix a column, with the least sum of costs. Of several best assignments it
/// finds the one that the published programs find: zeros are starred row by row, and the next zero to look at
/// is the last uncovered one of the first row that has any. Costs are reduced in floating-point numbers, in
/// the same order, so that the same zeros are zero.
class Munkres {
 public:
  /// False where `afford` refuses; it is asked before each search through the matrix, for as many cells.
  bool assign(std::size_t size, std::vector<double> costs, const std::function<bool(std::size_t)>& afford);

  /// The column of each row, after `assign`.
  const std::vector<std::size_t>& columns() const { return star_of_row_; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  double& at(std::size_t row, std::size_t column) { return costs_[row * size_ + column]; }
  void reduce_rows();
  void star_zeros();
  bool cover_starred_columns();
  bool find_zero(std::size_t& row, std::size_t& column) const;
  void move_least();
  void augment(std::size_t row, std::size_t column);

  std::size_t size_ = 0;
  std::vector<double> costs_;
  std::vector<std::size_t> star_of_row_, star_of_column_, prime_of_row_;
  std::vector<char> row_covered_, column_covered_;
};

}  // namespace recte
