#include "statistics/unseenest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/interrupt.hpp"
#include "support/parallel.hpp"

namespace recte {
namespace {

constexpr double tolerance = 1e-10;
constexpr int pivots_between = 50;  // before the inverse is made again
constexpr int idle_pivots_borne =
    100;  // before the first variable that improves is taken, which cannot cycle
constexpr std::int64_t most_by_products = 1000;  // beyond, numbers of choices overflow

/// The probability of `hits` in `tries`, each with probability x.
double binomial(std::int64_t tries, std::int64_t hits, double x) {
  if (hits > tries) return 0;
  if (x >= 1) return hits == tries;
  const auto misses = static_cast<double>(tries - hits);
  if (tries > most_by_products) {
    const auto n = static_cast<double>(tries), k = static_cast<double>(hits);
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(misses + 1) + k * std::log(x) +
                    misses * std::log1p(-x));
  }
  double choices = 1;
  for (std::int64_t k = 1; k <= hits; ++k)
    choices = choices * static_cast<double>(tries - hits + k) / static_cast<double>(k);
  return choices * std::pow(x, static_cast<double>(hits)) * std::exp(misses * std::log1p(-x));
}

}  // namespace

bool UnseenProgram::solve(const SeenAnswers& seen, double most_variants, std::span<double> masses,
                          double& objective) {
  lay_out(seen, most_variants);
  if (!start() || !improve()) return false;
  std::ranges::fill(masses, 0.0);
  objective = 0;
  for (int row = 0; row < rows_; ++row) {
    const double value = std::max(values_[row], 0.0);
    if (basis_[row] < points_) masses[basis_[row]] = value;
    objective += cost(basis_[row]) * value;
  }
  return true;
}

void UnseenProgram::lay_out(const SeenAnswers& seen, double most_variants) {
  const auto times = static_cast<int>(seen.fingerprint.size());
  // As published, zeros behind the numbers seen: answers given still more often are unlikely.
  distances_ = times + static_cast<int>(std::ceil(std::sqrt(times)));
  points_ = static_cast<int>(seen.grid.size());
  rows_ = distances_ + 2;
  matrix_.resize(static_cast<std::size_t>(rows_) * points_);
  wanted_.assign(rows_, 1.0);
  weights_.resize(distances_);
  std::int64_t answers = 0;
  for (int i = 0; i < times; ++i) answers += (i + 1) * seen.fingerprint[i];
  for (int i = 0; i < distances_; ++i) {
    poll();
    wanted_[i] = i < times ? static_cast<double>(seen.fingerprint[i]) : 0.0;
    weights_[i] = 1 / std::sqrt(wanted_[i] + 1);
    for (int j = 0; j < points_; ++j)
      matrix_[static_cast<std::size_t>(i) * points_ + j] =
          binomial(answers, i + 1, seen.grid[j]) / seen.grid[j];
  }
  for (int j = 0; j < points_; ++j) {
    matrix_[static_cast<std::size_t>(distances_) * points_ + j] = 1;  // masses add up to 1
    matrix_[static_cast<std::size_t>(distances_ + 1) * points_ + j] = 1 / seen.grid[j] / most_variants;
  }
}

/// All mass on the smallest frequency that can have it, and whatever distances follow from that. Where all
/// distributions fit equally well, as after one answer, this is the one that is kept.
bool UnseenProgram::start() {
  const double* const variants = matrix_.data() + static_cast<std::size_t>(distances_ + 1) * points_;
  const auto only = static_cast<int>(
      std::find_if(variants, variants + points_, [](double v) { return v <= 1; }) - variants);
  if (only == points_) return false;
  basis_.resize(rows_);
  for (int i = 0; i < distances_; ++i)
    basis_[i] = matrix_[static_cast<std::size_t>(i) * points_ + only] > wanted_[i] ? distance_down(i)
                                                                                   : distance_up(i);
  basis_[distances_] = only;
  basis_[distances_ + 1] = slack();
  basic_.assign(slack() + 1, 0);
  for (const int variable : basis_) basic_[variable] = 1;
  return refactor() && std::ranges::all_of(values_, [](double value) { return value >= -tolerance; });
}

