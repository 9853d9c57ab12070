// Aligning, merging and comparing edits in Python.
#include "edits/extraction.hpp"

#include <limits>

#include "bindings/binding.hpp"
#include "edits/rounded_choice.hpp"

namespace recte::binding {
namespace {

/// Words with their lemmas, coarse tags, and whether they are possessive endings.
using Annotated = std::tuple<Text, In<std::int32_t>, In<std::int32_t>, In<std::uint8_t>>;

AnnotatedText annotated(const char* name, const Annotated& text, std::size_t words_known) {
  const auto& [words, lemmas, tags, possessive] = text;
  const Sentences sentences = sentences_of(name, words);
  for (const std::size_t length : {lemmas.size(), tags.size(), possessive.size()})
    check_length(name, length, sentences.tokens.size(), "one for each word");
  check_tokens(name, sentences.tokens, words_known);
  check_tokens(name, view(tags), std::numeric_limits<std::int32_t>::max());
  return {sentences, view(lemmas), view(tags), view(possessive)};
}

struct PyWordTable {
  In<std::int32_t> lower;
  Text letters, joined;
  In<std::uint8_t> capitalised, punctuation;

  WordTable table() const {
    const WordTable table{view(lower), sentences_of("letters", letters), sentences_of("joined", joined),
                          view(capitalised), view(punctuation)};
    for (const std::size_t length :
         {table.letters.size(), table.joined.size(), capitalised.size(), punctuation.size()})
      check_length("words", length, lower.size(), "one for each lower case");
    return table;
  }
};

ExtractionOptions make_options(int costs, int merging, int version) {
  const int versions = static_cast<int>(std::size(extraction_rules));
  return {choice_of<WordCosts>("costs", costs, 2), choice_of<Merging>("merging", merging, 5),
          extraction_rules[choice_of<int>("version", version, versions)]};
}

auto extract(const Annotated& sentences, const In<std::int64_t>& sources, const In<std::int64_t>& corrected,
             const PyWordTable& words, const ExtractionOptions& options, int threads) {
  check_threads(threads);
  const WordTable table = words.table();
  const AnnotatedText text = annotated("sentences", sentences, words.lower.size());
  check_length("corrected", corrected.size(), sources.size(), "one for each source");
  for (const auto& [name, places] :
       {std::pair("sources", view(sources)), std::pair("corrected", view(corrected))})
    for (const std::int64_t place : places)
      check_between(name, place, 0, static_cast<std::int64_t>(text.size()) - 1);
  ExtractedEdits found;
  without_gil([&] { found = extract_edits(text, view(sources), view(corrected), table, options, threads); });
  const std::size_t edits = found.rows.size() / 5, offsets = found.offsets.size(), pairs = found.costs.size();
  return std::tuple(array_of(std::move(found.rows), {edits, std::size_t{5}}),
                    array_of(std::move(found.offsets), {offsets}), array_of(std::move(found.costs), {pairs}));
}

using Triples = Copied<std::int32_t, nb::shape<-1, -1, 3>>;

auto choose_rounded(const Triples& counts, double beta, bool exact) {
  check_between("beta", beta, 0, 1e6);
  check_counts<std::int32_t>("counts", view(counts), 3);
  std::vector<std::int32_t> chosen(counts.shape(0));
  without_gil([&] {
    choose_by_running_f(view(counts), counts.shape(1), beta, exact ? RunningF::exact : RunningF::rounded,
                        chosen);
  });
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
}

auto sum_rounded(const Triples& counts, const Weights& weights, double beta, bool exact, int threads) {
  check_threads(threads);
  check_between("beta", beta, 0, 1e6);
  check_weights(view(weights), weights.shape(1), counts.shape(0),
                check_counts<std::int32_t>("counts", view(counts), 3));
  const std::size_t size = weights.shape(0);
  std::vector<std::int64_t> totals(cells({size, 3}));
  without_gil([&] {
    sum_by_running_f(view(counts), counts.shape(1), {view(weights), counts.shape(0)}, beta,
                     exact ? RunningF::exact : RunningF::rounded, threads, totals);
  });
  return array_of(std::move(totals), {size, std::size_t{3}});
}

}  // namespace

void bind_extraction(nb::module_& module) {
  nb::class_<PyWordTable>(module, "WordTable")
      .def(nb::init<In<std::int32_t>, Text, Text, In<std::uint8_t>, In<std::uint8_t>>(), array("lower"),
           array("letters"), array("joined"), array("capitalised"), array("punctuation"));
  nb::class_<ExtractionOptions>(module, "ExtractionOptions")
      .def(
          "__init__",
          [](ExtractionOptions* self, int costs, int merging, int version) {
            new (self) ExtractionOptions(make_options(costs, merging, version));
          },
          "costs"_a, "merging"_a, "version"_a);
  module.def("extract_edits", &extract, array("sentences"), array("sources"), array("corrected"), "words"_a,
             "options"_a, "threads"_a);
  module.def("choose_rounded", &choose_rounded, array("counts"), "beta"_a, "exact"_a);
  module.def("sum_rounded", &sum_rounded, array("counts"), array("weights"), "beta"_a, "exact"_a,
             "threads"_a);
}

}  // namespace recte::binding
