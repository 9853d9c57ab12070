// Readers of files for Python: bytes in, arrays out.
#include "bindings/binding.hpp"
#include "readers/line_reader.hpp"
#include "readers/m2_survey.hpp"
#include "support/held.hpp"

namespace recte::binding {

namespace {

Out<std::uint8_t> bytes_of(std::string&& bytes) {
  auto* kept = new std::string(std::move(bytes));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::string*>(p); });
  return Out<std::uint8_t>(reinterpret_cast<std::uint8_t*>(kept->data()), {kept->size()}, owner);
}

nb::tuple spans_out(Spans&& spans) {
  return nb::make_tuple(flat(std::move(spans.begins)), flat(std::move(spans.ends)));
}

nb::tuple error_out(const M2Error& error) {
  return nb::make_tuple(static_cast<int>(error.fault), error.line, error.count,
                        nb::bytes(error.text.data(), error.text.size()));
}

nb::tuple take_sentences(Held<M2Stream>& held, std::size_t most, int threads) {
  M2Columns c;
  M2Error error;
  held.change([&](M2Stream& stream) { without_gil([&] { c = stream.take(most, threads, error); }); });
  nb::dict columns;
  columns["bytes"] = bytes_of(std::move(c.bytes));
  columns["blocks"] = flat(std::move(c.blocks));
  columns["texts"] = spans_out(std::move(c.texts));
  columns["dropped"] = flat(std::move(c.dropped));
  columns["annotation_offsets"] = flat(std::move(c.annotation_offsets));
  columns["annotators"] = spans_out(std::move(c.annotators));
  columns["implied"] = flat(std::move(c.implied));
  columns["not_annotatable"] = flat(std::move(c.not_annotatable));
  columns["edit_offsets"] = flat(std::move(c.edit_offsets));
  columns["starts"] = flat(std::move(c.starts));
  columns["ends"] = flat(std::move(c.ends));
  columns["required"] = flat(std::move(c.required));
  columns["lines"] = flat(std::move(c.lines));
  columns["types"] = spans_out(std::move(c.types));
  columns["comments"] = spans_out(std::move(c.comments));
  columns["correction_offsets"] = flat(std::move(c.correction_offsets));
  columns["corrections"] = spans_out(std::move(c.corrections));
  return nb::make_tuple(columns, error_out(error));
}

nb::list annotators_seen(const Held<M2Survey>& held) {
  return held.look([](const M2Survey& survey) {
    nb::list names;
    for (const std::string& name : survey.annotators()) names.append(nb::bytes(name.data(), name.size()));
    return names;
  });
}

nb::tuple take_lines(Held<LineStream>& held, std::size_t most) {
  LineColumns columns = held.change([&](LineStream& stream) { return stream.take(most); });
  return nb::make_tuple(bytes_of(std::move(columns.bytes)), flat(std::move(columns.lines.begins)),
                        flat(std::move(columns.lines.ends)));
}

template <class Stream>
void feed(Held<Stream>& held, nb::bytes bytes) {
  const std::string_view view(bytes.c_str(), bytes.size());
  held.change([&](Stream& stream) {
    nb::gil_scoped_release unlocked;
    stream.feed(view);
  });
}

template <class Stream>
void finish(Held<Stream>& held) {
  held.change([](Stream& stream) { stream.finish(); });
}

template <class Stream>
auto ready(const Held<Stream>& held) {
  return held.look([](const Stream& stream) { return stream.ready(); });
}

template <class Stream>
nb::tuple failure(const Held<Stream>& held) {
  return held.look([](const Stream& stream) { return error_out(stream.failure()); });
}

}  // namespace

void bind_readers(nb::module_& m) {
  nb::class_<Held<M2Stream>>(m, "M2Stream")
      .def(nb::init<bool>(), "lenient"_a)
      .def("feed", &feed<M2Stream>, "data"_a)
      .def("finish", &finish<M2Stream>)
      .def_prop_ro("ready", &ready<M2Stream>)
      .def_prop_ro("failure", &failure<M2Stream>)
      .def("take", &take_sentences, "most"_a, "threads"_a);
  nb::class_<Held<M2Survey>>(m, "M2Survey")
      .def(nb::init<>())
      .def("feed", &feed<M2Survey>, "data"_a)
      .def("finish", &finish<M2Survey>)
      .def_prop_ro("sentences",
                   [](const Held<M2Survey>& held) {
                     return held.look([](const M2Survey& survey) { return survey.sentences(); });
                   })
      .def_prop_ro("annotators", &annotators_seen);
  nb::class_<Held<LineStream>>(m, "LineStream")
      .def(nb::init<>())
      .def("feed", &feed<LineStream>, "data"_a)
      .def("finish", &finish<LineStream>)
      .def_prop_ro("ready", &ready<LineStream>)
      .def_prop_ro("failure", &failure<LineStream>)
      .def("take", &take_lines, "most"_a);
}

}  // namespace recte::binding
