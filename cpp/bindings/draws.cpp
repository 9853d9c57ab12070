#include "statistics/draws.hpp"

#include "bindings/binding.hpp"

namespace recte::binding {
namespace {

auto weights_of(const In<std::uint64_t>& keys, std::uint64_t seed, std::size_t first, std::size_t resamples,
                int threads) {
  check_threads(threads);
  check_between("first", static_cast<std::int64_t>(first), 0, 1'000'000'000);
  check_between("resamples", static_cast<std::int64_t>(resamples), 0, 1'000'000);
  std::vector<std::int32_t> weights(cells({resamples, keys.size()}));
  without_gil([&] { poisson_weights(view(keys), seed, first, threads, weights); });
  return array_of(std::move(weights), {resamples, keys.size()});
}

auto sums_of_draws(const Rows& rows, const In<std::int64_t>& row_offsets, const In<std::int32_t>& bounds,
                   int stream, std::size_t draws, std::uint32_t seed_step, int threads) {
  check_threads(threads);
  const auto chosen = choice_of<DrawStream>("stream", stream, 2);
  check_length("row_offsets", row_offsets.size(), bounds.size() + 1, "one more than there are places");
  check_offsets("row_offsets", view(row_offsets), rows.shape(0));
  check_between("draws", static_cast<std::int64_t>(draws), 0, 100'000);
  for (const std::int32_t bound : view(bounds))
    check_between("bounds", std::int64_t{bound}, 1, 1'000'000'000);
  if (rows.shape(2) == 0) refuse("rows", "at least one cell", "none");
  std::vector<std::int64_t> sums(cells({draws, rows.shape(2)}));
  without_gil([&] {
    sum_drawn_references({view(rows), rows.shape(1), rows.shape(2)}, view(row_offsets), view(bounds), chosen,
                         seed_step, threads, sums);
  });
  return array_of(std::move(sums), {draws, rows.shape(2)});
}

}  // namespace

void bind_draws(nb::module_& m) {
  m.def("poisson_weights", &weights_of, array("keys"), "seed"_a, "first"_a, "resamples"_a, "threads"_a);
  m.def("sum_drawn_references", &sums_of_draws, array("rows"), array("row_offsets"), array("bounds"),
        "stream"_a, "draws"_a, "seed_step"_a, "threads"_a);
}

}  // namespace recte::binding
