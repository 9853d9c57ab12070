// Aligning, merging and comparing edits in Python.
#include <nanobind/stl/tuple.h>

#include "binding.hpp"
#include "extraction.hpp"
#include "rounded_choice.hpp"

using namespace nanobind::literals;

namespace recte::binding {
namespace {

/// Words with their lemmas, coarse tags, and whether they are possessive endings.
using Annotated = std::tuple<Text, In<std::int32_t>, In<std::int32_t>, In<std::uint8_t>>;

AnnotatedText annotated(const Annotated& text) {
  const auto& [words, lemmas, tags, possessive] = text;
  const std::size_t size = words.first.size();
  if (lemmas.size() != size || tags.size() != size || possessive.size() != size)
    throw nb::value_error("annotated text: expected columns as long as the words");
  return {sentences_of(words), view(lemmas), view(tags), view(possessive)};
}

struct PyWordTable {
  In<std::int32_t> lower;
  Text letters, joined;
  In<std::uint8_t> capitalised, punctuation;

  WordTable table() const {
    return {view(lower), sentences_of(letters), sentences_of(joined), view(capitalised), view(punctuation)};
  }
};

auto extract(const Annotated& sources, const Annotated& corrected, const In<std::int64_t>& source_of,
             const PyWordTable& words, int costs, int merging, int threads) {
  const AnnotatedText source_text = annotated(sources), corrected_text = annotated(corrected);
  const WordTable table = words.table();
  if (view(source_of).size() != corrected_text.size())
    throw nb::value_error("source_of: expected one source for each corrected sentence");
  ExtractedEdits found;
  {
    nb::gil_scoped_release unlocked;
    found = extract_edits(source_text, corrected_text, view(source_of), table,
                          static_cast<AlignmentCosts>(costs), static_cast<Merging>(merging), threads);
  }
  const std::size_t edits = found.rows.size() / 5, offsets = found.offsets.size(), pairs = found.costs.size();
  return std::tuple(array_of(std::move(found.rows), {edits, std::size_t{5}}),
                    array_of(std::move(found.offsets), {offsets}), array_of(std::move(found.costs), {pairs}));
}

using Counts3 = nb::ndarray<const std::int32_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto choose_rounded(const Counts3& counts, double beta, bool exact) {
  std::vector<std::int32_t> chosen(counts.shape(0));
  {
    nb::gil_scoped_release unlocked;
    choose_by_running_f({counts.data(), counts.size()}, counts.shape(1), beta,
                        exact ? RunningF::exact : RunningF::rounded, chosen);
  }
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
}

auto sum_rounded(const Counts3& counts, const Weights& weights, double beta, bool exact, int threads) {
  if (weights.shape(1) != counts.shape(0))
    throw nb::value_error("weights: expected one for each sentence in every row");
  const std::size_t size = weights.shape(0);
  std::vector<std::int64_t> totals(size * 3);
  {
    nb::gil_scoped_release unlocked;
    sum_by_running_f({counts.data(), counts.size()}, counts.shape(1), {weights.data(), weights.size()}, beta,
                     exact ? RunningF::exact : RunningF::rounded, threads, totals);
  }
  return array_of(std::move(totals), {size, std::size_t{3}});
}

}  // namespace

void bind_extraction(nb::module_& module) {
  nb::class_<PyWordTable>(module, "WordTable")
      .def(nb::init<In<std::int32_t>, Text, Text, In<std::uint8_t>, In<std::uint8_t>>(), "lower"_a,
           "letters"_a, "joined"_a, "capitalised"_a, "punctuation"_a);
  module.def("extract_edits", &extract, "sources"_a, "corrected"_a, "source_of"_a, "words"_a, "costs"_a,
             "merging"_a, "threads"_a);
  module.def("choose_rounded", &choose_rounded, "counts"_a, "beta"_a, "exact"_a);
  module.def("sum_rounded", &sum_rounded, "counts"_a, "weights"_a, "beta"_a, "exact"_a, "threads"_a);
}

}  // namespace recte::binding
