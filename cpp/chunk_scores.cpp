#include "chunk_scores.hpp"

#include <cmath>

#include "parallel.hpp"

namespace recte {
namespace {

constexpr std::size_t tp = 0, necessary = 1, unnecessary = 2, fn = 3, tn = 4;

/// To four decimals, as the decimal nearest to the exact binary value, half to even.
double rounded(double value) {
  const double scaled = value * 1e4, error = std::fma(value, 1e4, -scaled), low = std::floor(scaled);
  const double above = scaled - low - 0.5;
  const bool up = above != 0 ? above > 0 : (error != 0 ? error > 0 : std::fmod(low, 2.0) != 0);
  return (up ? low + 1 : low) / 1e4;
}

/// What decides between references: greater is better, from the first on.
using Key = std::array<double, 5>;

Key corpus_key(const ChunkSums& total, const ChunkSums& own, const ChunkScoring& scoring) {
  ChunkSums sums = total;
  for (std::size_t k = 0; k < chunk_kinds; ++k) sums[k] += own[k];
  return {chunk_figures(sums, scoring)[0], own[tp], -(own[necessary] + own[unnecessary]), -own[fn], own[tn]};
}

Key sentence_key(const ChunkFigures& f, const ChunkScoring& scoring) {
  if (scoring.second) return {f[0], f[1], -f[2], -f[3], -f[4]};
  return f;
}

/// A sentence's chunks against one reference: a kind, a length and how many there are of both.
struct Entry {
  std::uint16_t kind, length;
  std::int32_t count;
};

class Weigher {
 public:
  explicit Weigher(const ChunkRows& rows)
      : rows_(rows), size_(rows.size() * rows.columns), first_(size_ + 1) {
    if (!rows.bins) return;
    for (std::size_t r = 0; r < size_; ++r) {
      first_[r] = entries_.size();
      const std::int32_t* row = at(r);
      for (std::size_t cell = 0; cell < (chunk_kinds - 1) * rows.bins && row[0] >= 0; ++cell)
        if (row[3 + cell])
          entries_.push_back({static_cast<std::uint16_t>(cell / rows.bins),
                              static_cast<std::uint16_t>(cell % rows.bins), row[3 + cell]});
    }
    first_[size_] = entries_.size();
  }

  bool present(std::size_t row) const {
    return rows_.bins ? at(row)[0] >= 0 : rows_.weighed[row * chunk_kinds] >= 0;
  }

  /// The weight of each kind and length in a corpus of so many copies of each sentence (one of each without).
  std::vector<double> table(const ChunkScoring& scoring, std::span<const std::int32_t> weighting) const {
    std::vector<double> weights((chunk_kinds - 1) * rows_.bins, 1.0);
    if (!scoring.by_length || !rows_.bins) return weights;
    double changed = 0, length = 0;
    for (std::size_t r = 0; r < size_; ++r) {
      if (!present(r)) continue;
      const double copies = weighting.empty() ? 1.0 : weighting[r / rows_.columns];
      changed += copies * at(r)[1];
      length += copies * at(r)[2];
    }
    if (changed == 0) return weights;
    const double mean = length / changed;
    for (std::size_t kind = 0; kind + 1 < chunk_kinds; ++kind) {
      const bool false_positive = kind == necessary || kind == unnecessary;
      const auto [alpha, least, most] = scoring.weight[kind == fn ? 2 : false_positive ? 1 : 0];
      for (std::size_t l = 0; l < rows_.bins && alpha != 1; ++l) {
        const double distance =
            false_positive ? static_cast<double>(l) - mean : mean - static_cast<double>(l);
        weights[kind * rows_.bins + l] =
            std::clamp(alpha / (1 + (alpha - 1) * std::exp(distance)), least, most);
      }
    }
    return weights;
  }

  ChunkSums sums(std::size_t row, const std::vector<double>& table) const {
    ChunkSums found{};
    if (!rows_.bins) {
      for (std::size_t k = 0; k < chunk_kinds; ++k) found[k] = rows_.weighed[row * chunk_kinds + k];
      return found;
    }
    found[tn] = at(row)[0];
    for (std::size_t e = first_[row]; e < first_[row + 1]; ++e)
      found[entries_[e].kind] +=
          entries_[e].count * table[entries_[e].kind * rows_.bins + entries_[e].length];
    return found;
  }

 private:
  const std::int32_t* at(std::size_t row) const { return rows_.lengths.data() + row * rows_.cells(); }

