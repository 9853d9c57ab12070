#include "chunks/chunk_scores.hpp"

#include <cmath>

#include "support/parallel.hpp"

namespace recte {
namespace {

constexpr std::size_t tp = 0, necessary = 1, unnecessary = 2, fn = 3, tn = 4;

/// To four decimals, as the decimal nearest to the exact binary value, half to even.
double rounded(double value) {
  const double scaled = value * 1e4, low = std::floor(scaled), above = scaled - low - 0.5;
  if (above != 0) return (above > 0 ? low + 1 : low) / 1e4;
  const double error = std::fma(value, 1e4, -scaled);
  const bool up = error != 0 ? error > 0 : std::fmod(low, 2.0) != 0;
  return (up ? low + 1 : low) / 1e4;
}

double cleme_f(const ChunkSums& s, double beta2) {
  const double proposed = s[tp] + s[necessary] + s[unnecessary], wanted = s[tp] + s[fn];
  const double p = proposed > 0 ? s[tp] / proposed : 1.0, r = wanted > 0 ? s[tp] / wanted : 1.0;
  return p + r > 0 ? (1 + beta2) * p * r / (beta2 * p + r) : 0.0;
}

/// What a reference is chosen by for a corpus.
double headline(const ChunkSums& sums, const ChunkScoring& scoring) {
  return scoring.second ? chunk_figures(sums, scoring)[0]
                        : rounded(cleme_f(sums, scoring.beta * scoring.beta));
}

/// What decides between references: greater is better, from the first on.
using Key = std::array<double, 5>;

Key corpus_key(const ChunkSums& total, const ChunkSums& own, const ChunkScoring& scoring) {
  ChunkSums sums = total;
  for (std::size_t k = 0; k < chunk_kinds; ++k) sums[k] += own[k];
  return {headline(sums, scoring), own[tp], -(own[necessary] + own[unnecessary]), -own[fn], own[tn]};
}

Key sentence_key(const ChunkFigures& f, const ChunkScoring& scoring) {
  if (scoring.second) return {f[0], f[1], -f[2], -f[3], -f[4]};
  return f;
}

/// Whether the first is chosen before the second whatever the totals are. F rises with true positives and
/// falls with errors, so where none of them speaks for the second, F cannot either.
bool always_before(const ChunkSums& a, const ChunkSums& b, const ChunkScoring& scoring) {
  if (scoring.second) return a == b;
  const double a_fp = a[necessary] + a[unnecessary], b_fp = b[necessary] + b[unnecessary];
  if (a[tp] < b[tp] || a_fp > b_fp || a[fn] > b[fn]) return false;
  return a[tp] > b[tp] || a_fp < b_fp || a[fn] < b[fn] || a[tn] >= b[tn];
}

/// The weights of each row's chunks in sum, for any mean length.
class Weigher {
 public:
  /// Sums that were made last. Weights at a limit add up to `fixed`, which changes only where the mean length
  /// passes from one length to the next; those between the limits are few, and added after them.
  struct Made {
    std::vector<ChunkSums> sums, fixed;
    std::vector<std::uint8_t> at_limit;  // of each kind and length
    std::vector<double> table;           // the weight of each kind and length
    std::vector<std::size_t> between;    // the entries whose weight is at no limit
  };

  Weigher(const ChunkRows& rows, const ChunkScoring& scoring)
      : rows_(rows), scoring_(scoring), present_(rows.size() * rows.columns), unweighted_(present_.size()) {
    for (std::size_t r = 0; r < present_.size(); ++r) {
      poll_every(r);
      if (!rows.bins) {
        for (std::size_t k = 0; k < chunk_kinds; ++k) unweighted_[r][k] = rows.weighed[r * chunk_kinds + k];
        present_[r] = unweighted_[r][0] >= 0;
        continue;
      }
      const std::int32_t* cells = rows.lengths.data() + r * rows.cells();
      present_[r] = cells[0] >= 0;
      if (!present_[r]) continue;
      unweighted_[r][tn] = cells[0];
      for (std::size_t cell = 0; cell < (chunk_kinds - 1) * rows.bins; ++cell)
        if (cells[3 + cell]) entries_.push_back({r, cell, cell / rows.bins, cells[3 + cell]});
    }
  }

  bool present(std::size_t row) const { return present_[row]; }