bool UnseenProgram::improve() {
  const int most_pivots = 100 * (rows_ + points_);
  int since_refactored = 0, idle = 0;
  for (int pivots = 0; pivots < most_pivots; ++pivots) {
    poll();
    const bool first = idle > idle_pivots_borne;
    price();
    const int variable = entering(first);
    if (variable < 0) {
      if (since_refactored == 0) return true;
      if (!refactor()) return false;  // and see whether it is still the best
      since_refactored = 0;
      continue;
    }
    column(variable, work_);
    direction_.assign(rows_, 0.0);
    for (int row = 0; row < rows_; ++row)
      for (int k = 0; k < rows_; ++k)
        direction_[row] += inverse_[static_cast<std::size_t>(row) * rows_ + k] * work_[k];
    const int row = leaving(first);
    if (row < 0) return false;  // nothing bounds it: cannot be, unless numbers are beyond doubles
    idle = values_[row] > tolerance ? 0 : idle + 1;
    pivot(row, variable);
    if (++since_refactored == pivots_between) {
      if (!refactor()) return false;
      since_refactored = 0;
    }
  }
  return false;
}

void UnseenProgram::column(int variable, std::vector<double>& values) const {
  values.assign(rows_, 0.0);
  if (variable < points_) {
    for (int row = 0; row < rows_; ++row)
      values[row] = matrix_[static_cast<std::size_t>(row) * points_ + variable];
  } else if (variable < distance_down(0)) {
    values[variable - distance_up(0)] = 1;
  } else if (variable < slack()) {
    values[variable - distance_down(0)] = -1;
  } else {
    values[distances_ + 1] = 1;
  }
}

double UnseenProgram::cost(int variable) const {
  if (variable < points_ || variable == slack()) return 0;
  return weights_[(variable - points_) % distances_];
}

/// What a unit of each variable changes.
void UnseenProgram::price() {
  prices_.assign(rows_, 0.0);
  for (int row = 0; row < rows_; ++row) {
    const double own = cost(basis_[row]);
    if (own == 0) continue;
    for (int k = 0; k < rows_; ++k) prices_[k] += own * inverse_[static_cast<std::size_t>(row) * rows_ + k];
  }
  reduced_.assign(slack() + 1, 0.0);
  for (int row = 0; row < rows_; ++row) {
    const double price = prices_[row];
    const double* const of_row = matrix_.data() + static_cast<std::size_t>(row) * points_;
    for (int j = 0; j < points_; ++j) reduced_[j] -= price * of_row[j];
  }
  for (int i = 0; i < distances_; ++i) {
    reduced_[distance_up(i)] = weights_[i] - prices_[i];
    reduced_[distance_down(i)] = weights_[i] + prices_[i];
  }
  reduced_[slack()] = -prices_[distances_ + 1];
}

int UnseenProgram::entering(bool first) {
  int best = -1;
  for (int variable = 0; variable <= slack(); ++variable) {
    if (basic_[variable] || reduced_[variable] >= -tolerance) continue;
    if (best < 0 || reduced_[variable] < reduced_[best]) best = variable;
    if (first) break;
  }
  return best;
}

int UnseenProgram::leaving(bool first) const {
  int best = -1;
  double least = 0;
  for (int row = 0; row < rows_; ++row) {
    if (direction_[row] <= tolerance) continue;
    const double ratio = std::max(values_[row], 0.0) / direction_[row];
    // Among equals the largest pivot, which loses fewest digits; or the first variable, so as not to cycle.
    const bool preferred = best >= 0 && ratio == least &&
                           (first ? basis_[row] < basis_[best] : direction_[row] > direction_[best]);
    if (best < 0 || ratio < least || preferred) {
      best = row;
      least = ratio;
    }
  }
  return best;
}

