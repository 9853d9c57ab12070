#include "statistics/trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "statistics/normal_table.hpp"
#include "support/parallel.hpp"

namespace recte {

namespace {

constexpr std::int64_t matches_between_polls = 64;

struct Lesson {
  double shift, shrink;  // the v and w of Herbrich et al.: how far means move, how much variances shrink
};

/// The first won by `t` beyond the margin, in units of the performance difference's deviation.
Lesson lesson_of_win(double x) {
  const auto [below, density] = normal_table().at(x);
  if (below < 1e-300) return {-x, 1.0};  // the limit far in the tail
  const double shift = density / below;
  return {shift, shift * (shift + x)};
}

Lesson lesson_of_draw(double t, double margin) {
  const double upper = margin - std::abs(t), lower = -margin - std::abs(t);
  const auto [below_upper, at_upper] = normal_table().at(upper);
  const auto [below_lower, at_lower] = normal_table().at(lower);
  const double between = below_upper - below_lower;
  if (between < 1e-300) return {t < 0 ? -upper : upper, 1.0};
  const double shift = (at_lower - at_upper) / between;
  return {t < 0 ? -shift : shift, shift * shift + (upper * at_upper - lower * at_lower) / between};
}

/// What a win, a draw and a loss of the first would teach. All three are made of the same two tails.
struct Lessons {
  Lesson won, drawn, lost;
};

Lessons lessons_of(double t, double margin) {
  const double up = t - margin, down = -t - margin;
  const auto [win, at_up] = normal_table().at(up);
  const auto [loss, at_down] = normal_table().at(down);
  const double draw = 1 - win - loss;
  if (win < 1e-12 || loss < 1e-12 || draw < 1e-6) {  // too near a limit for differences of tails
    const Lesson lost = lesson_of_win(down);
    return {lesson_of_win(up), lesson_of_draw(t, margin), {-lost.shift, lost.shrink}};
  }
  const double won = at_up / win, lost = at_down / loss, drawn = (at_down - at_up) / draw;
  return {{won, won * (won + up)},
          {drawn, drawn * drawn - (up * at_up + down * at_down) / draw},
          {-lost, lost * (lost + down)}};
}

struct Change {
  double first_mean, second_mean, first_shrink, second_shrink;
};

Change change_of(const Skill& first, const Skill& second, int outcome, const TrueSkillOptions& options) {
  const double precision = 1 / std::sqrt(2 * options.beta * options.beta + first.variance + second.variance);
  const double t = (first.mean - second.mean) * precision, margin = options.draw_margin * precision;
  Lesson lesson = outcome == 0  ? lesson_of_draw(t, margin)
                  : outcome > 0 ? lesson_of_win(t - margin)
                                : lesson_of_win(-t - margin);
  if (outcome < 0) lesson.shift = -lesson.shift;
  const double shift = precision * lesson.shift, shrink = precision * precision * lesson.shrink;
  return {first.variance * shift, -second.variance * shift, first.variance * shrink,
          second.variance * shrink};
}

/// What is left of a variance that shrinks by a share, step by tiny step.
double shrunk(double share) {
  if (share > 1e-3) return std::exp(-share);
  return 1 - share * (1 - share * (0.5 - share * (1.0 / 6 - share / 24)));
}

/// splitmix64: a stream that any platform repeats, seeded for every run.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// The outcomes of every ordered pair: how many judgments, and how many of them each way.
struct Matches {
  struct Cell {
    std::int64_t lost = 0, drawn = 0, won = 0;
    std::int64_t total() const { return lost + drawn + won; }
  };
  std::size_t systems;
  std::vector<Cell> cells;

