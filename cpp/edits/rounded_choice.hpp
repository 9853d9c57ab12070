// Which annotator a sentence is scored against, as ERRANT chooses: by F of the running totals, rounded.
#pragma once

#include "statistics/weightings.hpp"

namespace recte {

enum class RunningF { rounded, exact };

/// The column of each sentence, or -1. `counts` holds tp, proposed and gold for each sentence and column;
/// negative where there is none. The highest F of the totals so far wins, rounded to four digits or not; then
/// more true positives, fewer false ones, fewer missed ones of the sentence, and the first.
void choose_by_running_f(std::span<const std::int32_t> counts, std::size_t columns, double beta,
                         RunningF rule, std::span<std::int32_t> chosen);

/// The totals tp, proposed, gold of many weightings of the sentences, each choosing again.
void sum_by_running_f(std::span<const std::int32_t> counts, std::size_t columns, const Weightings& weightings,
                      double beta, RunningF rule, int threads, std::span<std::int64_t> totals);

}  // namespace recte
