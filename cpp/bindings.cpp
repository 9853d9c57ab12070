// The one file that knows Python: arrays in, arrays out, no thinking.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "annotator_choice.hpp"
#include "maxmatch.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace errata;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class T>
std::span<const T> view(const In<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
Out<T> array_of(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), shape, owner);
}

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

using Text = std::pair<In<std::int32_t>, In<std::int64_t>>;
using Folded = std::pair<In<std::uint8_t>, In<std::int64_t>>;

Pairs pairs_of(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
               const PyGold& gold) {
  return {{view(sources.first), view(sources.second)},
          {view(hypotheses.first), view(hypotheses.second)},
          view(source_of),
          gold.table()};
}

MaxMatchOptions options_of(int behaviour, int extraction, int max_unchanged_words, bool running_offsets,
                           std::int64_t max_lattice, const Folded& folded) {
  return {static_cast<Behaviour>(behaviour),
          static_cast<Extraction>(extraction),
          max_unchanged_words,
          running_offsets ? InitialInsertions::running : InitialInsertions::zero,
          max_lattice,
          {view(folded.first), view(folded.second)}};
}

using Count = void (*)(const Pairs&, const MaxMatchOptions&, std::size_t, int, std::span<std::int32_t>,
                       std::span<std::uint8_t>);

template <Count count, std::size_t... cells>
auto count_corpus(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
                  const PyGold& gold, std::size_t annotators, int threads, int behaviour, int extraction,
                  int max_unchanged_words, bool running_offsets, std::int64_t max_lattice,
                  const Folded& folded) {
  const Pairs pairs = pairs_of(sources, hypotheses, source_of, gold);
  const MaxMatchOptions options =
      options_of(behaviour, extraction, max_unchanged_words, running_offsets, max_lattice, folded);
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
           std::int64_t max_lattice, const Folded& folded) {
  const Pairs pairs = pairs_of(sources, hypotheses, source_of, gold);
  const MaxMatchOptions options =
      options_of(behaviour, extraction, max_unchanged_words, running_offsets, max_lattice, folded);
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

auto choose(nb::ndarray<const std::int32_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> counts, double beta) {
  std::vector<std::int32_t> chosen(counts.shape(0));
  {
    nb::gil_scoped_release unlocked;
    choose_running({counts.data(), counts.size()}, counts.shape(1), beta, chosen);
  }
  const std::size_t size = chosen.size();
  return array_of(std::move(chosen), {size});
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
        "running_offsets"_a, "max_lattice"_a, "folded"_a);
  m.def("count_hoo", &count_corpus<static_cast<Count>(&count_hoo), 3, 5>, "sources"_a, "hypotheses"_a,
        "source_of"_a, "gold"_a, "annotators"_a, "threads"_a, "behaviour"_a, "extraction"_a,
        "max_unchanged_words"_a, "running_offsets"_a, "max_lattice"_a, "folded"_a);
  m.def("trace_edits", &trace, "sources"_a, "hypotheses"_a, "source_of"_a, "gold"_a, "criterion"_a,
        "behaviour"_a, "extraction"_a, "max_unchanged_words"_a, "running_offsets"_a, "max_lattice"_a,
        "folded"_a);
  m.def("choose_running", &choose, "counts"_a, "beta"_a);
}
