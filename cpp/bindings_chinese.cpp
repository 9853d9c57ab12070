// Chinese edits in Python.
#include <nanobind/stl/tuple.h>

#include "binding.hpp"
#include "move_merging.hpp"

using namespace nanobind::literals;

namespace recte::binding {
namespace {

struct PyChineseTokens {
  In<std::int32_t> texts, tags;
  Text letters, readings;
  In<std::int32_t> meanings;
  In<std::uint8_t> chinese, marks;

  std::size_t size() const { return texts.size(); }

  void check() const {
    const bool whole = tags.size() == size() && letters.second.size() == size() + 1 &&
                       readings.second.size() == size() + 1 && meanings.size() == 3 * size() &&
                       chinese.size() == size() && marks.size() == size();
    if (!whole) throw nb::value_error("tokens: expected columns of one length");
  }

  ChineseTokens table() const {
    return {view(texts),   view(tags), sentences_of(letters), sentences_of(readings), view(meanings),
            view(chinese), view(marks)};
  }
};

void check_kinds(const Text& text, std::size_t kinds, const char* what) {
  const auto tokens = view(text.first);
  const auto offsets = view(text.second);
  bool sound = !offsets.empty() && offsets.front() == 0 &&
               offsets.back() == static_cast<std::int64_t>(tokens.size()) && std::ranges::is_sorted(offsets);
  for (Token token : tokens) sound = sound && token >= 0 && static_cast<std::size_t>(token) < kinds;
  if (!sound) throw nb::value_error(what);
}

auto extract(const Text& sources, const Text& targets, const PyChineseTokens& tokens,
             const In<std::int32_t>& confused, const Text& confusions, const In<std::int32_t>& punctuation,
             int level, int longest_tie, std::size_t limit, int threads) {
  tokens.check();
  check_kinds(sources, tokens.size(), "sources: expected offsets that ascend, and kinds that exist");
  check_kinds(targets, tokens.size(), "targets: expected offsets that ascend, and kinds that exist");
  if (sources.second.size() != targets.second.size())
    throw nb::value_error("targets: expected as many as sources");
  if (confusions.second.size() != confused.size() + 1 || limit < 1 || (level != 0 && level != 1))
    throw nb::value_error("expected confusions of each character, a limit from 1, and level 0 or 1");
  TiedEdits found;
  std::vector<std::int32_t> rows;
  {
    nb::gil_scoped_release unlocked;
    found = extract_tied_edits(sentences_of(sources), sentences_of(targets), tokens.table(),
                               {view(confused), sentences_of(confusions)}, view(punctuation),
                               static_cast<ChineseLevel>(level), longest_tie, limit, threads);
    for (const AlignedItem& e : found.edits)
      rows.insert(rows.end(), {static_cast<std::int32_t>(e.operation), e.source_start, e.source_end,
                               e.target_start, e.target_end});
  }
  const std::size_t pairs = found.costs.size(), edits = rows.size() / 5;
  const std::size_t ends = found.alternatives.size(), offsets = found.offsets.size();
  return std::tuple(
      array_of(std::move(rows), {edits, std::size_t{5}}), array_of(std::move(found.offsets), {offsets}),
      array_of(std::move(found.alternatives), {ends}), array_of(std::move(found.costs), {pairs}),
      array_of(std::move(found.walks), {pairs}), array_of(std::move(found.cut_off), {pairs}));
}

}  // namespace

void bind_chinese(nb::module_& module) {
  nb::class_<PyChineseTokens>(module, "ChineseTokens")
      .def(nb::init<In<std::int32_t>, In<std::int32_t>, Text, Text, In<std::int32_t>, In<std::uint8_t>,
                    In<std::uint8_t>>(),
           "texts"_a, "tags"_a, "letters"_a, "readings"_a, "meanings"_a, "chinese"_a, "marks"_a);
  module.def("extract_tied_edits", &extract, "sources"_a, "targets"_a, "tokens"_a, "confused"_a,
             "confusions"_a, "punctuation"_a, "level"_a, "longest_tie"_a, "limit"_a, "threads"_a);
}

}  // namespace recte::binding
