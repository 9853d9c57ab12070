// Chunks of versions, judged and scored, in Python.
#include <nanobind/stl/array.h>

#include <string>

#include "bindings/binding.hpp"
#include "chunks/chunk_scores.hpp"
#include "edits/difficulty.hpp"
#include "edits/weighed_choice.hpp"

namespace recte::binding {
namespace {

using Weighed = Copied<double, nb::ndim<3>>;

void expect(bool right, const std::string& message) {
  if (!right) throw BadInput(message);
}

/// Offsets of each version's edits, where they begin and end, and their corrections.
using Edits = std::tuple<In<std::int64_t>, In<std::int32_t>, In<std::int32_t>, Text>;

EditTable table_of(const char* name, const Edits& edits) {
  const auto& [offsets, starts, ends, corrections] = edits;
  const EditTable table{view(offsets), view(starts), view(ends), sentences_of(name, corrections)};
  check_offsets(name, table.offsets, table.starts.size());
  expect(table.ends.size() == table.starts.size(), std::string(name) + ": expected one end for each start");
  expect(table.corrections.size() == table.starts.size(),
         std::string(name) + ": expected one correction for each edit");
  return table;
}

void check_version(const char* name, const EditTable& table, std::size_t version, Tokens source) {
  for (std::int64_t e = table.offsets[version]; e < table.offsets[version + 1]; ++e) {
    const std::int32_t start = table.starts[e], end = table.ends[e];
    expect(0 <= start && start <= end && end <= static_cast<std::int64_t>(source.size()),
           std::string(name) + ": expected edits within the " + std::to_string(source.size()) +
               " tokens of their sentence, got " + std::to_string(start) + " " + std::to_string(end));
  }
}

void check_hypotheses(const EditTable& hypotheses, std::span<const std::int64_t> source_of,
                      const Sentences& sources) {
  expect(source_of.size() == hypotheses.size(), "source_of: expected one source for each hypothesis");
  for (const std::int64_t source : source_of)
    expect(0 <= source && source < static_cast<std::int64_t>(sources.size()),
           "source_of: expected places of sources, got " + std::to_string(source));
  for (std::size_t pair = 0; pair < hypotheses.size(); ++pair)
    check_version("hypotheses", hypotheses, pair, sources[static_cast<std::size_t>(source_of[pair])]);
}

auto chunks(const Text& sources, const In<std::int64_t>& source_of, const Edits& hypotheses,
            const In<std::int64_t>& reference_offsets, const Edits& references, bool independent,
            int threads) {
  check_threads(threads);
  const Sentences from = sentences_of("sources", sources);
  const EditTable ours = table_of("hypotheses", hypotheses), theirs = table_of("references", references);
  check_hypotheses(ours, view(source_of), from);
  const auto offsets = view(reference_offsets);
  expect(offsets.size() == from.size() + 1, "reference_offsets: expected one more than sources");
  check_offsets("reference_offsets", offsets, theirs.size());
  for (std::size_t s = 0; s < from.size(); ++s)
    for (std::int64_t r = offsets[s]; r < offsets[s + 1]; ++r)
      check_version("references", theirs, static_cast<std::size_t>(r), from[s]);
  std::vector<std::int32_t> records, stretches(ours.size());
  without_gil([&] {
    records = judge_chunks(from, view(source_of), ours, offsets, theirs, independent, threads, stretches);
  });
  const std::size_t size = records.size() / chunk_record, pairs = stretches.size();
  return std::pair(array_of(std::move(records), {size, chunk_record}),
                   array_of(std::move(stretches), {pairs}));
}

constexpr std::int64_t most_bins = 65'536;

/// No sum over a sentence's references is larger.
template <class Array>
double largest_sum(const Array& rows) {
  return check_counts<typename decltype(view(rows))::value_type>("rows", view(rows), rows.shape(2)) *
         static_cast<double>(rows.shape(1));
}

ChunkRows rows_of(const Rows& rows, std::size_t bins) {
  check_between("bins", static_cast<std::int64_t>(bins), 1, most_bins);
  expect(rows.shape(1) > 0, "rows: expected a reference at least");
  expect(rows.shape(2) == 3 + (chunk_kinds - 1) * bins, "rows: expected three cells and bins for four kinds");
  return {view(rows), {}, rows.shape(1), bins};
}

ChunkRows rows_of(const Weighed& rows, std::size_t bins) {
  expect(bins == 0, "bins: expected 0 for rows that are weighed");
  expect(rows.shape(1) > 0, "rows: expected a reference at least");
  expect(rows.shape(2) == chunk_kinds, "rows: expected one cell for each kind");
  return {{}, view(rows), rows.shape(1), 0};
}

using Limits = std::array<std::array<double, 3>, 3>;

ChunkScoring scoring_of(bool by_length, const Limits& limits, bool second,
                        const std::array<double, 4>& factors, double beta, bool sentence_level) {
  expect(beta > 0, "beta: expected a positive number");
  check_between("beta", beta, 0, 1e6);
  for (const double factor : factors) check_between("factors", factor, -1e6, 1e6);
  ChunkScoring scoring{by_length, {}, second, factors, beta, sentence_level};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& [alpha, least, most] = limits[k];
    expect(alpha >= 1 && 0 <= least && least <= most, "limits: expected alpha, least and most in order");
    check_between("limits", alpha, 1, 1e6);
    check_between("limits", most, 0, 1e6);
    scoring.weight[k] = {alpha, least, most};
  }
  return scoring;
}

constexpr double longest_mean = 1e9;
constexpr std::size_t figure_cells = std::tuple_size_v<ChunkFigures>;
constexpr std::size_t total_cells = sizeof(ChunkTotals) / sizeof(double);
static_assert(total_cells == chunk_kinds + figure_cells + 1);

/// Totals as rows of numbers: sums, figures, and how many sentences.
using TotalRows = Copied<double, nb::ndim<2>>;

std::vector<ChunkTotals> totals_of(const TotalRows& rows, std::size_t size) {
  check_length("totals", rows.shape(0), size, "one row for each weighting");
  expect(rows.shape(1) == total_cells, "totals: expected " + std::to_string(total_cells) + " cells in a row");
  for (const double cell : view(rows)) check_between("totals", cell, -1e300, 1e300);
  std::vector<ChunkTotals> totals(size);
  for (std::size_t w = 0; w < size; ++w) {
    const double* row = rows.data() + w * total_cells;
    std::copy_n(row, chunk_kinds, totals[w].sums.begin());
    std::copy_n(row + chunk_kinds, figure_cells, totals[w].figures.begin());
    totals[w].sentences = row[total_cells - 1];
  }
  return totals;
}

auto rows_of_totals(const std::vector<ChunkTotals>& totals) {
  std::vector<double> rows;
  for (const ChunkTotals& of_weighting : totals) {
    rows.insert(rows.end(), of_weighting.sums.begin(), of_weighting.sums.end());
    rows.insert(rows.end(), of_weighting.figures.begin(), of_weighting.figures.end());
    rows.push_back(of_weighting.sentences);
  }
  return array_of(std::move(rows), {totals.size(), total_cells});
}

template <class Array>
auto score(const Array& rows, std::size_t bins, const Weights& weights, const In<double>& means,
           const TotalRows& before, const ChunkScoring& scoring, int threads) {
  const ChunkRows counted = rows_of(rows, bins);
  const double largest = largest_sum(rows);
  check_threads(threads);
  check_weights(view(weights), weights.shape(1), rows.shape(0), largest);
  const std::size_t size = weights.shape(0);
  check_length("means", means.size(), size, "one for each weighting");
  for (const double mean : view(means)) check_between("means", mean, -1, longest_mean);
  std::vector<ChunkTotals> totals = totals_of(before, size);
  without_gil([&] { add_chunks(counted, view(weights), view(means), scoring, threads, totals); });
  std::vector<double> figures;
  for (const ChunkTotals& of_weighting : totals)
    for (const double figure : total_figures(of_weighting, scoring)) figures.push_back(figure);
  return std::pair(rows_of_totals(totals), array_of(std::move(figures), {size, figure_cells}));
}

template <class Array>
auto choose(const Array& rows, std::size_t bins, double mean, const TotalRows& before,
            const ChunkScoring& scoring) {
  const ChunkRows counted = rows_of(rows, bins);
  largest_sum(rows);
  check_between("mean", mean, -1, longest_mean);
  std::vector<ChunkTotals> totals = totals_of(before, 1);
  const std::size_t size = rows.shape(0), columns = rows.shape(1);
  std::vector<std::int32_t> chosen(size);
  std::vector<double> sums(size * columns * chunk_kinds), figures(size * columns * figure_cells);
  without_gil([&] { choose_chunks(counted, mean, scoring, totals[0], chosen, sums, figures); });
  return std::tuple(array_of(std::move(chosen), {size}),
                    array_of(std::move(sums), {size, columns, chunk_kinds}),
                    array_of(std::move(figures), {size, columns, figure_cells}), rows_of_totals(totals));
}

auto cut(const Text& sources, const Edits& versions) {
  const Sentences from = sentences_of("sources", sources);
  const EditTable table = table_of("versions", versions);
  expect(table.size() == from.size(), "versions: expected one for each source");
  for (std::size_t s = 0; s < from.size(); ++s) check_version("versions", table, s, from[s]);
  std::vector<std::int64_t> offsets(from.size() + 1);
  std::vector<std::int32_t> found;
  without_gil([&] { found = cut_versions(from, table, offsets); });
  const std::size_t size = found.size() / version_chunk, ends = offsets.size();
  return std::pair(array_of(std::move(found), {size, version_chunk}), array_of(std::move(offsets), {ends}));
}

auto judge(const Text& sources, const In<std::int64_t>& source_of, const Edits& hypotheses,
           const Edits& references, bool ported, int threads) {
  check_threads(threads);
  const Sentences from = sentences_of("sources", sources);
  const EditTable ours = table_of("hypotheses", hypotheses), theirs = table_of("references", references);
  check_hypotheses(ours, view(source_of), from);
  expect(theirs.size() == from.size(), "references: expected one for each source");
  for (std::size_t s = 0; s < from.size(); ++s) check_version("references", theirs, s, from[s]);
  std::vector<std::uint8_t> verdicts;
  without_gil([&] { verdicts = judge_versions(from, view(source_of), ours, theirs, ported, threads); });
  const std::size_t size = verdicts.size();
  return array_of(std::move(verdicts), {size});
}

WeighedCounts weighed_of(const Weighed& counts, double beta, int ties) {
  expect(counts.shape(2) == 3, "counts: expected tp, proposed and gold");
  expect(beta > 0, "beta: expected a positive number");
  check_between("beta", beta, 0, 1e6);
  check_counts<double>("counts", view(counts), 3);
  return {view(counts), counts.shape(1), beta, choice_of<WeighedTies>("ties", ties, 2)};
}

auto choose_by_weight(const Weighed& counts, double beta, int ties) {
  const WeighedCounts rows = weighed_of(counts, beta, ties);
  std::vector<std::int32_t> chosen(counts.shape(0), -1);
  without_gil([&] { choose_weighed(rows, chosen); });
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
}

auto sum_by_weight(const Weighed& counts, const Weights& weights, double beta, int ties, int threads) {
  const WeighedCounts rows = weighed_of(counts, beta, ties);
  check_threads(threads);
  check_weights(view(weights), weights.shape(1), counts.shape(0), 0);
  const std::size_t size = weights.shape(0);
  std::vector<double> totals(3 * size);
  without_gil([&] { sum_weighed(rows, view(weights), threads, totals); });
  return array_of(std::move(totals), {size, std::size_t{3}});
}

}  // namespace

