// Labelling tokens in Python.
#include "text/labelling.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "bindings/binding.hpp"
#include "text/affixes.hpp"
#include "text/sorted_entries.hpp"

namespace recte::binding {
namespace {

constexpr std::size_t cells_of_template = 2 * Template::most;
constexpr std::int64_t furthest = 1000;    // columns and distances of a template
constexpr std::int64_t most_labels = 256;  // a label is a byte
constexpr std::int64_t widest_margin = 1 << 30;
constexpr std::int64_t longest_affix = 100;

std::vector<Template> templates_of(std::span<const std::int32_t> numbers) {
  if (numbers.size() % cells_of_template)
    refuse("templates", "six numbers for each", std::to_string(numbers.size()));
  std::vector<Template> read(numbers.size() / cells_of_template);
  for (std::size_t index = 0; index < read.size(); ++index) {
    for (std::size_t cell = 0; cell < Template::most; ++cell) {
      const std::int32_t column = numbers[index * cells_of_template + 2 * cell],
                         distance = numbers[index * cells_of_template + 2 * cell + 1];
      check_between("templates", std::int64_t{column}, cell ? -1 : 0, furthest);
      check_between("templates", std::int64_t{distance}, -furthest, furthest);
      read[index].cells[cell] = {column, distance};
    }
  }
  return read;
}

Labeller labeller_of(const In<std::int32_t>& templates, std::int64_t labels, std::int64_t margin,
                     const In<std::uint32_t>& features, const In<std::uint8_t>& weights_per_feature,
                     const In<std::uint8_t>& weight_labels, const In<std::int16_t>& weights,
                     const In<std::int32_t>& transitions) {
  check_between("labels", labels, 1, most_labels);
  check_between("margin", margin, 1, widest_margin);
  const auto known = static_cast<std::size_t>(labels);
  check_length("weights_per_feature", weights_per_feature.size(), features.size(), "one for each feature");
  std::size_t total = 0;
  for (const std::uint8_t count : view(weights_per_feature)) total += count;
  check_length("weights", weights.size(), total, "as many as the features have");
  check_length("weight_labels", weight_labels.size(), total, "one for each weight");
  check_length("transitions", transitions.size(), known * known, "one for each pair of labels");
  std::uint8_t largest = 0;
  for (const std::uint8_t label : view(weight_labels)) largest = std::max(largest, label);
  check_between("weight_labels", std::int64_t{largest}, 0, labels - 1);
  std::uint32_t before = 0;
  for (const std::uint32_t feature : view(features)) {
    if (feature <= before) refuse("features", "numbers from 1 on that ascend", std::to_string(feature));
    before = feature;
  }
  return {templates_of(view(templates)),
          known,
          static_cast<std::int32_t>(margin),
          view(features),
          view(weights_per_feature),
          view(weight_labels),
          view(weights),
          {view(transitions).begin(), view(transitions).end()}};
}

struct PyLabeller {
  Labeller labeller;

  PyLabeller(const In<std::int32_t>& templates, std::int64_t labels, std::int64_t margin,
             const In<std::uint32_t>& features, const In<std::uint8_t>& weights_per_feature,
             const In<std::uint8_t>& weight_labels, const In<std::int16_t>& weights,
             const In<std::int32_t>& transitions)
      : labeller(labeller_of(templates, labels, margin, features, weights_per_feature, weight_labels, weights,
                             transitions)) {}

  auto label(const In<std::uint32_t>& attributes, std::int64_t columns, const Text& sentences,
             const In<std::uint8_t>& wanted, int threads) const {
    check_threads(threads);
    check_between("columns", columns, std::max(labeller.columns(), 1), furthest + 1);
    const TokenTypes types{view(attributes), static_cast<std::size_t>(columns)};
    check_length("attributes", attributes.size(), std::max<std::size_t>(types.size(), 1) * types.columns,
                 "a row for each type and one more");
    const Sentences text = sentences_of("sentences", sentences);
    check_tokens("sentences", text.tokens, types.size() - 1);
    if (wanted.size())
      check_length("wanted", wanted.size(), text.tokens.size(), "a mark for each token, or none");
    std::vector<std::int32_t> found(text.tokens.size());
    without_gil([&] { labeller.label(types, text, view(wanted), threads, found); });
    const std::size_t size = found.size();
    return array_of(std::move(found), {size});
  }
};

struct PySortedEntries {
  nb::bytes text;  // kept, since entries are found in it
  SortedEntries entries;

  PySortedEntries(nb::bytes given, const std::string& separator)
      : text(std::move(given)), entries({text.c_str(), text.size()}, only_byte(separator)) {}

  static char only_byte(const std::string& separator) {
    check_length("separator", separator.size(), 1, "one byte");
    return separator[0];
  }

  /// What stands behind a key; a text that UTF-8 cannot hold is no key.
  nb::object get(const nb::str& key) const {
    Py_ssize_t size = 0;
    const char* letters = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
    if (!letters) {
      PyErr_Clear();
      return nb::none();
    }
    const auto found = entries.find({letters, static_cast<std::size_t>(size)});
    return found ? nb::object(nb::str(found->data(), found->size())) : nb::none();
  }
};

auto affixes(const In<std::uint8_t>& bytes, const In<std::int64_t>& offsets, std::int64_t beginnings,
             std::int64_t ends) {
  check_offsets("offsets", view(offsets), bytes.size());
  check_between("beginnings", beginnings, 0, longest_affix);
  check_between("ends", ends, 0, longest_affix);
  const std::size_t words = offsets.size() - 1, columns = 1 + static_cast<std::size_t>(beginnings + ends);
  std::vector<std::uint32_t> rows(cells({words, columns}));
  without_gil([&] {
    hash_affixes(view(bytes), view(offsets), static_cast<int>(beginnings), static_cast<int>(ends), rows);
  });
  return array_of(std::move(rows), {words, columns});
}

}  // namespace

void bind_labelling(nb::module_& m) {
  nb::class_<PyLabeller>(m, "Labeller")
      .def(nb::init<const In<std::int32_t>&, std::int64_t, std::int64_t, const In<std::uint32_t>&,
                    const In<std::uint8_t>&, const In<std::uint8_t>&, const In<std::int16_t>&,
                    const In<std::int32_t>&>(),
           array("templates"), "labels"_a, "margin"_a, array("features"), array("weights_per_feature"),
           array("weight_labels"), array("weights"), array("transitions"))
      .def("label", &PyLabeller::label, array("attributes"), "columns"_a, array("sentences"), array("wanted"),
           "threads"_a);
  nb::class_<PySortedEntries>(m, "SortedEntries")
      .def(nb::init<nb::bytes, const std::string&>(), "text"_a, "separator"_a)
      .def("get", &PySortedEntries::get, "key"_a);
  m.def("affixes", &affixes, array("bytes"), array("offsets"), "beginnings"_a, "ends"_a);
}

}  // namespace recte::binding
