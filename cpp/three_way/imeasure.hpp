// The I-measure over a whole corpus: every hypothesis against the references of its source, on all cores.
//
// How the parts work together: `three_way` aligns exactly. The slack of a cell is what the best path through
// it costs above the pairwise optima; an optimal path stays in cells whose slack is at most what the optimum
// costs above them. So the recurrence runs on cells with slack 0, then 1, 2, 4, 8, until its result is within
// the limit. Beyond that, or where the cells are a quarter of the cube, the whole cube is filled, up to a
// stated limit. All optimal paths remain, so the published order of ties holds. The common end is always cut
// off; the common beginning only where counts alone are needed, since cutting it may move gaps.
// `mixed_search` lists mixtures of annotators' corrections up to a limit. `mixture_bound` rules most of them
// out without an alignment, from Levenshtein distances and common subsequences
// (`bit_distances`, 64 words at a time). Above the limit the sentence is cut at runs of four unchanged words,
// the distinct counts of the segments are added, and the choice is verified by a full alignment.
// `improvement` holds the figures by which references are compared.
#pragma once

#include "statistics/weightings.hpp"
#include "three_way/improvement.hpp"

namespace recte {

/// Each sentence's references, laid out flat.
struct ReferenceTable {
  std::span<const std::int64_t> reference_offsets;  // by sentence
  Sentences references;
};

/// Each sentence's errors and the options of each: edits to apply together, or none.
struct ErrorTable {
  std::span<const std::int64_t> error_offsets;   // by sentence
  std::span<const std::int64_t> option_offsets;  // by error
  std::span<const std::int64_t> edit_offsets;    // by option
  std::span<const std::int32_t> starts, ends;    // by edit
  Sentences corrections;                         // by edit
};

struct IMeasureOptions {
  AlignmentCosts costs;
  ImprovementOptions improvement;
  std::int64_t max_cells = 64'000'000;
  std::int64_t max_combinations = 100'000;
  std::size_t candidates = 1;  // distinct count vectors to keep for a choice over the corpus; 1 chooses here
};

enum class TripleStatus : std::uint8_t {
  exact = 0,
  searched = 1,  // too many combinations: segments were searched, and the choice verified
  too_long = 2,  // an alignment would need a larger cube than allowed
};

/// Rows of the best reference, or of up to `candidates` distinct ones (the rest -1), best first; `chosen`
/// receives the reference of each row.
void count_references(const Sentences& sources, const Sentences& hypotheses,
                      std::span<const std::int64_t> source_of, const ReferenceTable& table,
                      const IMeasureOptions& options, int threads, std::span<std::int32_t> rows,
                      std::span<std::int32_t> chosen, std::span<std::uint8_t> status);

/// The same over all combinations of the errors' options; `chosen` receives an option for each error of the
/// sentence, hypothesis after hypothesis (`chosen_offsets`), for the best row.
void count_mixed(const Sentences& sources, const Sentences& hypotheses,
                 std::span<const std::int64_t> source_of, const ErrorTable& table,
                 const IMeasureOptions& options, int threads, std::span<std::int32_t> rows,
                 std::span<const std::int64_t> chosen_offsets, std::span<std::int32_t> chosen,
                 std::span<std::uint8_t> status);

/// The alignment of each triple, a byte a column (4 source, 2 hypothesis, 1 reference, added up), triple
/// after triple; `offsets` receives where each begins. A triple beyond `max_cells` has no columns.
std::vector<std::uint8_t> align_triples(const Sentences& sources, const Sentences& hypotheses,
                                        const Sentences& references, const IMeasureOptions& options,
                                        int threads, std::span<std::int64_t> offsets);

/// Which of each sentence's rows is best for the totals so far, sentence after sentence; -1 where there is
/// none.
void choose_greedy(std::span<const std::int32_t> rows, std::size_t candidates,
                   const ImprovementOptions& options, std::span<std::int32_t> chosen);

/// The totals of many weightings of the sentences, each choosing again by the same rule.
void sum_greedy(std::span<const std::int32_t> rows, std::size_t candidates, const Weightings& weightings,
                const ImprovementOptions& options, int threads, std::span<std::int64_t> totals);

}  // namespace recte
