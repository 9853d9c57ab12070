#include <algorithm>
#include <cmath>

#include "bindings/binding.hpp"
#include "edits/annotator_choice.hpp"
#include "edits/swapped_sums.hpp"
#include "statistics/draws.hpp"

namespace recte::binding {
namespace {

using Bits = Copied<std::uint8_t, nb::ndim<2>>;
template <class Number>
using Triples = Copied<Number, nb::shape<-1, -1, 3>>;

template <class Number>
auto choose(const Triples<Number>& counts, double beta, int choice) {
  check_between("beta", beta, 0, 1e6);
  check_counts<Number>("counts", view(counts), 3);
  const auto rule = choice_of<Choice>("choice", choice, 2);
  std::vector<std::int32_t> chosen(counts.shape(0));
  without_gil([&] { choose_annotators<Number>(view(counts), counts.shape(1), beta, rule, chosen); });
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
}

template <class Number>
auto sums_of_choices(const Triples<Number>& counts, const Weights& weights, double beta, int choice,
                     int threads) {
  check_threads(threads);
  check_between("beta", beta, 0, 1e6);
  check_weights(view(weights), weights.shape(1), counts.shape(0),
                check_counts<Number>("counts", view(counts), 3));
  const auto rule = choice_of<Choice>("choice", choice, 2);
  const std::size_t size = weights.shape(0);
  std::vector<double> totals(cells({size, 3}));
  without_gil([&] {
    sum_choices<Number>(view(counts), counts.shape(1), {view(weights), counts.shape(0)}, beta, rule, threads,
                        totals);
  });
  return array_of(std::move(totals), {size, std::size_t{3}});
}

using Sums = Copied<double, nb::shape<-1, 3>>;

auto sums_of_drawn_choices(const Triples<std::int32_t>& counts, const In<std::uint64_t>& keys,
                           std::uint64_t seed, std::int64_t first, const Sums& before, double beta,
                           int threads) {
  check_threads(threads);
  check_between("beta", beta, 0, 1e6);
  check_between("first", first, 0, 1'000'000);
  if (first % 4 != 0) refuse("first", "a number that can be divided by 4", std::to_string(first));
  const std::size_t resamples = before.shape(0);
  check_between("resamples", static_cast<std::int64_t>(resamples), 0, 1'000'000);
  check_length("keys", keys.size(), counts.shape(0), "one for each sentence");
  const double largest = check_counts<std::int32_t>("counts", view(counts), 3);
  double already = 0;
  for (const double sum : view(before)) {
    if (!(sum >= 0) || sum != std::floor(sum)) refuse("before", "whole numbers from 0", std::to_string(sum));
    already = std::max(already, sum);
  }
  check_sums(already + largest * static_cast<double>(keys.size()) * largest_poisson);
  std::vector<double> totals(view(before).begin(), view(before).end());
  without_gil([&] {
    sum_drawn_choices(view(counts), counts.shape(1), view(keys), seed, static_cast<std::size_t>(first), beta,
                      threads, totals);
  });
  return array_of(std::move(totals), {resamples, std::size_t{3}});
}

auto sums_of_swapped(const Triples<std::int32_t>& counts, const Bits& bits, std::size_t trials, double beta,
                     int threads) {
  check_threads(threads);
  check_between("beta", beta, 0, 1e6);
  check_between("trials", static_cast<std::int64_t>(trials), 0, 10'000'000);
  check_length("counts", counts.shape(0), 2 * bits.shape(0), "two for each row of bits");
  check_length("bits", bits.shape(1), (trials + 7) / 8, "one for each eight trials");
  check_sums(check_counts<std::int32_t>("counts", view(counts), 3) * static_cast<double>(counts.shape(0)));
  std::vector<double> totals(cells({2 * trials, 3}));
  without_gil([&] {
    const Candidates candidates(view(counts), counts.shape(1), counts.shape(0), beta * beta);
    sum_swapped(candidates, view(bits), bits.shape(1), beta * beta, threads, totals);
  });
  return array_of(std::move(totals), {2 * trials, std::size_t{3}});
}

template <class Number>
void bind_for(nb::module_& m) {
  m.def("choose_annotators", &choose<Number>, array("counts"), "beta"_a, "choice"_a);
  m.def("sum_choices", &sums_of_choices<Number>, array("counts"), array("weights"), "beta"_a, "choice"_a,
        "threads"_a);
}

}  // namespace

void bind_choices(nb::module_& m) {
  bind_for<std::int32_t>(m);
  bind_for<double>(m);
  m.def("sum_drawn_choices", &sums_of_drawn_choices, array("counts"), array("keys"), "seed"_a, "first"_a,
        array("before"), "beta"_a, "threads"_a);
  m.def("sum_swapped", &sums_of_swapped, array("counts"), array("bits"), "trials"_a, "beta"_a, "threads"_a);
}

}  // namespace recte::binding