  /// The sums of all rows in a corpus with this mean length, or with none where it is negative.
  const std::vector<ChunkSums>& sums(double mean, Made& made) const {
    if (!rows_.bins) return unweighted_;
    if (made.fixed.empty()) made.fixed = unweighted_;
    if (weigh(mean, made)) {
      for (ChunkSums& sums : made.fixed) sums[tp] = sums[necessary] = sums[unnecessary] = sums[fn] = 0;
      made.between.clear();
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        const auto& [row, cell, kind, count] = entries_[e];
        if (made.at_limit[cell])
          made.fixed[row][kind] += count * made.table[cell];
        else
          made.between.push_back(e);
      }
      made.sums = made.fixed;
    }
    for (const std::size_t e : made.between)
      made.sums[entries_[e].row][entries_[e].kind] = made.fixed[entries_[e].row][entries_[e].kind];
    for (const std::size_t e : made.between)
      made.sums[entries_[e].row][entries_[e].kind] += entries_[e].count * made.table[entries_[e].cell];
    return made.sums;
  }

 private:
  /// A row's chunks of one kind and length, and how many there are.
  struct Entry {
    std::size_t row, cell, kind;
    std::int32_t count;
  };

  /// The weight of each kind and length at this mean; whether those at a limit are others than before.
  bool weigh(double mean, Made& made) const {
    const std::size_t cells = (chunk_kinds - 1) * rows_.bins;
    std::vector<std::uint8_t> at_limit(cells, 1);
    std::vector<double> table(cells, 1.0);
    if (scoring_.by_length && mean >= 0)
      for (std::size_t kind = 0; kind + 1 < chunk_kinds; ++kind) weigh_kind(kind, mean, at_limit, table);
    bool other = at_limit != made.at_limit;
    for (std::size_t cell = 0; cell < cells && !other; ++cell)
      other = at_limit[cell] && table[cell] != made.table[cell];
    made.at_limit = std::move(at_limit);
    made.table = std::move(table);
    return other;
  }

  void weigh_kind(std::size_t kind, double mean, std::vector<std::uint8_t>& at_limit,
                  std::vector<double>& table) const {
    constexpr double margin = 1e-9;  // nearer to a limit than that, the formula itself decides
    const bool false_positive = kind == necessary || kind == unnecessary;
    const auto [alpha, least, most] = scoring_.weight[kind == fn ? 2 : false_positive ? 1 : 0];
    if (alpha == 1) return;
    const double to_most = std::log((alpha / most - 1) / (alpha - 1)) - margin,
                 to_least = std::log((alpha / least - 1) / (alpha - 1)) + margin;
    for (std::size_t l = 0; l < rows_.bins; ++l) {
      const std::size_t cell = kind * rows_.bins + l;
      const double distance = false_positive ? static_cast<double>(l) - mean : mean - static_cast<double>(l);
      at_limit[cell] = distance < to_most || distance > to_least;
      if (at_limit[cell])
        table[cell] = distance < to_most ? most : least;
      else
        table[cell] = std::clamp(alpha / (1 + (alpha - 1) * std::exp(distance)), least, most);
    }
  }

  const ChunkRows& rows_;
  const ChunkScoring& scoring_;
  std::vector<std::uint8_t> present_;
  std::vector<ChunkSums> unweighted_;  // true negatives, and all kinds where rows are sums of weights
  std::vector<Entry> entries_;
};

/// Chooses a reference for one sentence after another.
class Chooser {
 public:
  Chooser(const Weigher& weigher, std::size_t columns, const ChunkScoring& scoring)
      : weigher_(weigher), columns_(columns), scoring_(scoring) {}

  /// Goes through the sentences in order; `seen` is told each sentence's column.
  template <class Seen>
  void run(std::size_t size, std::span<const std::int32_t> weighting, double mean, ChunkTotals& totals,
           Seen seen) {
    const std::vector<ChunkSums>& sums = weigher_.sums(mean, scratch_);
    for (std::size_t s = 0; s < size; ++s) {
      poll_every(s);
      const std::int32_t copies = weighting.empty() ? 1 : weighting[s];
      if (!copies) continue;
      list(s, sums.data() + s * columns_);
      if (listed_.empty()) continue;
      if (scoring_.sentence_level) {
        const std::size_t best = best_of(
            [&](const ChunkSums& own) { return sentence_key(chunk_figures(own, scoring_), scoring_); });
        const ChunkFigures figures = chunk_figures(*listed_[best].sums, scoring_);
        for (std::size_t f = 0; f < figures.size(); ++f) totals.figures[f] += copies * figures[f];
        totals.sentences += copies;
        take(best, copies, totals.sums);
        seen(s, listed_[best].column);
        continue;
      }
      leave_the_first();
      if (listed_.size() == 1) {
        take(0, copies, totals.sums);
        seen(s, listed_[0].column);
      }
      for (std::int32_t copy = 0; copy < copies && listed_.size() > 1; ++copy) {
        std::size_t best = 0;
        if (!clearly_best(totals.sums, best))
          best = best_of([&](const ChunkSums& own) { return corpus_key(totals.sums, own, scoring_); });
        take(best, 1, totals.sums);
        seen(s, listed_[best].column);
        poll_every(static_cast<std::size_t>(copy));
      }
    }
  }

