// The kernels in Python: arrays in, arrays out, no thinking.
#include <nanobind/stl/tuple.h>

#include <cmath>

#include "annotator_choice.hpp"
#include "binding.hpp"
#include "imeasure.hpp"
#include "maxmatch.hpp"
#include "ngrams.hpp"
#include "trueskill.hpp"
#include "word_matching.hpp"

using namespace nanobind::literals;
using namespace recte;
using namespace recte::binding;

namespace {

struct PyGold {
  In<std::int64_t> annotation_offsets;
  In<std::int32_t> annotator_columns;
  In<std::int64_t> edit_offsets;
  In<std::int32_t> starts, ends;
  In<std::uint8_t> optional;
  In<std::int64_t> correction_offsets, token_offsets;
  In<std::int32_t> tokens;

  GoldTable table() const {
    return {view(annotation_offsets), view(annotator_columns),  view(edit_offsets),  view(starts), view(ends),
            view(optional),           view(correction_offsets), view(token_offsets), view(tokens)};
  }
};

using Folded = std::pair<In<std::uint8_t>, In<std::int64_t>>;

Pairs pairs_of(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
               const PyGold& gold) {
  return {{view(sources.first), view(sources.second)},
          {view(hypotheses.first), view(hypotheses.second)},
          view(source_of),
          gold.table()};
}

MaxMatchOptions options_of(int behaviour, int extraction, int max_unchanged_words, bool running_offsets,
                           std::int64_t max_lattice, std::size_t max_stored_arcs, const Folded& folded) {
  return {static_cast<Behaviour>(behaviour),
          static_cast<Extraction>(extraction),
          max_unchanged_words,
          running_offsets ? InitialInsertions::running : InitialInsertions::zero,
          max_lattice,
          max_stored_arcs,
          {view(folded.first), view(folded.second)}};
}

using Count = void (*)(const Pairs&, const MaxMatchOptions&, std::size_t, int, std::span<std::int32_t>,
                       std::span<std::uint8_t>);

template <Count count, std::size_t... cells>
auto count_corpus(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                  const PyGold& gold, std::size_t annotators, int threads, int behaviour, int extraction,
                  int max_unchanged_words, bool running_offsets, std::int64_t max_lattice,
                  std::size_t max_stored_arcs, const Folded& folded) {
  const Pairs pairs = pairs_of(sources, hypotheses, source_of, gold);
  const MaxMatchOptions options = options_of(behaviour, extraction, max_unchanged_words, running_offsets,
                                             max_lattice, max_stored_arcs, folded);
  const std::size_t size = pairs.hypotheses.size();
  std::vector<std::int32_t> counts(size * annotators * (cells * ...));
  std::vector<std::uint8_t> status(size);
  {
    nb::gil_scoped_release unlocked;
    count(pairs, options, annotators, threads, counts, status);
  }
  return std::pair(array_of(std::move(counts), {size, annotators, cells...}),
                   array_of(std::move(status), {size}));
}

auto trace(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of, const PyGold& gold,
           int criterion, int behaviour, int extraction, int max_unchanged_words, bool running_offsets,
           std::int64_t max_lattice, std::size_t max_stored_arcs, const Folded& folded) {
  const Pairs pairs = pairs_of(sources, hypotheses, source_of, gold);
  const MaxMatchOptions options = options_of(behaviour, extraction, max_unchanged_words, running_offsets,
                                             max_lattice, max_stored_arcs, folded);
  std::vector<std::uint8_t> status(pairs.hypotheses.size());
  std::vector<std::int32_t> rows;
  {
    nb::gil_scoped_release unlocked;
    for (const auto& [pair, annotator, edit] :
         trace_edits(pairs, options, static_cast<Criterion>(criterion), status))
      rows.insert(rows.end(), {pair, annotator, edit.start, edit.end, edit.source_begin, edit.source_end,
                               edit.hypothesis_begin, edit.hypothesis_end});
  }
  const std::size_t size = rows.size() / 8, pairs_seen = status.size();
  return std::pair(array_of(std::move(rows), {size, std::size_t{8}}),
                   array_of(std::move(status), {pairs_seen}));
}

struct PyIMeasureOptions {
  IMeasureOptions options;