void bind_chunks(nb::module_& m) {
  m.def("judge_chunks", &chunks, array("sources"), array("source_of"), array("hypotheses"),
        array("reference_offsets"), array("references"), "independent"_a, "threads"_a);
  nb::class_<ChunkScoring>(m, "ChunkScoring")
      .def(
          "__init__",
          [](ChunkScoring* self, bool by_length, const Limits& limits, bool second,
             const std::array<double, 4>& factors, double beta, bool sentence_level) {
            new (self) ChunkScoring(scoring_of(by_length, limits, second, factors, beta, sentence_level));
          },
          "by_length"_a, "limits"_a, "second"_a, "factors"_a, "beta"_a, "sentence_level"_a);
  m.def("score_chunks", &score<Rows>, array("rows"), "bins"_a, array("weights"), array("means"),
        array("totals"), "scoring"_a, "threads"_a);
  m.def("score_chunks", &score<Weighed>, array("rows"), "bins"_a, array("weights"), array("means"),
        array("totals"), "scoring"_a, "threads"_a);
  m.def("choose_chunks", &choose<Rows>, array("rows"), "bins"_a, "mean"_a, array("totals"), "scoring"_a);
  m.def("choose_chunks", &choose<Weighed>, array("rows"), "bins"_a, "mean"_a, array("totals"), "scoring"_a);
  m.def("choose_weighed", &choose_by_weight, array("counts"), "beta"_a, "ties"_a);
  m.def("sum_weighed", &sum_by_weight, array("counts"), array("weights"), "beta"_a, "ties"_a, "threads"_a);
  m.def("cut_versions", &cut, array("sources"), array("versions"));
  m.def("judge_versions", &judge, array("sources"), array("source_of"), array("hypotheses"),
        array("references"), "ported"_a, "threads"_a);
}

}  // namespace recte::binding
