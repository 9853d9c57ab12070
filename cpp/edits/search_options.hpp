// How MaxMatch finds edits. The searches and the binding read this one struct.
#pragma once

#include <cstddef>
#include <cstdint>

namespace recte {

enum class Behaviour { official = 0, paper = 1, optimal = 2 };
enum class Extraction { maxmatch = 0, word_diff = 1, given = 2 };

/// Where an insertion before the first word stands. `running`: the k-th inserted word at offset k - 1, as in
/// version 3.2 of the published scorer; `zero`: all at offset 0, as in its later revision.
enum class InitialInsertions { running, zero };

struct SearchOptions {
  Behaviour behaviour = Behaviour::official;
  Extraction extraction = Extraction::maxmatch;
  int max_unchanged_words = 2;
  InitialInsertions initial_insertions = InitialInsertions::running;
  std::int64_t max_lattice = 20'000;      // vertices
  std::size_t max_stored_arcs = 400'000;  // 8 MB a thread
};

}  // namespace recte
