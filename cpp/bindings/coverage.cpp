#include "bindings/binding.hpp"
#include "statistics/unseenest.hpp"

namespace recte::binding {
namespace {

constexpr std::int64_t longest = 2'000;  // a fingerprint; its program has a table of that many squared
constexpr std::int64_t most_points = 100'000;
constexpr std::int64_t most = std::int64_t{1} << 31;

auto unseenest(const In<std::int64_t>& fingerprints, const In<std::int64_t>& offsets, const In<double>& grids,
               const In<std::int64_t>& grid_offsets, double most_variants, int threads) {
  check_threads(threads);
  check_between("most_variants", most_variants, 1, 1e15);
  check_offsets("offsets", view(offsets), fingerprints.size());
  check_offsets("grid_offsets", view(grid_offsets), grids.size());
  check_length("grid_offsets", grid_offsets.size(), offsets.size(), "one for each fingerprint and one more");
  const std::size_t programs = offsets.size() - 1;
  for (std::size_t p = 0; p < programs; ++p) {
    check_between("fingerprints", offsets.data()[p + 1] - offsets.data()[p], 1, longest);
    check_between("grids", grid_offsets.data()[p + 1] - grid_offsets.data()[p], 1, most_points);
  }
  for (const std::int64_t count : view(fingerprints)) check_between("fingerprints", count, 0, most);
  for (const double frequency : view(grids)) check_between("grids", frequency, 1e-15, 1);
  std::vector<double> masses(grids.size()), objectives(programs);
  std::vector<std::uint8_t> solved(programs);
  without_gil([&] {
    recte::unseenest(view(fingerprints), view(offsets), view(grids), view(grid_offsets), most_variants,
                     threads, masses, objectives, solved);
  });
  return std::make_tuple(array_of(std::move(masses), {grids.size()}),
                         array_of(std::move(objectives), {programs}),
                         array_of(std::move(solved), {programs}));
}

}  // namespace

void bind_coverage(nb::module_& m) {
  m.def("unseenest", &unseenest, array("fingerprints"), array("offsets"), array("grids"),
        array("grid_offsets"), "most_variants"_a, "threads"_a);
}

}  // namespace recte::binding
