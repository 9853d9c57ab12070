#include "statistics/draws.hpp"

#include <mutex>

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

constexpr std::int64_t most_draws = 1000, most_cells = 100'000;

/// One call at a time: each goes on where the last one ended.
class PyReferenceDraws {
 public:
  PyReferenceDraws(std::size_t first, std::size_t draws, int stream, std::uint32_t seed_step,
                   std::size_t cells)
      : draws_(checked(first, draws, stream, seed_step, cells)) {}

  void add(const Rows& rows, const In<std::int64_t>& row_offsets, const In<std::int32_t>& bounds,
           int threads) {
    check_threads(threads);
    check_length("row_offsets", row_offsets.size(), bounds.size() + 1, "one more than there are places");
    check_offsets("row_offsets", view(row_offsets), rows.shape(0));
    for (const std::int32_t bound : view(bounds))
      check_between("bounds", std::int64_t{bound}, 1, 1'000'000'000);
    check_length("rows", rows.shape(2), draws_.cells(), "as many cells as the sums have");
    without_gil([&] {
      const std::scoped_lock lock(mutex_);
      draws_.add({view(rows), rows.shape(1), rows.shape(2)}, view(row_offsets), view(bounds), threads);
    });
  }

  auto sums() {
    std::vector<std::int64_t> sums;
    without_gil([&] {
      const std::scoped_lock lock(mutex_);
      sums = draws_.sums();
    });
    return array_of(std::move(sums), {draws_.draws(), draws_.cells()});
  }

 private:
  static ReferenceDraws checked(std::size_t first, std::size_t draws, int stream, std::uint32_t seed_step,
                                std::size_t cells) {
    check_between("first", static_cast<std::int64_t>(first), 0, 1'000'000'000);
    check_between("draws", static_cast<std::int64_t>(draws), 0, most_draws);
    check_between("cells", static_cast<std::int64_t>(cells), 1, most_cells);
    return {first, draws, choice_of<DrawStream>("stream", stream, 2), seed_step, cells};
  }

  ReferenceDraws draws_;
  std::mutex mutex_;
};

}  // namespace

void bind_draws(nb::module_& m) {
  m.def("poisson_weights", &weights_of, array("keys"), "seed"_a, "first"_a, "resamples"_a, "threads"_a);
  nb::class_<PyReferenceDraws>(m, "ReferenceDraws")
      .def(nb::init<std::size_t, std::size_t, int, std::uint32_t, std::size_t>(), "first"_a, "draws"_a,
           "stream"_a, "seed_step"_a, "cells"_a)
      .def("add", &PyReferenceDraws::add, array("rows"), array("row_offsets"), array("bounds"), "threads"_a)
      .def("sums", &PyReferenceDraws::sums);
}

}  // namespace recte::binding
