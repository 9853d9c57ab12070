#include "edits/maxmatch.hpp"

#include "bindings/binding.hpp"

namespace recte::binding {
namespace {

/// Gold as arrays, validated once: they are copies that nobody changes.
struct PyGold {
  In<std::int64_t> annotation_offsets;
  In<std::int32_t> annotator_columns;
  In<std::int64_t> edit_offsets;
  In<std::int32_t> starts, ends;
  In<std::uint8_t> optional;
  In<std::int64_t> correction_offsets, token_offsets;
  In<std::int32_t> tokens;

  PyGold(In<std::int64_t> annotation_offsets, In<std::int32_t> annotator_columns,
         In<std::int64_t> edit_offsets, In<std::int32_t> starts, In<std::int32_t> ends,
         In<std::uint8_t> optional, In<std::int64_t> correction_offsets, In<std::int64_t> token_offsets,
         In<std::int32_t> tokens)
      : annotation_offsets(std::move(annotation_offsets)),
        annotator_columns(std::move(annotator_columns)),
        edit_offsets(std::move(edit_offsets)),
        starts(std::move(starts)),
        ends(std::move(ends)),
        optional(std::move(optional)),
        correction_offsets(std::move(correction_offsets)),
        token_offsets(std::move(token_offsets)),
        tokens(std::move(tokens)) {
    check_gold(table());
  }

