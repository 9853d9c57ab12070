// The interface of the compiled module. Bindings check what comes in, call a kernel and hand out arrays; they
// do no thinking.
#include "bindings/binding.hpp"

namespace {

/// A refusal is the same exception for users, whether Python or a binding raises it.
void refuse_in_python(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const recte::BadInput& error) {
    nanobind::object kind = nanobind::module_::import_("recte.errors").attr("InputError");
    PyErr_SetString(kind.ptr(), error.what());
  }
}

}  // namespace

NB_MODULE(_kernels, m) {
  // Libraries such as torch keep modules alive until the process ends, and ours with them. nanobind would
  // print a list of "leaked" objects after the user's table.
  nanobind::set_leak_warnings(false);
  nanobind::register_exception_translator(refuse_in_python);
  recte::binding::bind_maxmatch(m);
  recte::binding::bind_imeasure(m);
  recte::binding::bind_readers(m);
  recte::binding::bind_texts(m);
  recte::binding::bind_choices(m);
  recte::binding::bind_trueskill(m);
  recte::binding::bind_extraction(m);
  recte::binding::bind_chinese(m);
  recte::binding::bind_chunks(m);
  recte::binding::bind_columns(m);
  recte::binding::bind_coverage(m);
  recte::binding::bind_draws(m);
  recte::binding::bind_labelling(m);
}
