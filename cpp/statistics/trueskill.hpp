// TrueSkill of two players in closed form (Herbrich et al. 2006), played over pairwise judgments as Sakaguchi
// et al. (2014) do.
#pragma once

#include <cstdint>
#include <span>

namespace recte {

struct TrueSkillOptions {
  double sigma;        // how unsure of every system before its first match; its mean is 0
  double beta;         // how much a performance varies
  double draw_margin;  // performances closer than this are a draw
  std::int64_t matches;
};

struct Skill {
  double mean, variance;
};

/// What one match teaches; `outcome` is 1 where the first is better, 0 for a draw, -1 where the second is.
void play(Skill& first, Skill& second, int outcome, const TrueSkillOptions& options);

/// How often the second is better, neither, and the first, for each pair of `systems` in order (0 1, 0 2, …).
struct PairOutcomes {
  std::span<const std::int64_t> cells;
  std::size_t systems;
};

/// One run: the system we are least sure of meets one near it, and a judgment of the two is drawn. `means`
/// receives a mean a system.
void run_trueskill(const PairOutcomes& outcomes, const TrueSkillOptions& options, std::uint64_t seed,
                   std::span<double> means);

/// The same without chance: in each of `steps` equal shares of the matches, what all opponents and judgments
/// teach in proportion to their probability.
void expect_trueskill(const PairOutcomes& outcomes, const TrueSkillOptions& options, std::int64_t steps,
                      std::span<double> means);

/// A run for each of `runs`, on `threads` threads: with tables one after another in `outcomes` one each, with
/// one table all on that. `steps` above 0 expects instead of drawing. `means` is runs by systems.
void run_many_trueskill(const PairOutcomes& outcomes, const TrueSkillOptions& options, std::int64_t steps,
                        std::uint64_t seed, std::size_t runs, int threads, std::span<double> means);

/// Every pair of systems met on every sentence, one pass: sentences in the order given, pairs 0 1, 0 2, … in
/// each; the higher score wins, equal ones draw. `scores` is systems by sentences, `orders` one order of all
/// sentences after another; `means` receives a row of systems for each order.
struct ScoreTable {
  std::span<const double> scores;
  std::size_t systems, sentences;
};
void pass_trueskill(const ScoreTable& table, std::span<const std::int64_t> orders,
                    const TrueSkillOptions& options, int threads, std::span<double> means);

}  // namespace recte