  explicit Matches(const PairOutcomes& outcomes) : systems(outcomes.systems), cells(systems * systems) {
    const std::int64_t* next = outcomes.cells.data();
    for (std::size_t i = 0; i < systems; ++i)
      for (std::size_t j = i + 1; j < systems; ++j, next += 3) {
        cells[i * systems + j] = {next[0], next[1], next[2]};
        cells[j * systems + i] = {next[2], next[1], next[0]};
      }
  }
  const Cell& at(std::size_t i, std::size_t j) const { return cells[i * systems + j]; }
  bool meets_anyone(std::size_t i) const {
    return std::any_of(&at(i, 0), &at(i, 0) + systems, [](const Cell& cell) { return cell.total() > 0; });
  }
};

/// How likely each outcome of an ordered pair is, if one of its judgments is drawn.
struct Chances {
  double won = 0, drawn = 0, lost = 0;
  bool met = false;
};

std::vector<Chances> chances_of(const Matches& matches) {
  std::vector<Chances> chances(matches.cells.size());
  for (std::size_t i = 0; i < chances.size(); ++i) {
    const auto& cell = matches.cells[i];
    if (cell.total() == 0) continue;
    const double each = 1 / static_cast<double>(cell.total());
    chances[i] = {each * static_cast<double>(cell.won), each * static_cast<double>(cell.drawn),
                  each * static_cast<double>(cell.lost), true};
  }
  return chances;
}

/// The players who can be matched at all, and the one of them we are least sure of; equals by name.
class Players {
 public:
  Players(const Matches& matches, const TrueSkillOptions& options)
      : skills(matches.systems, Skill{0.0, options.sigma * options.sigma}) {
    for (std::size_t i = 0; i < matches.systems; ++i)
      if (matches.meets_anyone(i)) active_.push_back(i);
  }
  bool empty() const { return active_.empty(); }
  std::size_t least_sure() const {
    std::size_t found = active_.front();
    for (const std::size_t i : active_)
      if (skills[i].variance > skills[found].variance) found = i;
    return found;
  }
  std::vector<Skill> skills;