  PyIMeasureOptions(int match, int mismatch, int gap, double weight, double beta, int baseline, int optimise,
                    std::int64_t max_cells, std::int64_t max_combinations, std::size_t candidates)
      : options{{match, mismatch, gap},
                {weight, beta, static_cast<Baseline>(baseline), static_cast<Optimise>(optimise)},
                max_cells,
                max_combinations,
                candidates} {}
};

auto count_against_references(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                              const In<std::int64_t>& reference_offsets, const Text& references,
                              const PyIMeasureOptions& py, int threads) {
  const std::size_t size = hypotheses.second.size() - 1, candidates = py.options.candidates;
  std::vector<std::int32_t> rows(size * candidates * row_cells), chosen(size * candidates);
  std::vector<std::uint8_t> status(size);
  {
    nb::gil_scoped_release unlocked;
    count_references(sentences_of(sources), sentences_of(hypotheses), view(source_of),
                     {view(reference_offsets), sentences_of(references)}, py.options, threads, rows, chosen,
                     status);
  }
  return std::tuple(array_of(std::move(rows), {size, candidates, row_cells}),
                    array_of(std::move(chosen), {size, candidates}), array_of(std::move(status), {size}));
}

auto count_against_mixed(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                         const In<std::int64_t>& error_offsets, const In<std::int64_t>& option_offsets,
                         const In<std::int64_t>& edit_offsets, const In<std::int32_t>& starts,
                         const In<std::int32_t>& ends, const Text& corrections,
                         const In<std::int64_t>& chosen_offsets, const PyIMeasureOptions& py, int threads) {
  const std::size_t size = hypotheses.second.size() - 1, candidates = py.options.candidates;
  std::vector<std::int32_t> rows(size * candidates * row_cells);
  std::vector<std::int32_t> chosen(static_cast<std::size_t>(view(chosen_offsets)[size]));
  std::vector<std::uint8_t> status(size);
  {
    nb::gil_scoped_release unlocked;
    count_mixed(sentences_of(sources), sentences_of(hypotheses), view(source_of),
                {view(error_offsets), view(option_offsets), view(edit_offsets), view(starts), view(ends),
                 sentences_of(corrections)},
                py.options, threads, rows, view(chosen_offsets), chosen, status);
  }
  const std::size_t choices = chosen.size();
  return std::tuple(array_of(std::move(rows), {size, candidates, row_cells}),
                    array_of(std::move(chosen), {choices}), array_of(std::move(status), {size}));
}

auto align_three(const In<std::int32_t>& source, const In<std::int32_t>& hypothesis,
                 const In<std::int32_t>& reference, const PyIMeasureOptions& py) {
  ThreeWayAligner aligner(py.options.costs, py.options.max_cells);
  std::vector<std::uint8_t> columns;
  std::int64_t cost = -1;
  bool done = false;
  {
    nb::gil_scoped_release unlocked;
    done = aligner.align(view(source), view(hypothesis), view(reference), columns, cost);
  }
  const std::size_t size = columns.size();
  return std::pair(array_of(std::move(columns), {size}), done ? cost : -1);
}

auto align_corpus(const Text& sources, const Text& hypotheses, const Text& references,
                  const PyIMeasureOptions& py, int threads) {
  std::vector<std::int64_t> offsets(hypotheses.second.size());
  std::vector<std::uint8_t> columns;
  {
    nb::gil_scoped_release unlocked;
    columns = align_triples(sentences_of(sources), sentences_of(hypotheses), sentences_of(references),
                            py.options, threads, offsets);
  }
  const std::size_t size = columns.size(), triples = offsets.size();
  return std::pair(array_of(std::move(columns), {size}), array_of(std::move(offsets), {triples}));
}

auto tie_outcomes(const In<std::int32_t>& source, const In<std::int32_t>& hypothesis,
                  const In<std::int32_t>& reference, std::size_t limit, const PyIMeasureOptions& py) {
  ThreeWayAligner aligner(py.options.costs, py.options.max_cells);
  std::vector<TokenCounts> found;
  std::vector<std::int32_t> rows;
  {
    nb::gil_scoped_release unlocked;
    aligner.outcomes(view(source), view(hypothesis), view(reference), limit, found);
    for (const TokenCounts& t : found)
      rows.insert(rows.end(),
                  {t.detection_tp, t.detection_tn, t.detection_fp, t.detection_fn, t.correction_tp,
                   t.correction_tn, t.correction_fp, t.correction_fn, t.correction_fpn});
  }
  const std::size_t size = found.size();
  return array_of(std::move(rows), {size, std::size_t{9}});
}

auto gleu(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
          const In<std::int64_t>& reference_offsets, const Text& references, int orders, int formula,
          std::size_t columns, int threads) {
  const std::size_t size = hypotheses.second.size() - 1, cells = 2 * static_cast<std::size_t>(orders) + 2;
  std::vector<std::int32_t> rows(size * columns * cells);
  {
    nb::gil_scoped_release unlocked;
    count_gleu(sentences_of(sources), sentences_of(hypotheses), view(source_of), view(reference_offsets),
               sentences_of(references), orders, static_cast<GleuFormula>(formula), columns, threads, rows);
  }
  return array_of(std::move(rows), {size, columns, cells});
}

auto green(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
           const In<std::int64_t>& reference_offsets, const Text& references, int orders, std::size_t columns,
           int threads) {
  const std::size_t size = hypotheses.second.size() - 1, cells = green_cells;
  const auto depth = static_cast<std::size_t>(orders);
  std::vector<std::int32_t> rows(size * columns * depth * cells);
  {
    nb::gil_scoped_release unlocked;
    count_green(sentences_of(sources), sentences_of(hypotheses), view(source_of), view(reference_offsets),
                sentences_of(references), orders, columns, threads, rows);
  }
  return array_of(std::move(rows), {size, columns, depth, cells});
}

auto bleu(const Text& hypotheses, const In<std::int64_t>& source_of,
          const In<std::int64_t>& reference_offsets, const Text& references, int orders, int threads) {
  const std::size_t size = hypotheses.second.size() - 1, cells = 2 * static_cast<std::size_t>(orders) + 2;
  std::vector<std::int32_t> rows(size * cells);
  {
    nb::gil_scoped_release unlocked;
    count_bleu(sentences_of(hypotheses), view(source_of), view(reference_offsets), sentences_of(references),
               orders, threads, rows);
  }
  return array_of(std::move(rows), {size, cells});
}

auto overlap(const Text& a, const Text& b, int threads) {
  const std::size_t size = a.second.size() - 1;
  std::vector<std::int32_t> rows(2 * size);
  {
    nb::gil_scoped_release unlocked;
    count_overlap(sentences_of(a), sentences_of(b), threads, rows);
  }
  return array_of(std::move(rows), {size, std::size_t{2}});
}

auto matched_words(const Text& a, const Text& b, const Text& letters, int position, int threads) {
  const std::size_t size = a.first.size();
  std::vector<std::int32_t> partners(size);
  {
    nb::gil_scoped_release unlocked;
    match_words(sentences_of(a), sentences_of(b), sentences_of(letters), static_cast<Position>(position),
                threads, partners);
  }
  return array_of(std::move(partners), {size});
}

auto choose(nb::ndarray<const std::int32_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu> counts,
            double beta) {
  std::vector<std::int32_t> chosen(counts.shape(0));
  {
    nb::gil_scoped_release unlocked;
    choose_running({counts.data(), counts.size()}, counts.shape(1), beta, chosen);
  }
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
}

auto trueskill(nb::ndarray<const std::int64_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu> tables,
               std::size_t systems, double sigma, double beta, double draw_margin, std::int64_t matches,
               std::int64_t steps, std::uint64_t seed, std::size_t runs, int threads) {
  std::vector<double> means(runs * systems);
  {
    nb::gil_scoped_release unlocked;
    run_many_trueskill({{tables.data(), tables.size()}, systems}, {sigma, beta, draw_margin, matches}, steps,
                       seed, runs, threads, means);
  }
  return array_of(std::move(means), {runs, systems});
}

auto trueskill_match(double first_mean, double first_sigma, double second_mean, double second_sigma,
                     int outcome, double beta, double draw_margin) {
  Skill first{first_mean, first_sigma * first_sigma}, second{second_mean, second_sigma * second_sigma};
  play(first, second, outcome, {0, beta, draw_margin, 0});
  return std::make_tuple(first.mean, std::sqrt(first.variance), second.mean, std::sqrt(second.variance));
}

using Weights = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto sums_of_choices(
    nb::ndarray<const std::int32_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu> counts,
    const Weights& weights, double beta, int choice, int threads) {
  const std::size_t size = weights.shape(0);
  std::vector<std::int64_t> totals(size * 3);
  {
    nb::gil_scoped_release unlocked;
    sum_choices({counts.data(), counts.size()}, counts.shape(1), {weights.data(), weights.size()}, beta,
                static_cast<Choice>(choice), threads, totals);
  }
  return array_of(std::move(totals), {size, std::size_t{3}});
}

auto sums_of_greedy(nb::ndarray<const std::int32_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> rows,
                    const Weights& weights, const PyIMeasureOptions& py, int threads) {
  const std::size_t size = weights.shape(0);
  std::vector<std::int64_t> totals(size * row_cells);
  {
    nb::gil_scoped_release unlocked;
    sum_greedy({rows.data(), rows.size()}, rows.shape(1), {weights.data(), weights.size()},
               py.options.improvement, threads, totals);
  }
  return array_of(std::move(totals), {size, row_cells});
}

}  // namespace

