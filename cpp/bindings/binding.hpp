// What all bindings share: arrays in, arrays out, and the GIL set free while a kernel works.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <span>
#include <vector>

#include "support/checks.hpp"
#include "support/interrupt.hpp"

namespace recte::binding {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;
using Text = std::pair<In<std::int32_t>, In<std::int64_t>>;
using Rows = nb::ndarray<const std::int32_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto view(const Array& array) {
  return std::span(array.data(), array.size());
}

inline Sentences sentences_of(const char* name, const Text& text) {
  return checked(name, view(text.first), view(text.second));
}

template <class T>
Out<T> array_of(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), shape, owner);
}

template <class T>
Out<T> flat(std::vector<T>&& values) {
  const std::size_t size = values.size();
  return array_of(std::move(values), {size});
}

/// Do the work without the GIL. Signals are looked at meanwhile: Ctrl-C ends the work and is raised here.
template <class Work>
void without_gil(Work work) {
  PyThreadState* state = PyEval_SaveThread();
  bool interrupted = false;
  try {
    Watch watch([&state] {
      PyEval_RestoreThread(state);
      const bool stop = PyErr_CheckSignals() != 0;
      state = PyEval_SaveThread();
      return stop;
    });
    work();
  } catch (const Interrupted&) {
    interrupted = true;
  } catch (...) {
    PyEval_RestoreThread(state);
    throw;
  }
  PyEval_RestoreThread(state);
  if (interrupted) throw nb::python_error();
}

/// An array that is taken as it is: numbers of another type are refused, never cut to fit.
inline auto array(const char* name) { return nb::arg(name).noconvert(); }

void bind_maxmatch(nb::module_& m);
void bind_chinese(nb::module_& m);
void bind_chunks(nb::module_& m);
void bind_columns(nb::module_& m);
void bind_coverage(nb::module_& m);
void bind_draws(nb::module_& m);
void bind_extraction(nb::module_& m);
void bind_imeasure(nb::module_& m);
void bind_labelling(nb::module_& m);
void bind_readers(nb::module_& m);
void bind_texts(nb::module_& m);
void bind_choices(nb::module_& m);
void bind_trueskill(nb::module_& m);

}  // namespace recte::binding
