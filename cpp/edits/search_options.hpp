// How MaxMatch finds edits. The searches and the binding read this one struct.
#pragma once

#include <cstddef>
#include <cstdint>

namespace recte {

enum class Behaviour { official = 0, paper = 1, optimal = 2 };
enum class Extraction { maxmatch = 0, word_diff = 1, errant = 2 };  // errant: the edits come with the call

/// Where an insertion before the first word stands. `running`: the k-th inserted word at offset k - 1, as in
/// version 3.2 of the published scorer; `zero`: all at offset 0, as in its later revision.
enum class InitialInsertions { running = 0, zero = 1 };

struct SearchOptions {
  Behaviour behaviour = Behaviour::official;
  Extraction extraction = Extraction::maxmatch;
  int max_unchanged_words = 2;
  InitialInsertions initial_insertions = InitialInsertions::running;
  std::int64_t max_lattice = 20'000;      // vertices
  std::size_t max_stored_arcs = 400'000;  // 8 MB a thread

  /// Whether an edit may stand in for so many words of the source by so many of the hypothesis, of which it
  /// leaves some unchanged. Every search of edits asks this for each edit of more than one step, step by
  /// step; an edit of one step is always allowed. Whatever is refused must be refused after further steps,
  /// too.
  bool allows([[maybe_unused]] int source_words, [[maybe_unused]] int hypothesis_words, int unchanged) const {
    return unchanged <= max_unchanged_words;
  }
};

}  // namespace recte