 private:
  std::vector<std::size_t> active_;
};

void write_means(const Players& players, std::span<double> means) {
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = players.skills[i].mean;
}

}  // namespace

void play(Skill& first, Skill& second, int outcome, const TrueSkillOptions& options) {
  const Change change = change_of(first, second, outcome, options);
  first.mean += change.first_mean;
  second.mean += change.second_mean;
  first.variance *= 1 - change.first_shrink;
  second.variance *= 1 - change.second_shrink;
}

void run_trueskill(const PairOutcomes& outcomes, const TrueSkillOptions& options, std::uint64_t seed,
                   std::span<double> means) {
  const Matches matches(outcomes);
  Players players(matches, options);
  auto& skills = players.skills;
  Random random(seed);
  // exp(-|a - b|) is the smaller of e^a/e^b and e^b/e^a: two exponentials a match instead of one an opponent.
  std::vector<double> up(skills.size(), 1.0), down(skills.size(), 1.0), reach(skills.size());
  for (std::int64_t match = 0; match < options.matches && !players.empty(); ++match) {
    if (match % matches_between_polls == 0) poll();
    const std::size_t a = players.least_sure();
    double total = 0;
    for (std::size_t b = 0; b < skills.size(); ++b) {
      if (matches.at(a, b).total() > 0) total += std::min(up[a] * down[b], up[b] * down[a]);
      reach[b] = total;
    }
    const double drawn = random.uniform() * total;
    std::size_t b = 0;
    while (b + 1 < reach.size() && reach[b] <= drawn) ++b;
    const auto& cell = matches.at(a, b);
    const auto judgment = static_cast<std::int64_t>(random.uniform() * static_cast<double>(cell.total()));
    play(skills[a], skills[b], judgment < cell.won ? 1 : judgment < cell.won + cell.drawn ? 0 : -1, options);
    for (const std::size_t i : {a, b}) {
      up[i] = std::exp(skills[i].mean);
      down[i] = 1 / up[i];
    }
  }
  write_means(players, means);
}

void expect_trueskill(const PairOutcomes& outcomes, const TrueSkillOptions& options, std::int64_t steps,
                      std::span<double> means) {
  const Matches matches(outcomes);
  Players players(matches, options);
  auto& skills = players.skills;
  const double share = static_cast<double>(options.matches) / static_cast<double>(steps);
  const double performances = 2 * options.beta * options.beta;
  const std::vector<Chances> chances(chances_of(matches));
  std::vector<double> weights(skills.size());
  for (std::int64_t step = 0; step < steps && !players.empty(); ++step) {
    if (step % matches_between_polls == 0) poll();
    const std::size_t a = players.least_sure();
    const Skill before = skills[a];
    const Chances* const against = &chances[a * skills.size()];
    double total = 0, mean = 0, shrink = 0;
    for (std::size_t b = 0; b < skills.size(); ++b) {
      weights[b] = against[b].met ? std::exp(-std::abs(before.mean - skills[b].mean)) : 0;
      total += weights[b];
    }
    const double of_all = share / total;
    for (std::size_t b = 0; b < skills.size(); ++b) {
      if (weights[b] == 0) continue;
      Skill& other = skills[b];
      const double precision = 1 / std::sqrt(performances + before.variance + other.variance);
      const Lessons lessons =
          lessons_of((before.mean - other.mean) * precision, options.draw_margin * precision);
      const auto& [won, drawn, lost, met] = against[b];
      const double each = of_all * weights[b] * precision;
      const double shift =
          each * (won * lessons.won.shift + drawn * lessons.drawn.shift + lost * lessons.lost.shift);
      const double less =
          each * precision *
          (won * lessons.won.shrink + drawn * lessons.drawn.shrink + lost * lessons.lost.shrink);
      mean += before.variance * shift;
      shrink += before.variance * less;
      other.mean -= other.variance * shift;
      other.variance *= shrunk(other.variance * less);
    }
    skills[a].mean += mean;
    skills[a].variance *= shrunk(shrink);
  }
  write_means(players, means);
}

void run_many_trueskill(const PairOutcomes& outcomes, const TrueSkillOptions& options, std::int64_t steps,
                        std::uint64_t seed, std::size_t runs, int threads, std::span<double> means) {
  const std::size_t systems = outcomes.systems, table = systems * (systems - 1) / 2 * 3;
  const bool one_table = outcomes.cells.size() == table;
  std::vector<std::uint64_t> seeds(runs);
  Random random(seed);
  for (std::uint64_t& of_run : seeds) of_run = random.next();
  parallel_for(runs, threads, [&] {
    return [&](std::size_t run) {
      const PairOutcomes own{outcomes.cells.subspan(one_table ? 0 : run * table, table), systems};
      const std::span<double> result = means.subspan(run * systems, systems);
      if (steps > 0)
        expect_trueskill(own, options, steps, result);
      else
        run_trueskill(own, options, seeds[run], result);
    };
  });
}

void pass_trueskill(const ScoreTable& table, std::span<const std::int64_t> orders,
                    const TrueSkillOptions& options, int threads, std::span<double> means) {
  if (table.systems == 0 || table.sentences == 0) return;
  parallel_for(means.size() / table.systems, threads, [&] {
    return [&](std::size_t pass) {
      std::vector<Skill> skills(table.systems, Skill{0.0, options.sigma * options.sigma});
      std::vector<double> scores(table.systems);
      for (const std::int64_t sentence : orders.subspan(pass * table.sentences, table.sentences)) {
        for (std::size_t i = 0; i < table.systems; ++i)
          scores[i] = table.scores[i * table.sentences + static_cast<std::size_t>(sentence)];
        for (std::size_t i = 0; i < table.systems; ++i)
          for (std::size_t j = i + 1; j < table.systems; ++j)
            play(skills[i], skills[j], (scores[i] > scores[j]) - (scores[i] < scores[j]), options);
        poll();
      }
      for (std::size_t i = 0; i < table.systems; ++i) means[pass * table.systems + i] = skills[i].mean;
    };
  });
}

}  // namespace recte