  const ChunkRows& rows_;
  std::size_t size_;
  std::vector<std::size_t> first_;
  std::vector<Entry> entries_;
};

/// The best of a sentence's references: a column, or -1 where it has none.
template <class KeyOf>
int best_column(const std::vector<bool>& present, KeyOf key_of) {
  int best = -1;
  Key best_key{};
  for (std::size_t c = 0; c < present.size(); ++c) {
    if (!present[c]) continue;
    const Key key = key_of(c);
    if (best < 0 || key > best_key) best = static_cast<int>(c), best_key = key;
  }
  return best;
}

struct Outcome {
  ChunkSums sums{};
  ChunkFigures figures{};
};

/// Goes through the sentences in order; `seen` is told each sentence's column.
template <class Seen>
Outcome run(const Weigher& weigher, std::size_t size, std::size_t columns, const ChunkScoring& scoring,
            std::span<const std::int32_t> weighting, Seen seen) {
  const std::vector<double> table = weigher.table(scoring, weighting);
  Outcome outcome;
  std::vector<ChunkSums> own(columns);
  std::vector<bool> present(columns);
  double sentences = 0;
  for (std::size_t s = 0; s < size; ++s) {
    const std::int32_t copies = weighting.empty() ? 1 : weighting[s];
    if (!copies) continue;
    std::size_t there = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      present[c] = weigher.present(s * columns + c);
      if (present[c]) own[c] = weigher.sums(s * columns + c, table), ++there;
    }
    if (scoring.sentence_level || there == 1) {
      const int best = best_column(
          present, [&](std::size_t c) { return sentence_key(chunk_figures(own[c], scoring), scoring); });
      if (best < 0) continue;
      const ChunkFigures figures = chunk_figures(own[best], scoring);
      for (std::size_t k = 0; k < chunk_kinds; ++k) outcome.sums[k] += copies * own[best][k];
      for (std::size_t f = 0; f < figures.size(); ++f) outcome.figures[f] += copies * figures[f];
      sentences += copies;
      seen(s, best);
      continue;
    }
    for (std::int32_t copy = 0; copy < copies; ++copy) {
      const int best =
          best_column(present, [&](std::size_t c) { return corpus_key(outcome.sums, own[c], scoring); });
      if (best < 0) break;
      for (std::size_t k = 0; k < chunk_kinds; ++k) outcome.sums[k] += own[best][k];
      seen(s, best);
    }
  }
  if (!scoring.sentence_level)
    outcome.figures = chunk_figures(outcome.sums, scoring);
  else
    for (double& figure : outcome.figures) figure /= std::max(1.0, sentences);
  return outcome;
}

}  // namespace

ChunkFigures chunk_figures(const ChunkSums& s, const ChunkScoring& scoring) {
  const double fp = s[necessary] + s[unnecessary], proposed = s[tp] + fp;
  if (scoring.second) {
    const double needed = s[tp] + s[necessary] + s[fn];
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0.0; };
    const double hit = share(s[tp], needed), wrong = share(s[necessary], needed),
                 under = share(s[fn], needed), over = share(s[unnecessary], proposed);
    const auto& [h, w, u, o] = scoring.factors;
    return {h * hit + w * (1 - wrong) + u * (1 - under) + o * (1 - over), hit, wrong, under, over};
  }
  const double wanted = s[tp] + s[fn], all = proposed + s[fn] + s[tn];
  const double p = proposed > 0 ? s[tp] / proposed : 1.0, r = wanted > 0 ? s[tp] / wanted : 1.0;
  const double beta2 = scoring.beta * scoring.beta;
  const double f = p + r > 0 ? (1 + beta2) * p * r / (beta2 * p + r) : 0.0;
  return {rounded(f), rounded(p), rounded(r), rounded(all > 0 ? (s[tp] + s[tn]) / all : 1.0), 0.0};
}

void score_chunks(const ChunkRows& rows, std::span<const std::int32_t> weightings,
                  const ChunkScoring& scoring, int threads, std::span<double> sums,
                  std::span<double> figures) {
  const std::size_t size = rows.size();
  const Weigher weigher(rows);
  parallel_for(size ? weightings.size() / size : 0, threads, [&] {
    return [&](std::size_t w) {
      const Outcome found =
          run(weigher, size, rows.columns, scoring, weightings.subspan(w * size, size), [](auto, auto) {});
      std::ranges::copy(found.sums, sums.begin() + w * chunk_kinds);
      std::ranges::copy(found.figures, figures.begin() + w * found.figures.size());
    };
  });
}

void choose_chunks(const ChunkRows& rows, const ChunkScoring& scoring, std::span<std::int32_t> chosen,
                   std::span<double> sums, std::span<double> figures) {
  const Weigher weigher(rows);
  std::ranges::fill(chosen, -1);
  run(weigher, rows.size(), rows.columns, scoring, {}, [&](std::size_t s, int best) { chosen[s] = best; });
  const std::vector<double> table = weigher.table(scoring, {});
  for (std::size_t row = 0; row < rows.size() * rows.columns; ++row) {
    ChunkSums own;
    own.fill(-1.0);
    ChunkFigures its;
    its.fill(-1.0);
    if (weigher.present(row)) own = weigher.sums(row, table), its = chunk_figures(own, scoring);
    std::ranges::copy(own, sums.begin() + row * own.size());
    std::ranges::copy(its, figures.begin() + row * its.size());
  }
}

}  // namespace recte
