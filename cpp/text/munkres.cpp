#include "text/munkres.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace recte {

bool Munkres::assign(std::size_t size, std::vector<double> costs,
                     const std::function<bool(std::size_t)>& afford) {
  size_ = size;
  costs_ = std::move(costs);
  star_of_row_.assign(size, none);
  star_of_column_.assign(size, none);
  prime_of_row_.assign(size, none);
  reduce_rows();
  star_zeros();
  while (!cover_starred_columns()) {
    for (;;) {
      if (!afford(size * size)) return false;
      std::size_t row = none, column = none;
      if (!find_zero(row, column)) {
        move_least();
        continue;
      }
      prime_of_row_[row] = column;
      const std::size_t star = star_of_row_[row];
      if (star == none) {
        augment(row, column);
        break;
      }
      row_covered_[row] = true;
      column_covered_[star] = false;
    }
  }
  return true;
}

void Munkres::reduce_rows() {
  for (std::size_t row = 0; row < size_; ++row) {
    const auto begin = costs_.begin() + static_cast<std::ptrdiff_t>(row * size_);
    const auto end = begin + static_cast<std::ptrdiff_t>(size_);
    const double least = *std::min_element(begin, end);
    std::for_each(begin, end, [least](double& cost) { cost -= least; });
  }
}

void Munkres::star_zeros() {
  for (std::size_t row = 0; row < size_; ++row)
    for (std::size_t column = 0; column < size_; ++column)
      if (at(row, column) == 0 && star_of_row_[row] == none && star_of_column_[column] == none) {
        star_of_row_[row] = column;
        star_of_column_[column] = row;
      }
}

/// True where every column has a star, and all is done.
bool Munkres::cover_starred_columns() {
  row_covered_.assign(size_, false);
  column_covered_.assign(size_, false);
  std::size_t covered = 0;
  for (std::size_t column = 0; column < size_; ++column)
    if (star_of_column_[column] != none) column_covered_[column] = true, ++covered;
  return covered == size_;
}

bool Munkres::find_zero(std::size_t& row, std::size_t& column) const {
  for (row = 0; row < size_; ++row) {
    if (row_covered_[row]) continue;
    for (column = size_; column-- > 0;)
      if (costs_[row * size_ + column] == 0 && !column_covered_[column]) return true;
  }
  return false;
}

/// Makes a new zero: the least uncovered cost goes to what is covered twice, and comes off what is not at
/// all.
void Munkres::move_least() {
  double least = std::numeric_limits<double>::max();
  for (std::size_t row = 0; row < size_; ++row)
    for (std::size_t column = 0; column < size_ && !row_covered_[row]; ++column)
      if (!column_covered_[column]) least = std::min(least, at(row, column));
  for (std::size_t row = 0; row < size_; ++row)
    for (std::size_t column = 0; column < size_; ++column) {
      if (row_covered_[row])
        at(row, column) += least;  // both, where only the row is covered: sums are rounded
      if (!column_covered_[column]) at(row, column) -= least;
    }
}

/// One star more: along the way from the primed zero, primes become stars, and stars in their columns go.
void Munkres::augment(std::size_t row, std::size_t column) {
  for (;;) {
    const std::size_t displaced = star_of_column_[column];
    star_of_row_[row] = column;
    star_of_column_[column] = row;
    if (displaced == none) break;
    row = displaced;
    column = prime_of_row_[row];
  }
  prime_of_row_.assign(size_, none);
}

}  // namespace recte
