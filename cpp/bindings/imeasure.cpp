#include "three_way/imeasure.hpp"

#include "bindings/binding.hpp"

namespace recte::binding {
namespace {

struct PyIMeasureOptions {
  IMeasureOptions options;

  PyIMeasureOptions(int match, int mismatch, int gap, double weight, double beta, int baseline, int optimise,
                    std::int64_t max_cells, std::int64_t max_combinations, std::size_t candidates)
      : options{{match, mismatch, gap},
                {weight, beta, choice_of<Baseline>("baseline", baseline, 2),
                 choice_of<Optimise>("optimise", optimise, 12)},
                max_cells,
                max_combinations,
                candidates} {
    check_options(options);
  }
};

auto count_against_references(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                              const In<std::int64_t>& reference_offsets, const Text& references,
                              const PyIMeasureOptions& py, int threads) {
  check_threads(threads);
  const Sentences from = sentences_of("sources", sources), to = sentences_of("hypotheses", hypotheses);
  const ReferenceTable table{view(reference_offsets), sentences_of("references", references)};
  check_source_of(view(source_of), to.size(), from.size());
  check_by_source("reference_offsets", table.reference_offsets, from, table.references.size());
  const std::size_t size = to.size(), candidates = py.options.candidates;
  std::vector<std::int32_t> rows(cells({size, candidates, row_cells})), chosen(cells({size, candidates}));
  std::vector<std::uint8_t> status(size);
  without_gil(
      [&] { count_references(from, to, view(source_of), table, py.options, threads, rows, chosen, status); });
  return std::tuple(array_of(std::move(rows), {size, candidates, row_cells}),
                    array_of(std::move(chosen), {size, candidates}), array_of(std::move(status), {size}));
}

auto count_against_mixed(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                         const In<std::int64_t>& error_offsets, const In<std::int64_t>& option_offsets,
                         const In<std::int64_t>& edit_offsets, const In<std::int32_t>& starts,
                         const In<std::int32_t>& ends, const Text& corrections,
                         const In<std::int64_t>& chosen_offsets, const PyIMeasureOptions& py, int threads) {
  check_threads(threads);
  const Sentences from = sentences_of("sources", sources), to = sentences_of("hypotheses", hypotheses);
  const ErrorTable table{view(error_offsets), view(option_offsets), view(edit_offsets),
                         view(starts),        view(ends),           sentences_of("corrections", corrections)};
  check_source_of(view(source_of), to.size(), from.size());
  check_errors(table, from, view(source_of), view(chosen_offsets));
  const std::size_t size = to.size(), candidates = py.options.candidates;
  std::vector<std::int32_t> rows(cells({size, candidates, row_cells}));
  std::vector<std::int32_t> chosen(static_cast<std::size_t>(view(chosen_offsets).back()));
  std::vector<std::uint8_t> status(size);
  without_gil([&] {
    count_mixed(from, to, view(source_of), table, py.options, threads, rows, view(chosen_offsets), chosen,
                status);
  });
  const std::size_t choices = chosen.size();
  return std::tuple(array_of(std::move(rows), {size, candidates, row_cells}),
                    array_of(std::move(chosen), {choices}), array_of(std::move(status), {size}));
}

/// One text of a triple.
Tokens tokens_of(const char* name, const In<std::int32_t>& tokens) {
  const std::array<std::int64_t, 2> whole{0, static_cast<std::int64_t>(tokens.size())};
  return checked(name, view(tokens), whole).tokens;
}

auto align_three(const In<std::int32_t>& source, const In<std::int32_t>& hypothesis,
                 const In<std::int32_t>& reference, const PyIMeasureOptions& py) {
  const Tokens a = tokens_of("source", source), b = tokens_of("hypothesis", hypothesis),
               c = tokens_of("reference", reference);
  ThreeWayAligner aligner(py.options.costs, py.options.max_cells);
  std::vector<std::uint8_t> columns;
  std::int64_t cost = -1;
  bool done = false;
  without_gil([&] { done = aligner.align(a, b, c, columns, cost); });
  const std::size_t size = columns.size();
  return std::pair(array_of(std::move(columns), {size}), done ? cost : -1);
}

auto align_corpus(const Text& sources, const Text& hypotheses, const Text& references,
                  const PyIMeasureOptions& py, int threads) {
  check_threads(threads);
  const Sentences a = sentences_of("sources", sources), b = sentences_of("hypotheses", hypotheses),
                  c = sentences_of("references", references);
  check_length("hypotheses", b.size(), a.size(), "one for each source");
  check_length("references", c.size(), a.size(), "one for each source");
  std::vector<std::int64_t> offsets(b.offsets.size());
  std::vector<std::uint8_t> columns;
  without_gil([&] { columns = align_triples(a, b, c, py.options, threads, offsets); });
  const std::size_t size = columns.size(), triples = offsets.size();
  return std::pair(array_of(std::move(columns), {size}), array_of(std::move(offsets), {triples}));
}

auto tie_outcomes(const In<std::int32_t>& source, const In<std::int32_t>& hypothesis,
                  const In<std::int32_t>& reference, std::int64_t limit, const PyIMeasureOptions& py) {
  check_between("limit", limit, 1, 1'000'000);
  const Tokens a = tokens_of("source", source), b = tokens_of("hypothesis", hypothesis),
               c = tokens_of("reference", reference);
  ThreeWayAligner aligner(py.options.costs, py.options.max_cells);
  std::vector<TokenCounts> found;
  std::vector<std::int32_t> rows;
  without_gil([&] {
    aligner.outcomes(a, b, c, static_cast<std::size_t>(limit), found);
    for (const TokenCounts& t : found)
      rows.insert(rows.end(),
                  {t.detection_tp, t.detection_tn, t.detection_fp, t.detection_fn, t.correction_tp,
                   t.correction_tn, t.correction_fp, t.correction_fn, t.correction_fpn});
  });
  const std::size_t size = found.size();
  return array_of(std::move(rows), {size, std::size_t{9}});
}

using Table = Copied<double, nb::ndim<2>>;

/// A row of counts is tp, tn, fp, fn, fpn, one of baselines tn, fn; no baselines are those printed in the
/// paper.
auto figures_of_counts(const Table& counts, const Table& baselines, double weight, double beta) {
  const std::size_t size = counts.shape(0);
  const bool released = baselines.shape(0) != 0;
  check_length("counts", counts.shape(1), 5, "tp, tn, fp, fn and fpn");
  check_length("baselines", baselines.shape(1), 2, "tn and fn");
  if (released) check_length("baselines", baselines.shape(0), size, "one for each row of counts");
  const ImprovementOptions options{weight, beta, released ? Baseline::released : Baseline::printed};
  constexpr std::size_t figures = 9;
  std::vector<double> found;
  found.reserve(cells({size, figures}));
  for (std::size_t i = 0; i < size; ++i) {
    const double* c = counts.data() + 5 * i;
    const double* base = baselines.data() + 2 * i;
    const Figures f =
        figures_of({c[0], c[1], c[2], c[3], c[4]}, released ? base[0] : 0, released ? base[1] : 0, options);
    found.insert(found.end(), {f.precision, f.recall, f.f, f.accuracy, f.weighted_right, f.weighted_all,
                               f.wacc, f.base, f.improvement});
  }
  return array_of(std::move(found), {size, figures});
}

void check_rows(const Rows& rows) { check_length("rows", rows.shape(2), row_cells, "the cells of a row"); }

auto sums_of_greedy(const Rows& rows, const Weights& weights, const PyIMeasureOptions& py, int threads) {
  check_threads(threads);
  check_rows(rows);
  check_weights(view(weights), weights.shape(1), rows.shape(0),
                check_counts<std::int32_t>("rows", view(rows), row_cells));
  const std::size_t size = weights.shape(0);
  std::vector<std::int64_t> totals(cells({size, row_cells}));
  without_gil([&] {
    sum_greedy(view(rows), rows.shape(1), {view(weights), rows.shape(0)}, py.options.improvement, threads,
               totals);
  });
  return array_of(std::move(totals), {size, row_cells});
}

auto choice_by_greed(const Rows& rows, const PyIMeasureOptions& py) {
  check_rows(rows);
  check_counts<std::int32_t>("rows", view(rows), row_cells);
  std::vector<std::int32_t> chosen(rows.shape(0));
  without_gil([&] { choose_greedy(view(rows), rows.shape(1), py.options.improvement, chosen); });
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
}

}  // namespace

void bind_imeasure(nb::module_& m) {
  nb::class_<PyIMeasureOptions>(m, "IMeasureOptions")
      .def(nb::init<int, int, int, double, double, int, int, std::int64_t, std::int64_t, std::size_t>(),
           "match"_a, "mismatch"_a, "gap"_a, "weight"_a, "beta"_a, "baseline"_a, "optimise"_a, "max_cells"_a,
           "max_combinations"_a, "candidates"_a);
  m.def("count_references", &count_against_references, array("sources"), array("hypotheses"),
        array("source_of"), array("reference_offsets"), array("references"), "options"_a, "threads"_a);
  m.def("count_mixed", &count_against_mixed, array("sources"), array("hypotheses"), array("source_of"),
        array("error_offsets"), array("option_offsets"), array("edit_offsets"), array("starts"),
        array("ends"), array("corrections"), array("chosen_offsets"), "options"_a, "threads"_a);
  m.def("align_triples", &align_corpus, array("sources"), array("hypotheses"), array("references"),
        "options"_a, "threads"_a);
  m.def("align_three", &align_three, array("source"), array("hypothesis"), array("reference"), "options"_a);
  m.def("tie_outcomes", &tie_outcomes, array("source"), array("hypothesis"), array("reference"), "limit"_a,
        "options"_a);
  m.def("improvement_figures", &figures_of_counts, array("counts"), array("baselines"), "weight"_a, "beta"_a);
  m.def("sum_greedy", &sums_of_greedy, array("rows"), array("weights"), "options"_a, "threads"_a);
  m.def("choose_greedy", &choice_by_greed, array("rows"), "options"_a);
}

}  // namespace recte::binding