void UnseenProgram::pivot(int row, int variable) {
  const double step = std::max(values_[row], 0.0) / direction_[row];
  double* const own = inverse_.data() + static_cast<std::size_t>(row) * rows_;
  for (int k = 0; k < rows_; ++k) own[k] /= direction_[row];
  for (int other = 0; other < rows_; ++other) {
    if (other == row || direction_[other] == 0) continue;
    values_[other] -= step * direction_[other];
    double* const line = inverse_.data() + static_cast<std::size_t>(other) * rows_;
    for (int k = 0; k < rows_; ++k) line[k] -= direction_[other] * own[k];
  }
  values_[row] = step;
  basic_[basis_[row]] = 0;
  basic_[variable] = 1;
  basis_[row] = variable;
}

/// Gauss and Jordan, with the largest pivot of each column.
bool UnseenProgram::refactor() {
  const auto size = static_cast<std::size_t>(rows_);
  std::vector<double> basis(size * size);
  for (std::size_t c = 0; c < size; ++c) {
    column(basis_[c], work_);
    for (std::size_t r = 0; r < size; ++r) basis[r * size + c] = work_[r];
  }
  const std::vector<double> given = basis;
  inverse_.assign(size * size, 0.0);
  for (std::size_t r = 0; r < size; ++r) inverse_[r * size + r] = 1;
  for (std::size_t c = 0; c < size; ++c) {
    poll();
    std::size_t largest = c;
    for (std::size_t r = c + 1; r < size; ++r)
      if (std::abs(basis[r * size + c]) > std::abs(basis[largest * size + c])) largest = r;
    const double pivot = basis[largest * size + c];
    if (std::abs(pivot) < 1e-14) return false;
    if (largest != c) {
      std::swap_ranges(basis.begin() + c * size, basis.begin() + (c + 1) * size,
                       basis.begin() + largest * size);
      std::swap_ranges(inverse_.begin() + c * size, inverse_.begin() + (c + 1) * size,
                       inverse_.begin() + largest * size);
    }
    for (std::size_t k = 0; k < size; ++k) {
      basis[c * size + k] /= pivot;
      inverse_[c * size + k] /= pivot;
    }
    for (std::size_t r = 0; r < size; ++r) {
      const double factor = basis[r * size + c];
      if (r == c || factor == 0) continue;
      for (std::size_t k = 0; k < size; ++k) {
        basis[r * size + k] -= factor * basis[c * size + k];
        inverse_[r * size + k] -= factor * inverse_[c * size + k];
      }
    }
  }
  // The values, and once more what is left over of the right-hand sides: so they have all digits.
  values_.assign(size, 0.0);
  std::vector<double> left = wanted_;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t k = 0; k < size; ++k) values_[r] += inverse_[r * size + k] * left[k];
    for (std::size_t r = 0; r < size; ++r) {
      left[r] = wanted_[r];
      for (std::size_t k = 0; k < size; ++k) left[r] -= given[r * size + k] * values_[k];
    }
  }
  return true;
}

void unseenest(std::span<const std::int64_t> fingerprints, std::span<const std::int64_t> offsets,
               std::span<const double> grids, std::span<const std::int64_t> grid_offsets,
               double most_variants, int threads, std::span<double> masses, std::span<double> objectives,
               std::span<std::uint8_t> solved) {
  parallel_for(solved.size(), threads, [&] {
    return [&, program = UnseenProgram()](std::size_t p) mutable {
      const auto begin = static_cast<std::size_t>(grid_offsets[p]);
      const auto points = static_cast<std::size_t>(grid_offsets[p + 1]) - begin;
      const auto first = static_cast<std::size_t>(offsets[p]);
      const SeenAnswers seen{fingerprints.subspan(first, static_cast<std::size_t>(offsets[p + 1]) - first),
                             grids.subspan(begin, points)};
      solved[p] = program.solve(seen, most_variants, masses.subspan(begin, points), objectives[p]);
    };
  });
}

}  // namespace recte
