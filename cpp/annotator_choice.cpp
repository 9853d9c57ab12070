#include "annotator_choice.hpp"

namespace errata {

void choose_running(std::span<const std::int32_t> counts, std::size_t annotators, double beta,
                    std::span<std::int32_t> chosen) {
  const double beta2 = beta * beta;
  std::int64_t tp = 0, proposed = 0, gold = 0;
  for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
    const std::int32_t* row = counts.data() + sentence * annotators * 3;
    int best = -1;
    double best_f = 0, best_denominator = 0;
    std::int64_t best_tp = 0;
    for (std::size_t a = 0; a < annotators; ++a) {
      const std::int32_t* count = row + a * 3;
      if (count[0] < 0) continue;
      const std::int64_t with_tp = tp + count[0];
      const double denominator =
          beta2 * static_cast<double>(gold + count[2]) + static_cast<double>(proposed + count[1]);
      const double f = denominator == 0 ? 1 : (1 + beta2) * static_cast<double>(with_tp) / denominator;
      if (best < 0 || f > best_f ||
          (f == best_f && (with_tp > best_tp || (with_tp == best_tp && denominator < best_denominator)))) {
        best = static_cast<int>(a);
        best_f = f;
        best_tp = with_tp;
        best_denominator = denominator;
      }
    }
    chosen[sentence] = best;
    if (best < 0) continue;
    tp += row[best * 3];
    proposed += row[best * 3 + 1];
    gold += row[best * 3 + 2];
  }
}

}  // namespace errata
