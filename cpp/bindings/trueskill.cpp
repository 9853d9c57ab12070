#include "statistics/trueskill.hpp"

#include <cmath>

#include "bindings/binding.hpp"

namespace recte::binding {
namespace {

using Tables = Copied<std::int64_t, nb::shape<-1, -1, 3>>;

constexpr std::int64_t most = std::int64_t{1} << 53;  // judgments are weighed as doubles

auto trueskill(const Tables& tables, std::int64_t systems, double sigma, double beta, double draw_margin,
               std::int64_t matches, std::int64_t steps, std::uint64_t seed, std::size_t runs, int threads) {
  check_threads(threads);
  check_between("systems", systems, 1, 100'000);
  check_between("sigma", sigma, 1e-9, 1e9);
  check_between("beta", beta, 0, 1e15);
  check_between("draw_margin", draw_margin, 0, 1e18);
  check_between("matches", matches, 0, most);
  check_between("steps", steps, 0, most);
  check_length("tables", tables.shape(1), static_cast<std::size_t>(systems * (systems - 1) / 2),
               "one for each pair of systems");
  if (tables.shape(0) != 1) check_length("tables", tables.shape(0), runs, "one for each run, or one for all");
  for (const std::int64_t judged : view(tables)) check_between("tables", judged, 0, most / 3);
  const auto players = static_cast<std::size_t>(systems);
  std::vector<double> means(cells({runs, players}));
  without_gil([&] {
    run_many_trueskill({view(tables), players}, {sigma, beta, draw_margin, matches}, steps, seed, runs,
                       threads, means);
  });
  return array_of(std::move(means), {runs, players});
}

auto trueskill_match(double first_mean, double first_sigma, double second_mean, double second_sigma,
                     int outcome, double beta, double draw_margin) {
  for (const double mean : {first_mean, second_mean}) check_between("mean", mean, -1e9, 1e9);
  for (const double sigma : {first_sigma, second_sigma}) check_between("sigma", sigma, 1e-9, 1e9);
  check_between("outcome", std::int64_t{outcome}, -1, 1);
  check_between("beta", beta, 0, 1e15);
  check_between("draw_margin", draw_margin, 0, 1e18);
  Skill first{first_mean, first_sigma * first_sigma}, second{second_mean, second_sigma * second_sigma};
  play(first, second, outcome, {0, beta, draw_margin, 0});
  return std::make_tuple(first.mean, std::sqrt(first.variance), second.mean, std::sqrt(second.variance));
}

using Scores = Copied<double, nb::ndim<2>>;
using Orders = Copied<std::int64_t, nb::ndim<2>>;

auto trueskill_passes(const Scores& scores, const Orders& orders, double sigma, double beta,
                      double draw_margin, int threads) {
  check_threads(threads);
  check_between("sigma", sigma, 1e-9, 1e9);
  check_between("beta", beta, 0, 1e15);
  check_between("draw_margin", draw_margin, 0, 1e18);
  const std::size_t systems = scores.shape(0), sentences = scores.shape(1), passes = orders.shape(0);
  check_length("orders", orders.shape(1), sentences, "one place for each sentence");
  const auto last = static_cast<std::int64_t>(sentences) - 1;
  for (const std::int64_t sentence : view(orders)) check_between("orders", sentence, 0, last);
  std::vector<double> means(cells({passes, systems}));
  without_gil([&] {
    pass_trueskill({view(scores), systems, sentences}, view(orders), {sigma, beta, draw_margin, 0}, threads,
                   means);
  });
  return array_of(std::move(means), {passes, systems});
}

}  // namespace

void bind_trueskill(nb::module_& m) {
  m.def("trueskill", &trueskill, array("tables"), "systems"_a, "sigma"_a, "beta"_a, "draw_margin"_a,
        "matches"_a, "steps"_a, "seed"_a, "runs"_a, "threads"_a);
  m.def("trueskill_match", &trueskill_match, "first_mean"_a, "first_sigma"_a, "second_mean"_a,
        "second_sigma"_a, "outcome"_a, "beta"_a, "draw_margin"_a);
  m.def("trueskill_passes", &trueskill_passes, array("scores"), array("orders"), "sigma"_a, "beta"_a,
        "draw_margin"_a, "threads"_a);
}

}  // namespace recte::binding
