// What all bindings share: arrays in, arrays out, and the GIL set free while a kernel works.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "support/checks.hpp"
#include "support/interrupt.hpp"

namespace recte::binding {

namespace nb = nanobind;
using namespace nb::literals;

/// An array of Python, copied before it is validated: kernels work without the GIL, and another thread could
/// change the array after the checks. Copies of this object share the numbers.
template <class T, class Shape>
class Copied {
 public:
  using Array = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu>;

  Copied() = default;
  /// Where there is no memory for the numbers, `data` says so: a type caster may not throw.
  explicit Copied(const Array& array) noexcept : size_(array.size()) {
    for (std::size_t axis = 0; axis < array.ndim(); ++axis) shape_[axis] = array.shape(axis);
    try {
      numbers_ = std::make_shared_for_overwrite<T[]>(array.size());
      std::copy_n(array.data(), array.size(), numbers_.get());
    } catch (const std::bad_alloc&) {
      numbers_.reset();
    }
  }

  std::size_t size() const { return size_; }
  std::size_t shape(std::size_t axis) const { return shape_[axis]; }
  const T* data() const {
    if (!numbers_) throw std::bad_alloc();
    return numbers_.get();
  }
  const T& operator()(std::size_t place) const { return data()[place]; }

 private:
  std::size_t size_ = 0;
  std::array<std::size_t, 3> shape_{};  // no kernel takes more dimensions
  std::shared_ptr<T[]> numbers_;
};

template <class T>
using In = Copied<T, nb::ndim<1>>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;
using Text = std::pair<In<std::int32_t>, In<std::int64_t>>;
using Rows = Copied<std::int32_t, nb::ndim<3>>;
/// Not copied: by far the largest of all, and nothing but factors. Whoever changes one during a call changes
/// a sum.
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

template <class T, class Shape>
struct nanobind::detail::type_caster<recte::binding::Copied<T, Shape>> {
  using Copied = recte::binding::Copied<T, Shape>;
  NB_TYPE_CASTER(Copied, make_caster<typename Copied::Array>::Name)

  bool from_python(handle source, uint8_t flags, cleanup_list* cleanup) noexcept {
    make_caster<typename Copied::Array> caster;
    if (!caster.from_python(source, flags, cleanup)) return false;
    value = Copied(caster.value);
    return true;
  }
};
