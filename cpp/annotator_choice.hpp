// Which annotator a sentence is scored against, where the choice is made sentence by sentence.
#pragma once

#include <cstdint>
#include <span>

namespace errata {

/// The published rule, sequential: the annotator that gives the running totals the best F, then more true
/// positives, then the smaller denominator, then the first. `counts` holds tp, proposed, gold for each
/// sentence and annotator, -1 where there is none; `chosen` receives a column, or -1.
void choose_running(std::span<const std::int32_t> counts, std::size_t annotators, double beta,
                    std::span<std::int32_t> chosen);

}  // namespace errata
