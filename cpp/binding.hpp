// What the files that know Python share: arrays as spans, vectors as arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "tokens.hpp"

namespace recte::binding {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;
using Text = std::pair<In<std::int32_t>, In<std::int64_t>>;

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

inline Sentences sentences_of(const Text& text) { return {view(text.first), view(text.second)}; }

void bind_chinese(nb::module_& module);
void bind_extraction(nb::module_& module);
void bind_chunks(nb::module_& module);

}  // namespace recte::binding
