// Chinese edits in Python.
#include "bindings/binding.hpp"
#include "edits/move_merging.hpp"

namespace recte::binding {
namespace {

struct PyChineseTokens {
  In<std::int32_t> texts, tags;
  Text letters, readings;
  In<std::int32_t> meanings;
  In<std::uint8_t> chinese, marks;

  std::size_t size() const { return texts.size(); }

  ChineseTokens table() const {
    const ChineseTokens table{view(texts),
                              view(tags),
                              sentences_of("letters", letters),
                              sentences_of("readings", readings),
                              view(meanings),
                              view(chinese),
                              view(marks)};
    for (const std::size_t length :
         {tags.size(), table.letters.size(), table.readings.size(), chinese.size(), marks.size()})
      check_length("tokens", length, size(), "one for each text");
    check_length("meanings", meanings.size(), 3 * size(), "three for each text");
    return table;
  }
};

constexpr std::int64_t most_cells = 50'000'000;  // of the table of one pair, 24 bytes each

auto extract(const Text& sources, const Text& targets, const PyChineseTokens& tokens,
             const In<std::int32_t>& confused, const Text& confusions, const In<std::int32_t>& punctuation,
             int level, int longest_tie, std::int64_t limit, int threads) {
  check_threads(threads);
  check_between("limit", limit, 1, 1'000'000);
  const ChineseTokens table = tokens.table();
  const Sentences from = sentences_of("sources", sources), to = sentences_of("targets", targets);
  check_tokens("sources", from.tokens, tokens.size());
  check_tokens("targets", to.tokens, tokens.size());
  check_length("targets", to.size(), from.size(), "one for each source");
  for (std::size_t pair = 0; pair < from.size(); ++pair) {
    const auto n = static_cast<std::int64_t>(from[pair].size()),
               m = static_cast<std::int64_t>(to[pair].size());
    if ((n + 1) * (m + 1) > most_cells)
      refuse("pair " + std::to_string(pair + 1), "at most " + std::to_string(most_cells) + " cells to align",
             std::to_string(n) + " by " + std::to_string(m) + " tokens");
  }
  const Confusions known{view(confused), sentences_of("confusions", confusions)};
  check_length("confusions", known.others.size(), confused.size(), "one for each character");
  const auto wanted = choice_of<ChineseLevel>("level", level, 2);
  TiedEdits found;
  std::vector<std::int32_t> rows;
  without_gil([&] {
    found = extract_tied_edits(from, to, table, known, view(punctuation), wanted, longest_tie,
                               static_cast<std::size_t>(limit), threads);
    for (const AlignedItem& e : found.edits)
      rows.insert(rows.end(), {static_cast<std::int32_t>(e.operation), e.source_start, e.source_end,
                               e.target_start, e.target_end});
  });
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
           array("texts"), array("tags"), array("letters"), array("readings"), array("meanings"),
           array("chinese"), array("marks"));
  module.def("extract_tied_edits", &extract, array("sources"), array("targets"), "tokens"_a,
             array("confused"), array("confusions"), array("punctuation"), "level"_a, "longest_tie"_a,
             "limit"_a, "threads"_a);
}

}  // namespace recte::binding
