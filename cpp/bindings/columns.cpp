// Readers, vocabulary and gold columns for Python: arrays in, arrays out, checked in the bindings.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cstring>

#include "bindings/binding.hpp"
#include "readers/fingerprints.hpp"
#include "readers/m2_writer.hpp"
#include "support/held.hpp"
#include "text/distinct_texts.hpp"
#include "text/line_alignment.hpp"
#include "text/line_signatures.hpp"
#include "text/output_cuts.hpp"
#include "text/text_scan.hpp"
#include "text/utf8.hpp"

namespace recte::binding {

namespace {

using PySpans = std::tuple<In<std::uint8_t>, In<std::int64_t>, In<std::int64_t>>;

void expect(bool condition, const char* message) {
  if (!condition) throw BadInput(message);
}

/// Offsets of `count` pieces into something of `total` parts.
void check_pieces(std::span<const std::int64_t> offsets, std::size_t count, std::size_t total) {
  check_length("offsets", offsets.size(), count + 1, "one more than there are pieces");
  check_offsets("offsets", offsets, total);
}

TextSpans spans_of(const PySpans& spans) {
  const auto& [buffer, begins, ends] = spans;
  expect(begins.size() == ends.size(), "spans: expected as many ends as begins");
  for (std::size_t k = 0; k < begins.size(); ++k)
    expect(0 <= begins(k) && begins(k) <= ends(k) && static_cast<std::size_t>(ends(k)) <= buffer.size(),
           "spans: expected begins before ends, within the buffer");
  return {{reinterpret_cast<const char*>(buffer.data()), buffer.size()}, view(begins), view(ends)};
}

Sentences checked_sentences(const Text& text) { return sentences_of("texts", text); }

/// The UTF-8 of Python strings; those with lone surrogates, which have none, are kept as Python encodes them.
/// A tuple holds the strings meanwhile: a sequence may make them one by one, or lose them to another thread.
class PyTexts {
 public:
  /// `each` is what a message calls one of them.
  explicit PyTexts(const nb::sequence& texts, const char* each = "text")
      : strings_(nb::steal<nb::tuple>(PySequence_Tuple(texts.ptr()))) {
    if (!strings_.is_valid()) throw nb::python_error();
    views_.reserve(strings_.size());
    for (const nb::handle text : strings_) add(text, each);
  }
  std::size_t size() const { return views_.size(); }
  std::string_view operator[](std::size_t index) const { return views_[index]; }

 private:
  void add(nb::handle text, const char* each) {
    if (!PyUnicode_Check(text.ptr()))
      refuse(std::string(each) + ' ' + std::to_string(views_.size() + 1), "a string",
             nb::cast<std::string>(text.type().attr("__name__")));
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!bytes) {
      PyErr_Clear();
      kept_.push_back(nb::steal<nb::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass")));
      if (!kept_.back().is_valid()) throw nb::python_error();
      bytes = kept_.back().c_str();
      size = static_cast<Py_ssize_t>(kept_.back().size());
    }
    views_.emplace_back(bytes, static_cast<std::size_t>(size));
  }