  GoldTable table() const {
    return {view(annotation_offsets), view(annotator_columns),  view(edit_offsets),  view(starts), view(ends),
            view(optional),           view(correction_offsets), view(token_offsets), view(tokens)};
  }
};

using Folded = std::pair<In<std::uint8_t>, In<std::int64_t>>;

Pairs pairs_of(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
               const PyGold& gold, std::size_t annotators) {
  const Pairs pairs{sentences_of("sources", sources), sentences_of("hypotheses", hypotheses), view(source_of),
                    gold.table()};
  check_source_of(pairs.source_of, pairs.hypotheses.size(), pairs.sources.size());
  check_gold_of(pairs.gold, pairs.sources, annotators);
  return pairs;
}

/// Empty, or edits for every hypothesis, each within its source and hypothesis.
GivenEdits given_of(const Pairs& pairs, const Text& given, Extraction extraction) {
  const GivenEdits edits{view(given.first), view(given.second)};
  if (extraction != Extraction::errant) return edits;
  check_length("given", edits.offsets.size(), pairs.hypotheses.size() + 1, "one more than hypotheses");
  check_length("given", edits.rows.size() % 4, 0, "four numbers for each edit");
  check_offsets("given", edits.offsets, edits.rows.size() / 4);
  for (std::size_t pair = 0; pair < pairs.hypotheses.size(); ++pair) {
    const auto source = std::ssize(pairs.sources[static_cast<std::size_t>(pairs.source_of[pair])]);
    const auto hypothesis = std::ssize(pairs.hypotheses[pair]);
    for (auto e = edits.offsets[pair]; e < edits.offsets[pair + 1]; ++e) {
      const auto row = edits.rows.subspan(static_cast<std::size_t>(e) * 4, 4);
      check_between("given", std::int64_t{row[1]}, 0, source);
      check_between("given", std::int64_t{row[0]}, 0, row[1]);
      check_between("given", std::int64_t{row[3]}, 0, hypothesis);
      check_between("given", std::int64_t{row[2]}, 0, row[3]);
    }
  }
  return edits;
}

SearchOptions make_options(int behaviour, int extraction, int max_unchanged_words, int initial_insertions,
                           std::int64_t max_lattice, std::int64_t max_stored_arcs) {
  check_between("max_unchanged_words", std::int64_t{max_unchanged_words}, 0, 20);
  check_between("max_lattice", max_lattice, 1, 1'000'000);
  check_between("max_stored_arcs", max_stored_arcs, 0, 100'000'000);
  return {.behaviour = choice_of<Behaviour>("behaviour", behaviour, 3),
          .extraction = choice_of<Extraction>("extraction", extraction, 3),
          .max_unchanged_words = max_unchanged_words,
          .initial_insertions = choice_of<InitialInsertions>("initial_insertions", initial_insertions, 2),
          .max_lattice = max_lattice,
          .max_stored_arcs = static_cast<std::size_t>(max_stored_arcs)};
}

MaxMatchOptions options_of(const Pairs& pairs, const SearchOptions& options, const Folded& folded,
                           const Text& given) {
  const FoldedText letters{view(folded.first), view(folded.second)};
  check_folded(letters, pairs.sources, pairs.hypotheses);
  return {options, letters, given_of(pairs, given, options.extraction)};
}

using Count = void (*)(const Pairs&, const MaxMatchOptions&, std::size_t, int, std::span<std::int32_t>,
                       std::span<std::uint8_t>);

template <Count count, std::size_t... shape>
auto count_corpus(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                  const PyGold& gold, std::size_t annotators, int threads, const SearchOptions& search,
                  const Folded& folded, const Text& given) {
  check_threads(threads);
  const Pairs pairs = pairs_of(sources, hypotheses, source_of, gold, annotators);
  const MaxMatchOptions options = options_of(pairs, search, folded, given);
  const std::size_t size = pairs.hypotheses.size();
  std::vector<std::int32_t> counts(cells({size, annotators, shape...}));
  std::vector<std::uint8_t> status(size);
  without_gil([&] { count(pairs, options, annotators, threads, counts, status); });
  return std::pair(array_of(std::move(counts), {size, annotators, shape...}),
                   array_of(std::move(status), {size}));
}

auto trace(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of, const PyGold& gold,
           int criterion, int threads, const SearchOptions& search, const Folded& folded, const Text& given) {
  check_threads(threads);
  const Pairs pairs = pairs_of(sources, hypotheses, source_of, gold, gold.annotator_columns.size());
  const MaxMatchOptions options = options_of(pairs, search, folded, given);
  const auto wanted = choice_of<Criterion>("criterion", criterion, 3);
  std::vector<std::uint8_t> status(pairs.hypotheses.size());
  std::vector<std::int32_t> rows;
  without_gil([&] {
    for (const auto& [pair, annotator, edit] : trace_edits(pairs, options, wanted, threads, status))
      rows.insert(rows.end(), {pair, annotator, edit.start, edit.end, edit.source_begin, edit.source_end,
                               edit.hypothesis_begin, edit.hypothesis_end});
  });
  const std::size_t size = rows.size() / 8, pairs_seen = status.size();
  return std::pair(array_of(std::move(rows), {size, std::size_t{8}}),
                   array_of(std::move(status), {pairs_seen}));
}

}  // namespace

void bind_maxmatch(nb::module_& m) {
  nb::class_<PyGold>(m, "Gold").def(
      nb::init<In<std::int64_t>, In<std::int32_t>, In<std::int64_t>, In<std::int32_t>, In<std::int32_t>,
               In<std::uint8_t>, In<std::int64_t>, In<std::int64_t>, In<std::int32_t>>(),
      array("annotation_offsets"), array("annotator_columns"), array("edit_offsets"), array("starts"),
      array("ends"), array("optional"), array("correction_offsets"), array("token_offsets"), array("tokens"));
  nb::class_<SearchOptions>(m, "SearchOptions")
      .def(
          "__init__",
          [](SearchOptions* self, int behaviour, int extraction, int max_unchanged_words,
             int initial_insertions, std::int64_t max_lattice, std::int64_t max_stored_arcs) {
            new (self) SearchOptions(make_options(behaviour, extraction, max_unchanged_words,
                                                  initial_insertions, max_lattice, max_stored_arcs));
          },
          "behaviour"_a, "extraction"_a, "max_unchanged_words"_a, "initial_insertions"_a, "max_lattice"_a,
          "max_stored_arcs"_a);
  m.def("count_maxmatch", &count_corpus<&count_maxmatch, 3>, array("sources"), array("hypotheses"),
        array("source_of"), "gold"_a, "annotators"_a, "threads"_a, "options"_a, array("folded"),
        array("given"));
  m.def("count_hoo", &count_corpus<static_cast<Count>(&count_hoo), 3, 5>, array("sources"),
        array("hypotheses"), array("source_of"), "gold"_a, "annotators"_a, "threads"_a, "options"_a,
        array("folded"), array("given"));
  m.def("trace_edits", &trace, array("sources"), array("hypotheses"), array("source_of"), "gold"_a,
        "criterion"_a, "threads"_a, "options"_a, array("folded"), array("given"));
}

}  // namespace recte::binding