NB_MODULE(_kernels, m) {
  nb::class_<PyGold>(m, "Gold").def(
      nb::init<In<std::int64_t>, In<std::int32_t>, In<std::int64_t>, In<std::int32_t>, In<std::int32_t>,
               In<std::uint8_t>, In<std::int64_t>, In<std::int64_t>, In<std::int32_t>>(),
      "annotation_offsets"_a, "annotator_columns"_a, "edit_offsets"_a, "starts"_a, "ends"_a, "optional"_a,
      "correction_offsets"_a, "token_offsets"_a, "tokens"_a);
  m.def("count_maxmatch", &count_corpus<&count_maxmatch, 3>, "sources"_a, "hypotheses"_a, "source_of"_a,
        "gold"_a, "annotators"_a, "threads"_a, "behaviour"_a, "extraction"_a, "max_unchanged_words"_a,
        "running_offsets"_a, "max_lattice"_a, "max_stored_arcs"_a, "folded"_a);
  m.def("count_hoo", &count_corpus<static_cast<Count>(&count_hoo), 3, 5>, "sources"_a, "hypotheses"_a,
        "source_of"_a, "gold"_a, "annotators"_a, "threads"_a, "behaviour"_a, "extraction"_a,
        "max_unchanged_words"_a, "running_offsets"_a, "max_lattice"_a, "max_stored_arcs"_a, "folded"_a);
  m.def("trace_edits", &trace, "sources"_a, "hypotheses"_a, "source_of"_a, "gold"_a, "criterion"_a,
        "behaviour"_a, "extraction"_a, "max_unchanged_words"_a, "running_offsets"_a, "max_lattice"_a,
        "max_stored_arcs"_a, "folded"_a);
  nb::class_<PyIMeasureOptions>(m, "IMeasureOptions")
      .def(nb::init<int, int, int, double, double, int, int, std::int64_t, std::int64_t, std::size_t>(),
           "match"_a, "mismatch"_a, "gap"_a, "weight"_a, "beta"_a, "baseline"_a, "optimise"_a, "max_cells"_a,
           "max_combinations"_a, "candidates"_a);
  m.def("count_references", &count_against_references, "sources"_a, "hypotheses"_a, "source_of"_a,
        "reference_offsets"_a, "references"_a, "options"_a, "threads"_a);
  m.def("count_mixed", &count_against_mixed, "sources"_a, "hypotheses"_a, "source_of"_a, "error_offsets"_a,
        "option_offsets"_a, "edit_offsets"_a, "starts"_a, "ends"_a, "corrections"_a, "chosen_offsets"_a,
        "options"_a, "threads"_a);
  m.def("align_triples", &align_corpus, "sources"_a, "hypotheses"_a, "references"_a, "options"_a,
        "threads"_a);
  m.def("align_three", &align_three, "source"_a, "hypothesis"_a, "reference"_a, "options"_a);
  m.def("tie_outcomes", &tie_outcomes, "source"_a, "hypothesis"_a, "reference"_a, "limit"_a, "options"_a);
  m.def("count_gleu", &gleu, "sources"_a, "hypotheses"_a, "source_of"_a, "reference_offsets"_a,
        "references"_a, "orders"_a, "formula"_a, "columns"_a, "threads"_a);
  m.def("count_green", &green, "sources"_a, "hypotheses"_a, "source_of"_a, "reference_offsets"_a,
        "references"_a, "orders"_a, "columns"_a, "threads"_a);
  m.def("count_bleu", &bleu, "hypotheses"_a, "source_of"_a, "reference_offsets"_a, "references"_a, "orders"_a,
        "threads"_a);
  m.def("count_overlap", &overlap, "a"_a, "b"_a, "threads"_a);
  m.def("match_words", &matched_words, "a"_a, "b"_a, "letters"_a, "position"_a, "threads"_a);
  m.def("choose_running", &choose, "counts"_a, "beta"_a);
  m.def("trueskill", &trueskill, "tables"_a, "systems"_a, "sigma"_a, "beta"_a, "draw_margin"_a, "matches"_a,
        "steps"_a, "seed"_a, "runs"_a, "threads"_a);
  m.def("trueskill_match", &trueskill_match, "first_mean"_a, "first_sigma"_a, "second_mean"_a,
        "second_sigma"_a, "outcome"_a, "beta"_a, "draw_margin"_a);
  m.def("sum_choices", &sums_of_choices, "counts"_a, "weights"_a, "beta"_a, "choice"_a, "threads"_a);
  m.def("sum_greedy", &sums_of_greedy, "rows"_a, "weights"_a, "options"_a, "threads"_a);
  bind_chinese(m);
  bind_extraction(m);
  bind_chunks(m);
}