  nb::tuple strings_;
  std::vector<std::string_view> views_;
  std::vector<nb::bytes> kept_;
};

nb::object decoded(std::string_view text) {
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

nb::list texts_of(const Interner& interner) {
  nb::list texts;
  for (std::size_t id = 0; id < interner.size(); ++id)
    texts.append(decoded(interner.text(static_cast<Token>(id))));
  return texts;
}

nb::list words_of(const Held<Interner>& held, const In<std::int32_t>& ids) {
  return held.look([&](const Interner& interner) {
    nb::list words;
    for (const Token id : view(ids)) {
      expect(id >= 0 && static_cast<std::size_t>(id) < interner.size(), "ids: expected known ones");
      words.append(decoded(interner.text(id)));
    }
    return words;
  });
}

nb::tuple encoded_out(EncodedWords&& words) {
  nb::list passing = texts_of(words.passing);
  return nb::make_tuple(flat(std::move(words.ids)), flat(std::move(words.offsets)), passing);
}

/// Work with a vocabulary that is known, and with the one that new words are added to, or none.
void consult(Held<Interner>& held, bool extend, auto&& work) {
  if (extend)
    held.change([&](Interner& vocabulary) { work(vocabulary, &vocabulary); });
  else
    held.look([&](const Interner& vocabulary) { work(vocabulary, nullptr); });
}

template <class Texts>
nb::tuple encode_all(Held<Interner>& held, const Texts& texts, bool extend, int threads) {
  EncodedWords words;
  consult(held, extend, [&](const Interner& known, Interner* extended) {
    without_gil([&] {
      words = encode(known, extended, texts.size(), threads, [&](std::size_t t) { return texts[t]; });
    });
  });
  return encoded_out(std::move(words));
}

nb::tuple encode_spans(Held<Interner>& vocabulary, const PySpans& spans, bool extend, int threads) {
  return encode_all(vocabulary, spans_of(spans), extend, threads);
}

nb::tuple encode_texts(Held<Interner>& vocabulary, const nb::sequence& strings, bool extend, int threads) {
  return encode_all(vocabulary, PyTexts(strings), extend, threads);
}

/// Words that are cut already, a sequence of them for each text.
nb::tuple encode_words(Held<Interner>& held, const nb::sequence& sentences, bool extend) {
  EncodedWords words;
  words.offsets.push_back(0);
  consult(held, extend, [&](const Interner& known, Interner* extended) {
    const auto first = static_cast<Token>(known.size());
    for (const nb::handle sentence : sentences) {
      const PyTexts texts(nb::cast<nb::sequence>(sentence));
      for (std::size_t t = 0; t < texts.size(); ++t) {
        const HashedWord word(texts[t]);
        Token id = extended ? extended->intern(word) : known.find(word);
        if (id < 0) id = first + words.passing.intern(word);
        words.ids.push_back(id);
      }
      words.offsets.push_back(static_cast<std::int64_t>(words.ids.size()));
    }
  });
  return encoded_out(std::move(words));
}

/// Numbers for whole texts.
Out<std::int32_t> number_spans(Held<Interner>& held, const PySpans& spans) {
  const TextSpans texts = spans_of(spans);
  std::vector<std::int32_t> numbers;
  numbers.reserve(texts.size());
  held.change([&](Interner& names) {
    for (std::size_t t = 0; t < texts.size(); ++t) numbers.push_back(names.intern(texts[t]));
  });
  return flat(std::move(numbers));
}

template <class Texts>
nb::tuple distinct_of(const Texts& texts, const In<std::int64_t>& source_of) {
  check_length("source_of", source_of.size(), texts.size(), "one for each hypothesis");
  DistinctTexts found;
  without_gil([&] { found = distinct_texts(view(source_of), [&](std::size_t t) { return texts[t]; }); });
  return nb::make_tuple(flat(std::move(found.bytes)), flat(std::move(found.offsets)),
                        flat(std::move(found.first)), flat(std::move(found.number)));
}

Out<std::uint8_t> spaced(const PySpans& spans) {
  const TextSpans texts = spans_of(spans);
  std::vector<std::uint8_t> flags;
  for (std::size_t t = 0; t < texts.size(); ++t) flags.push_back(is_spaced(texts[t]));
  return flat(std::move(flags));
}

Out<std::uint8_t> equal_to(const PySpans& spans, std::string_view wanted) {
  const TextSpans texts = spans_of(spans);
  std::vector<std::uint8_t> flags;
  for (std::size_t t = 0; t < texts.size(); ++t) flags.push_back(texts[t] == wanted);
  return flat(std::move(flags));
}

auto signatures_of(const PySpans& spans, std::size_t prefix, int threads) {
  check_threads(threads);
  const TextSpans texts = spans_of(spans);
  std::vector<std::uint64_t> bits(cells({texts.size(), signature_words}));
  without_gil([&] { line_signatures(texts, prefix, threads, bits); });
  return array_of(std::move(bits), {texts.size(), signature_words});
}

/// For each text its signs' groups, and what it is made of.
nb::tuple texts_scanned(const PySpans& spans, const In<std::uint32_t>& begins,
                        const In<std::uint64_t>& groups, int threads) {
  check_threads(threads);
  const TextSpans texts = spans_of(spans);
  check_length("groups", groups.size(), begins.size(), "one for each of begins");
  const auto from = view(begins);
  expect(!from.empty() && from[0] == 0 && std::is_sorted(from.begin(), from.end()),
         "begins: expected numbers that rise from 0");
  constexpr std::size_t columns = sizeof(TextMakeup) / sizeof(std::int32_t);
  std::vector<std::uint64_t> found(texts.size());
  std::vector<TextMakeup> makeups(texts.size());
  without_gil([&] { scan_texts(texts, from, view(groups), threads, found, makeups); });
  std::vector<std::int32_t> numbers(cells({texts.size(), columns}));
  if (!makeups.empty()) std::memcpy(numbers.data(), makeups.data(), numbers.size() * sizeof(std::int32_t));
  return nb::make_tuple(flat(std::move(found)), array_of(std::move(numbers), {texts.size(), columns}));
}

Out<std::uint8_t> texts_compared(const PySpans& sources, const PySpans& outputs, std::size_t width,
                                 std::size_t farthest, int threads) {
  check_threads(threads);
  const TextSpans from = spans_of(sources), to = spans_of(outputs);
  check_length("outputs", to.size(), from.size(), "one for each source");
  std::vector<std::uint8_t> found(from.size());
  without_gil([&] { compare_texts(from, to, width, farthest, threads, found); });
  return flat(std::move(found));
}

/// For each text the union of the wanted groups of those parts that stand in it.
Out<std::uint64_t> parts_found(const PySpans& spans, const PySpans& part_spans,
                               const In<std::uint64_t>& groups, const In<std::uint64_t>& wanted,
                               int threads) {
  check_threads(threads);
  const TextSpans texts = spans_of(spans), parts = spans_of(part_spans);
  check_length("groups", groups.size(), parts.size(), "one for each part");
  check_length("wanted", wanted.size(), texts.size(), "one for each text");
  for (std::size_t p = 0; p < parts.size(); ++p) expect(!parts[p].empty(), "parts: expected no empty text");
  std::vector<std::uint64_t> found(texts.size());
  without_gil([&] { find_parts(texts, parts, view(groups), view(wanted), threads, found); });
  return flat(std::move(found));
}

/// Places of what both sides have once, as many as keep their order.
Out<std::int64_t> common_places(const In<std::int64_t>& first, const In<std::int64_t>& second) {
  std::vector<std::int64_t> places;
  without_gil([&] {
    for (const auto& [i, j] : common_in_order(view(first), view(second))) places.insert(places.end(), {i, j});
  });
  const std::size_t size = places.size() / 2;
  return array_of(std::move(places), {size, 2});
}

/// Where the lines of each pair begin and end, on the side of the sources and on that of the outputs.
Out<std::int64_t> lines_aligned(const PySpans& source_spans, const PySpans& output_spans, std::size_t prefix,
                                std::size_t large, std::size_t widest, int threads) {
  check_threads(threads);
  const TextSpans sources = spans_of(source_spans), outputs = spans_of(output_spans);
  std::vector<std::int64_t> places;
  without_gil([&] {
    for (const LinePair& pair : align_lines(sources, outputs, prefix, large, widest, threads))
      places.insert(places.end(), {pair.source, pair.source_end, pair.output, pair.output_end});
  });
  const std::size_t size = places.size() / 4;
  return array_of(std::move(places), {size, 4});
}

/// For each byte of the outputs' buffer its cut, where pieces with open places begin and end, and for each
/// output whether it is too long.
nb::tuple cuts_of(const PySpans& source_spans, const PySpans& output_spans, const In<std::uint32_t>& letters,
                  int threads) {
  check_threads(threads);
  const TextSpans sources = spans_of(source_spans), outputs = spans_of(output_spans);
  check_length("sources", sources.size(), outputs.size(), "one for each output");
  for (std::size_t t = 1; t < outputs.size(); ++t)
    expect(outputs.ends[t - 1] <= outputs.begins[t], "outputs: expected texts behind one another");
  expect(std::is_sorted(letters.data(), letters.data() + letters.size()), "letters: expected rising numbers");
  std::vector<std::uint8_t> cuts(outputs.buffer.size()), too_long(outputs.size());
  OpenPieces pieces;
  static_assert(sizeof(Cut) == 1);
  without_gil([&] {
    pieces = cut_outputs(sources, outputs, view(letters), threads,
                         std::span(reinterpret_cast<Cut*>(cuts.data()), cuts.size()), too_long);
  });
  return nb::make_tuple(flat(std::move(cuts)), flat(std::move(pieces.begins)), flat(std::move(pieces.ends)),
                        flat(std::move(too_long)));
}

auto joined_cuts(const PySpans& output_spans, const In<std::uint8_t>& cuts) {
  const TextSpans outputs = spans_of(output_spans);
  check_length("cuts", cuts.size(), outputs.buffer.size(), "one for each byte of the outputs");
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> offsets;
  without_gil([&] {
    bytes = join_cuts(outputs, std::span(reinterpret_cast<const Cut*>(cuts.data()), cuts.size()), offsets);
  });
  return std::pair(flat(std::move(bytes)), flat(std::move(offsets)));
}

struct PyGoldColumns {
  In<std::int64_t> annotation_offsets;
  In<std::int32_t> annotators;
  In<std::int64_t> edit_offsets;
  In<std::int32_t> starts, ends;
  In<std::int64_t> correction_offsets;
  PySpans corrections;
  Text words;

  GoldColumns checked(const Sentences& sources, std::size_t columns) const {
    const GoldColumns gold{
        view(annotation_offsets), view(annotators),      view(edit_offsets),      view(starts), view(ends),
        view(correction_offsets), spans_of(corrections), checked_sentences(words)};
    check_pieces(gold.annotation_offsets, sources.size(), annotators.size());
    check_pieces(gold.edit_offsets, annotators.size(), starts.size());
    check_pieces(gold.correction_offsets, starts.size(), gold.corrections.size());
    expect(ends.size() == starts.size() && gold.words.size() == gold.corrections.size(),
           "gold: expected columns of one length");
    for (const std::int32_t annotator : gold.annotators)
      expect(annotator >= 0 && static_cast<std::size_t>(annotator) < columns,
             "gold: expected known annotators");
    for (std::size_t sentence = 0; sentence < sources.size(); ++sentence) {
      const auto size = static_cast<std::int32_t>(sources[sentence].size());
      const auto first = gold.edit_offsets[gold.annotation_offsets[sentence]];
      const auto last = gold.edit_offsets[gold.annotation_offsets[sentence + 1]];
      for (auto e = first; e < last; ++e)
        expect(0 <= gold.starts[e] && gold.starts[e] <= gold.ends[e] && gold.ends[e] <= size &&
                   gold.correction_offsets[e] < gold.correction_offsets[e + 1],
               "gold: expected edits within their sentences, with corrections");
    }
    return gold;
  }
};

Out<std::uint8_t> optional_edits(const Text& sources, const PyGoldColumns& py, std::size_t columns,
                                 const In<std::uint8_t>& required) {
  const Sentences source = checked_sentences(sources);
  const GoldColumns gold = py.checked(source, columns);
  expect(required.size() == gold.starts.size(), "required: expected one flag for each edit");
  std::vector<std::uint8_t> optional(required.size());
  mark_optional(source, gold, view(required), optional);
  return flat(std::move(optional));
}

nb::tuple texts_out(TextsOfSentences&& texts) {
  return nb::make_tuple(flat(std::move(texts.offsets)),
                        nb::make_tuple(flat(std::move(texts.ids)), flat(std::move(texts.ends))));
}

constexpr std::size_t most_annotators = 65536;

nb::tuple texts_of_annotators(const Text& sources, const PyGoldColumns& py, const In<std::uint8_t>& skipped,
                              std::size_t columns, bool missing_is_source,
                              const In<std::int64_t>& reference_offsets, const Text& references) {
  const Sentences source = checked_sentences(sources), rewritten = checked_sentences(references);
  const GoldColumns gold = py.checked(source, columns);
  expect(skipped.size() == gold.starts.size(), "skipped: expected one flag for each edit");
  // More than occur here, where this is a part: others have nothing to say of it.
  expect(columns <= most_annotators, "columns: expected 65536 at most");
  check_pieces(view(reference_offsets), source.size(), rewritten.size());
  TextsOfSentences texts;
  without_gil([&] {
    texts = annotator_texts(source, gold, view(skipped), columns, missing_is_source, view(reference_offsets),
                            rewritten);
  });
  return texts_out(std::move(texts));
}

nb::tuple texts_unmixed(const Text& sources, const PyGoldColumns& py, std::size_t columns,
                        const In<std::int64_t>& lines, const Text& words,
                        const In<std::int64_t>& reference_offsets, const Text& references) {
  const Sentences source = checked_sentences(sources), rewritten = checked_sentences(references);
  const Sentences prepared = checked_sentences(words);
  const GoldColumns gold = py.checked(source, columns);
  expect(lines.size() == gold.starts.size() && prepared.size() == gold.starts.size(),
         "lines, words: expected one for each edit");
  check_pieces(view(reference_offsets), source.size(), rewritten.size());
  TextsOfSentences texts;
  without_gil([&] {
    texts = unmixed_references(source, gold, view(lines), prepared, view(reference_offsets), rewritten);
  });
  return texts_out(std::move(texts));
}

Out<std::uint64_t> hashes_of(const Held<Interner>& held, const Text& tokens, const PyGoldColumns& py,
                             const nb::sequence& annotators, const PySpans& types,
                             const In<std::uint8_t>& required, const In<std::int64_t>& reference_offsets,
                             const PySpans& references, std::int64_t first) {
  const Sentences source = checked_sentences(tokens);
  const PyTexts names(annotators);
  std::vector<std::uint64_t> name_hashes;
  for (std::size_t n = 0; n < names.size(); ++n) name_hashes.push_back(hash_bytes(names[n]));
  const GoldColumns gold = py.checked(source, names.size());
  const FingerprintColumns columns{source,
                                   gold,
                                   name_hashes,
                                   spans_of(types),
                                   view(required),
                                   view(reference_offsets),
                                   spans_of(references)};
  expect(columns.types.size() == gold.starts.size() && required.size() == gold.starts.size(),
         "types, required: expected one for each edit");
  check_pieces(columns.reference_offsets, source.size(), columns.references.size());
  std::vector<std::uint64_t> hashes(source.size());
  held.look([&](const Interner& vocabulary) {
    for (const Token token : source.tokens)
      expect(token >= 0 && static_cast<std::size_t>(token) < vocabulary.size(),
             "tokens: expected known ones");
    without_gil([&] { fingerprints(columns, vocabulary, first, hashes); });
  });
  return flat(std::move(hashes));
}

nb::object edit_lines(const PySpans& texts, const In<std::int64_t>& annotation_offsets,
                      const In<std::int32_t>& annotators, const In<std::int64_t>& edit_offsets,
                      const In<std::int32_t>& starts, const In<std::int32_t>& ends, const PySpans& types,
                      const PySpans& corrections, const PySpans& endings, std::string_view without_edits) {
  const EditLines edits{
      spans_of(texts), view(annotation_offsets), view(annotators),      view(edit_offsets), view(starts),
      view(ends),      spans_of(types),          spans_of(corrections), spans_of(endings),  without_edits};
  check_pieces(edits.annotation_offsets, edits.texts.size(), annotators.size());
  check_pieces(edits.edit_offsets, annotators.size(), starts.size());
  for (const std::size_t length : {ends.size(), edits.types.size(), edits.corrections.size()})
    check_length("edits", length, starts.size(), "one for each start");
  for (const std::int32_t annotator : edits.annotators)
    expect(annotator >= 0 && static_cast<std::size_t>(annotator) < edits.endings.size(),
           "annotators: expected known ones");
  std::optional<std::string> lines;
  without_gil([&] { lines = format_lines(edits); });
  return lines ? nb::object(nb::bytes(lines->data(), lines->size())) : nb::none();
}

}  // namespace

void bind_columns(nb::module_& m) {
  nb::class_<Held<Interner>>(m, "Interner")
      .def(nb::init<>())
      .def("__len__",
           [](const Held<Interner>& held) { return held.look([](const Interner& it) { return it.size(); }); })
      .def("encode_spans", &encode_spans, array("spans"), "extend"_a, "threads"_a)
      .def("encode_texts", &encode_texts, "texts"_a, "extend"_a, "threads"_a)
      .def("encode_words", &encode_words, "sentences"_a, "extend"_a)
      .def("number", &number_spans, array("spans"))
      .def("texts", [](const Held<Interner>& held) { return held.look(texts_of); })
      .def("words", &words_of, array("ids"))
      .def("copy", [](const Held<Interner>& held) {
        return held.look([](const Interner& interner) { return new Held<Interner>(interner); });
      });
  nb::class_<PyGoldColumns>(m, "GoldColumns")
      .def(nb::init<In<std::int64_t>, In<std::int32_t>, In<std::int64_t>, In<std::int32_t>, In<std::int32_t>,
                    In<std::int64_t>, PySpans, Text>(),
           array("annotation_offsets"), array("annotators"), array("edit_offsets"), array("starts"),
           array("ends"), array("correction_offsets"), array("corrections"), array("words"));
  m.def("optional_edits", &optional_edits, array("sources"), "gold"_a, "columns"_a, array("required"));
  m.def(
      "distinct_spans",
      [](const PySpans& spans, const In<std::int64_t>& source_of) {
        return distinct_of(spans_of(spans), source_of);
      },
      array("spans"), array("source_of"));
  m.def(
      "distinct_texts",
      [](const nb::sequence& texts, const In<std::int64_t>& source_of) {
        return distinct_of(PyTexts(texts, "hypothesis"), source_of);
      },
      "texts"_a, array("source_of"));
  m.def("are_spaced", &spaced, array("spans"));
  m.def("are_equal_to", &equal_to, array("spans"), "text"_a);
  m.def("format_edit_lines", &edit_lines, array("texts"), array("annotation_offsets"), array("annotators"),
        array("edit_offsets"), array("starts"), array("ends"), array("types"), array("corrections"),
        array("endings"), "without_edits"_a);
  m.def("line_signatures", &signatures_of, array("spans"), "prefix"_a, "threads"_a);
  m.def("scan_texts", &texts_scanned, array("spans"), array("begins"), array("groups"), "threads"_a);
  m.def("find_parts", &parts_found, array("spans"), array("parts"), array("groups"), array("wanted"),
        "threads"_a);
  m.def("common_in_order", &common_places, array("first"), array("second"));
  m.def("align_lines", &lines_aligned, array("sources"), array("outputs"), "prefix"_a, "large"_a, "widest"_a,
        "threads"_a);
  m.def("compare_texts", &texts_compared, array("sources"), array("outputs"), "width"_a, "farthest"_a,
        "threads"_a);
  m.def("cut_outputs", &cuts_of, array("sources"), array("outputs"), array("letters"), "threads"_a);
  m.def("join_cuts", &joined_cuts, array("outputs"), array("cuts"));
  m.def("annotator_texts", &texts_of_annotators, array("sources"), "gold"_a, array("skipped"), "columns"_a,
        "missing_is_source"_a, array("reference_offsets"), array("references"));
  m.def("unmixed_references", &texts_unmixed, array("sources"), "gold"_a, "columns"_a, array("lines"),
        array("words"), array("reference_offsets"), array("references"));
  m.def("fingerprints", &hashes_of, "vocabulary"_a, array("tokens"), "gold"_a, "annotators"_a, array("types"),
        array("required"), array("reference_offsets"), array("references"), "first"_a);
}

}  // namespace recte::binding