 private:
  struct Listed {
    int column;
    const ChunkSums* sums;
  };

  void list(std::size_t sentence, const ChunkSums* sums) {
    listed_.clear();
    for (std::size_t c = 0; c < columns_; ++c)
      if (weigher_.present(sentence * columns_ + c)) listed_.push_back({static_cast<int>(c), sums + c});
  }

  /// Leaves out references that another one is always chosen before.
  void leave_the_first() {
    for (std::size_t i = 0; i < listed_.size(); ++i)
      for (std::size_t j = i + 1; j < listed_.size();)
        if (always_before(*listed_[i].sums, *listed_[j].sums, scoring_)) {
          listed_.erase(listed_.begin() + j);
        } else if (always_before(*listed_[j].sums, *listed_[i].sums, scoring_)) {
          listed_.erase(listed_.begin() + i);
          j = i + 1;
        } else {
          ++j;
        }
  }

  /// CLEME 2.0 with two divisions instead of four: decides where the difference is beyond all rounding.
  bool clearly_best(const ChunkSums& total, std::size_t& best) const {
    if (!scoring_.second) return false;
    double first = -1e300, second = -1e300;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      ChunkSums s = total;
      for (std::size_t k = 0; k < chunk_kinds; ++k) s[k] += (*listed_[i].sums)[k];
      const auto& [h, w, u, o] = scoring_.factors;
      const double needed = s[tp] + s[necessary] + s[fn], proposed = s[tp] + s[necessary] + s[unnecessary];
      double score = needed > 0 ? (h * s[tp] - w * s[necessary] - u * s[fn]) / needed : 0.0;
      score -= proposed > 0 ? o * s[unnecessary] / proposed : 0.0;
      if (score > first) {
        second = first, first = score, best = i;
      } else {
        second = std::max(second, score);
      }
    }
    return first - second > 1e-9;
  }

  template <class KeyOf>
  std::size_t best_of(KeyOf key_of) const {
    std::size_t best = 0;
    Key best_key = key_of(*listed_[0].sums);
    for (std::size_t i = 1; i < listed_.size(); ++i) {
      const Key key = key_of(*listed_[i].sums);
      if (key > best_key) best = i, best_key = key;
    }
    return best;
  }

  void take(std::size_t which, std::int32_t copies, ChunkSums& total) const {
    for (std::size_t k = 0; k < chunk_kinds; ++k) total[k] += copies * (*listed_[which].sums)[k];
  }

  const Weigher& weigher_;
  const std::size_t columns_;
  const ChunkScoring& scoring_;
  Weigher::Made scratch_;
  std::vector<Listed> listed_;
};

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
  return {rounded(cleme_f(s, scoring.beta * scoring.beta)), rounded(p), rounded(r),
          rounded(all > 0 ? (s[tp] + s[tn]) / all : 1.0), 0.0};
}

ChunkFigures total_figures(const ChunkTotals& totals, const ChunkScoring& scoring) {
  if (!scoring.sentence_level) return chunk_figures(totals.sums, scoring);
  ChunkFigures figures = totals.figures;
  for (double& figure : figures) figure /= std::max(1.0, totals.sentences);
  return figures;
}

void add_chunks(const ChunkRows& rows, std::span<const std::int32_t> weightings,
                std::span<const double> means, const ChunkScoring& scoring, int threads,
                std::span<ChunkTotals> totals) {
  const std::size_t size = rows.size();
  const Weigher weigher(rows, scoring);
  parallel_for(totals.size(), threads, [&] {
    return [&, chooser = Chooser(weigher, rows.columns, scoring)](std::size_t w) mutable {
      chooser.run(size, weightings.subspan(w * size, size), means[w], totals[w], [](auto, auto) {});
    };
  });
}

void choose_chunks(const ChunkRows& rows, double mean, const ChunkScoring& scoring, ChunkTotals& totals,
                   std::span<std::int32_t> chosen, std::span<double> sums, std::span<double> figures) {
  const Weigher weigher(rows, scoring);
  std::ranges::fill(chosen, -1);
  Chooser(weigher, rows.columns, scoring).run(rows.size(), {}, mean, totals, [&](std::size_t s, int best) {
    chosen[s] = best;
  });
  Weigher::Made scratch;
  const std::vector<ChunkSums>& all = weigher.sums(mean, scratch);
  for (std::size_t row = 0; row < all.size(); ++row) {
    poll_every(row);
    ChunkSums own;
    own.fill(-1.0);
    ChunkFigures its;
    its.fill(-1.0);
    if (weigher.present(row)) own = all[row], its = chunk_figures(own, scoring);
    std::ranges::copy(own, sums.begin() + row * own.size());
    std::ranges::copy(its, figures.begin() + row * its.size());
  }
}

}  // namespace recte
