#include "three_way/three_way.hpp"

#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "support/interrupt.hpp"

namespace recte {
namespace {

constexpr std::int32_t unreached = std::numeric_limits<std::int32_t>::max() / 2;
constexpr std::int32_t everything = -1;  // as an allowance: no cell is left out
constexpr int poll_from = 256;           // shorter rows are filled in no time, all of them

std::int32_t pair_cost(Token a, Token b, const AlignmentCosts& costs) {
  return a == b ? costs.match : costs.mismatch;
}

/// The cells of a table of two texts.
std::int64_t product(Tokens a, Tokens b) {
  return static_cast<std::int64_t>(a.size() + 1) * static_cast<std::int64_t>(b.size() + 1);
}

}  // namespace

void TokenCounts::add_column(Token source, Token hypothesis, Token reference) {
  const bool changed = source != hypothesis, wrong = source != reference, right = hypothesis == reference;
  if (!changed) {
    (wrong ? detection_fn : detection_tn)++;
    (wrong ? correction_fn : correction_tn)++;
  } else if (!wrong) {
    ++detection_fp;
    ++correction_fp;
  } else {
    ++detection_tp;
    if (right) {
      ++correction_tp;
    } else {
      ++correction_fp;
      ++correction_fn;
      ++correction_fpn;
    }
  }
}

TokenCounts& TokenCounts::operator+=(const TokenCounts& other) {
  detection_tp += other.detection_tp;
  detection_tn += other.detection_tn;
  detection_fp += other.detection_fp;
  detection_fn += other.detection_fn;
  correction_tp += other.correction_tp;
  correction_tn += other.correction_tn;
  correction_fp += other.correction_fp;
  correction_fn += other.correction_fn;
  correction_fpn += other.correction_fpn;
  return *this;
}

// A path that leaves the diagonals by more than `width` costs at least gap · (|n - m| + 2 (width + 1)): that
// must be beyond all that is wanted. A first, narrow table tells how wide the second must be.
void ThreeWayAligner::PairTable::fill(Tokens a, Tokens b, const AlignmentCosts& costs,
                                      std::int32_t slack_wanted, bool with_slack) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size()), widest = std::min(n, m);
  rows_ = n + 1;
  columns_ = m + 1;
  const auto wide_enough = [&](std::int64_t total) {
    return static_cast<int>(std::min<std::int64_t>(
        widest, std::max<std::int64_t>(0, (total + slack_wanted) / costs.gap - std::abs(n - m)) / 2));
  };
  for (int width = std::min(1, widest);;) {
    lowest_ = std::min(0, m - n) - width;
    highest_ = std::max(0, m - n) + width;
    // Few words compared with many have more diagonals than columns: then rows stand as they are.
    const int diagonals = highest_ - lowest_ + 2;
    const bool whole = columns_ + 1 < diagonals;
    step_ = static_cast<std::size_t>(whole ? columns_ + 1 : diagonals);
    offset_ = whole ? 1 : 1 - lowest_;
    forward_.assign((step_ + 1) * rows_ + 1, left_out);
    for (int j = 0; j <= last(0); ++j) forward_[cell(0, j)] = j * costs.gap;
    for (int i = 1; i <= n; ++i) {
      if (std::max(n, m) > poll_from) poll();
      // What lies outside the diagonals is left out, so that only the first column needs care.
      std::int32_t* const row = forward_.data() + cell(i, 0);
      const std::int32_t* const above = row - step_;
      const Token word = a[static_cast<std::size_t>(i) - 1];
      int j = first(i);
      std::int32_t left = left_out;
      if (j == 0) left = row[j++] = i * costs.gap;
      for (const int end = last(i); j <= end; ++j)
        left = row[j] = std::min(std::min(left, above[j]) + costs.gap,
                                 above[j - 1] + pair_cost(word, b[static_cast<std::size_t>(j) - 1], costs));
    }
    total_ = forward_[cell(n, m)];
    const int wanted = wide_enough(total_);
    if (width >= wanted) break;
    width = wanted;
  }
  if (!with_slack) return;
  slack_.assign(forward_.size(), left_out);
  for (int j = first(n); j <= m; ++j) slack_[cell(n, j)] = (m - j) * costs.gap;
  for (int i = n - 1; i >= 0; --i) {
    if (std::max(n, m) > poll_from) poll();
    std::int32_t* const row = slack_.data() + cell(i, 0);
    const std::int32_t* const below = row + step_;
    const Token word = a[static_cast<std::size_t>(i)];
    int j = last(i);
    std::int32_t right = left_out;
    if (j == m) right = row[j--] = (n - i) * costs.gap;
    for (const int begin = first(i); j >= begin; --j)
      right = row[j] = std::min(std::min(right, below[j]) + costs.gap,
                                below[j + 1] + pair_cost(word, b[static_cast<std::size_t>(j)], costs));
  }
  for (int i = 0; i <= n; ++i) {
    std::int32_t* const row = slack_.data() + cell(i, 0);
    const std::int32_t* const before = forward_.data() + cell(i, 0);
    for (int j = first(i), end = last(i); j <= end; ++j) row[j] += before[j] - total_;
  }
}

std::int32_t ThreeWayAligner::column_cost(int i, int j, int k, std::uint8_t takes) const {
  switch (takes) {
    case 0b111:
      return pair_cost(source_[i - 1], hypothesis_[j - 1], costs_) +
             pair_cost(source_[i - 1], reference_[k - 1], costs_) +
             pair_cost(hypothesis_[j - 1], reference_[k - 1], costs_);
    case 0b110: return pair_cost(source_[i - 1], hypothesis_[j - 1], costs_) + 2 * costs_.gap;
    case 0b101: return pair_cost(source_[i - 1], reference_[k - 1], costs_) + 2 * costs_.gap;
    case 0b011: return pair_cost(hypothesis_[j - 1], reference_[k - 1], costs_) + 2 * costs_.gap;
    default: return 2 * costs_.gap;
  }
}

const std::int32_t* ThreeWayAligner::find(int i, int j, int k) const {
  if (i < 0 || j < 0 || k < 0) return nullptr;
  const auto first = runs_.begin() + runs_of_[i], last = runs_.begin() + runs_of_[i + 1];
  const auto run =
      std::lower_bound(first, last, j, [](const Run& r, int wanted) { return r.hypothesis < wanted; });
  if (run == last || run->hypothesis != j || k < run->from || k > run->to) return nullptr;
  return values_.data() + run->offset + (k - run->from);
}

/// Set the cells of one source position back to unreached, in the plane that is now the past.
void ThreeWayAligner::forget(std::size_t row) {
  const std::size_t stride = reference_.size() + 1;
  for (auto r = runs_of_[row]; r < runs_of_[row + 1]; ++r)
    std::fill_n(previous_.begin() + static_cast<std::ptrdiff_t>(runs_[r].hypothesis * stride + runs_[r].from),
                runs_[r].to - runs_[r].from + 1, unreached);
}

/// The recurrence over cells whose three slacks together are within `allowed`, or over all cells where it is
/// `everything`. False if they are too many.
bool ThreeWayAligner::sweep(std::int32_t allowed, std::int64_t most_cells) {
  const int n = static_cast<int>(source_.size()), m = static_cast<int>(hypothesis_.size()),
            l = static_cast<int>(reference_.size());
  const std::size_t stride = reference_.size() + 1, plane = (hypothesis_.size() + 1) * stride;
  if (previous_.size() < plane) {
    previous_.assign(plane, unreached);
    current_.assign(plane, unreached);
  }
  runs_.clear();
  runs_of_.assign(1, 0);
  values_.clear();
  const bool all = allowed == everything;
  const std::int32_t two_gaps = 2 * costs_.gap;
  bool fits = true;
  for (int i = 0; i <= n && fits; ++i) {
    poll();
    const int first_j = all ? 0 : source_hypothesis_.first(i), last_j = all ? m : source_hypothesis_.last(i);
    int lowest = all ? 0 : source_reference_.first(i), highest = all ? l : source_reference_.last(i);
    while (!all && lowest <= highest && source_reference_.slack(i, lowest) > allowed) ++lowest;
    while (!all && highest >= lowest && source_reference_.slack(i, highest) > allowed) --highest;
    for (int j = first_j; j <= last_j && fits; ++j) {
      if (l > poll_from) poll();
      int from = lowest, to = highest;
      if (!all) {
        const std::int32_t left = allowed - source_hypothesis_.slack(i, j);
        if (left < 0) continue;
        const auto outside = [&](int k) {
          return source_reference_.slack(i, k) + hypothesis_reference_.slack(j, k) > left;
        };
        while (from <= to && outside(from)) ++from;
        while (to >= from && outside(to)) --to;
        if (from > to) continue;
      }
      fits = static_cast<std::int64_t>(values_.size()) + (to - from + 1) <= most_cells;
      runs_.push_back({j, from, to, static_cast<std::int64_t>(values_.size())});
      const std::size_t at = static_cast<std::size_t>(j) * stride, left_at = j ? at - stride : at;
      std::int32_t* row = current_.data() + at;
      const std::int32_t* row_left = current_.data() + left_at;
      const std::int32_t* above = previous_.data() + at;
      const std::int32_t* above_left = previous_.data() + left_at;
      const std::int32_t cost_sh = i && j ? pair_cost(source_[i - 1], hypothesis_[j - 1], costs_) : 0;
      for (int k = from; k <= to; ++k) {
        std::int32_t best = i + j + k == 0 ? 0 : unreached;
        if (i) best = std::min(best, above[k] + two_gaps);
        if (j) best = std::min(best, row_left[k] + two_gaps);
        if (i && j) best = std::min(best, above_left[k] + cost_sh + two_gaps);
        if (k) {
          const std::int32_t cost_sr = i ? pair_cost(source_[i - 1], reference_[k - 1], costs_) : 0;
          const std::int32_t cost_hr = j ? pair_cost(hypothesis_[j - 1], reference_[k - 1], costs_) : 0;
          best = std::min(best, row[k - 1] + two_gaps);
          if (i) best = std::min(best, above[k - 1] + cost_sr + two_gaps);
          if (j) best = std::min(best, row_left[k - 1] + cost_hr + two_gaps);
          if (i && j) best = std::min(best, above_left[k - 1] + cost_sh + cost_sr + cost_hr);
        }
        row[k] = best;
      }
      values_.insert(values_.end(), row + from, row + to + 1);
    }
    runs_of_.push_back(static_cast<std::int64_t>(runs_.size()));
    if (i) forget(static_cast<std::size_t>(i) - 1);
    std::swap(previous_, current_);
  }
  forget(runs_of_.size() - 2);
  return fits;
}

void ThreeWayAligner::fill_tables(std::int32_t slack_wanted) {
  // Candidates of one sentence share these two; the texts they are views of do not change meanwhile.
  if (source_.data() != filled_source_.data() || source_.size() != filled_source_.size() ||
      hypothesis_.data() != filled_hypothesis_.data() || hypothesis_.size() != filled_hypothesis_.size() ||
      slack_wanted > filled_slack_) {
    source_hypothesis_.fill(source_, hypothesis_, costs_, slack_wanted, true);
    filled_source_ = source_;
    filled_hypothesis_ = hypothesis_;
    filled_slack_ = slack_wanted;
  }
  source_reference_.fill(source_, reference_, costs_, slack_wanted, true);
  hypothesis_reference_.fill(hypothesis_, reference_, costs_, slack_wanted, true);
}

/// Whether costs and pairwise tables keep within their limits.
bool ThreeWayAligner::fits(Tokens source, Tokens hypothesis, Tokens reference) const {
  // A cost must stay below what stands for a cell that is left out.
  const auto tokens = static_cast<std::int64_t>(source.size() + hypothesis.size() + reference.size());
  if (2 * tokens * costs_.mismatch >= PairTable::left_out) return false;
  // The pairwise tables and the planes of the recurrence count as well.
  return std::max({product(source, hypothesis), product(source, reference),
                   product(hypothesis, reference)}) <= max_cells_;
}

// Every optimal path stays in cells whose slack is within what the optimum costs above the three pairwise
// optima: widen the allowance until the result is within it. All optimal paths survive, so the published tie
// order holds.
bool ThreeWayAligner::solve(Tokens source, Tokens hypothesis, Tokens reference) {
  source_ = source;
  hypothesis_ = hypothesis;
  reference_ = reference;
  if (!fits(source, hypothesis, reference)) return false;
  const std::int64_t cube = product(source, hypothesis) * static_cast<std::int64_t>(reference.size() + 1);
  // Most alignments cost hardly more than the pairwise optima, and need few diagonals.
  std::int32_t known = -1;
  for (std::int32_t allowed = 0; allowed <= 4 * costs_.gap; allowed = allowed ? 2 * allowed : 1) {
    if (allowed > known) {
      known = allowed <= costs_.gap ? costs_.gap : 4 * costs_.gap;
      fill_tables(known);
    }
    if (!sweep(allowed, std::min(max_cells_, cube / 4 + 64))) break;
    const std::int64_t floor =
        std::int64_t{source_hypothesis_.total()} + source_reference_.total() + hypothesis_reference_.total();
    if (values_.back() - floor <= allowed) return true;
  }
  // So many cells that the whole cube is hardly more.
  return cube <= max_cells_ && sweep(everything, cube);
}

std::uint8_t ThreeWayAligner::best_column(int i, int j, int k) const {
  const std::int32_t here = *find(i, j, k);
  for (std::uint8_t takes : column_order) {
    const int a = i - (takes & source_bit ? 1 : 0), b = j - (takes & hypothesis_bit ? 1 : 0),
              c = k - (takes & reference_bit ? 1 : 0);
    const std::int32_t* before = find(a, b, c);
    if (before && *before + column_cost(i, j, k, takes) == here) return takes;
  }
  return 0;
}

bool ThreeWayAligner::align(Tokens source, Tokens hypothesis, Tokens reference,
                            std::vector<std::uint8_t>& columns, std::int64_t& cost) {
  if (!solve(source, hypothesis, reference)) return false;
  cost = values_.back();
  columns.clear();
  int i = static_cast<int>(source.size()), j = static_cast<int>(hypothesis.size()),
      k = static_cast<int>(reference.size());
  while (i + j + k > 0) {
    const std::uint8_t takes = best_column(i, j, k);
    columns.push_back(takes);
    i -= takes & source_bit ? 1 : 0;
    j -= takes & hypothesis_bit ? 1 : 0;
    k -= takes & reference_bit ? 1 : 0;
  }
  std::ranges::reverse(columns);
  return true;
}

bool ThreeWayAligner::count(Tokens source, Tokens hypothesis, Tokens reference, TokenCounts& counts,
                            std::int64_t& cost) {
  counts = {};
  cost = 0;
  // The common suffix is exact; the common prefix may move gaps, but never changes a count.
  std::size_t suffix = 0;
  const std::size_t shortest = std::min({source.size(), hypothesis.size(), reference.size()});
  while (suffix < shortest &&
         source[source.size() - 1 - suffix] == hypothesis[hypothesis.size() - 1 - suffix] &&
         source[source.size() - 1 - suffix] == reference[reference.size() - 1 - suffix])
    ++suffix;
  std::size_t prefix = 0;
  while (prefix + suffix < shortest && source[prefix] == hypothesis[prefix] &&
         source[prefix] == reference[prefix])
    ++prefix;
  counts.add_unchanged(static_cast<int>(prefix + suffix));
  const auto trimmed = [&](Tokens tokens) { return tokens.subspan(prefix, tokens.size() - prefix - suffix); };
  source = trimmed(source);
  hypothesis = trimmed(hypothesis);
  reference = trimmed(reference);
  if (source.empty() && hypothesis.empty() && reference.empty()) return true;
  // Two equal texts stay together in every optimal alignment: no cost of a pair is below that of its own
  // optimum, all three are reached at once, and only the alignment of each word with itself is free of gaps
  // and changes. So the alignment is one of two texts.
  const bool unchanged = same(source, hypothesis), correct = same(hypothesis, reference);
  if (unchanged || correct || same(source, reference)) {
    if (!fits(source, hypothesis, reference)) return false;
    const Tokens twice = correct ? hypothesis : source, once = unchanged ? reference
                                                               : correct ? source
                                                                         : hypothesis;
    const auto [matches, others] = align_pair(twice, once);
    cost = 2 * std::int64_t{pair_.total()} + costs_.match * static_cast<std::int64_t>(twice.size());
    counts.add_unchanged(matches);
    (unchanged ? counts.detection_fn : correct ? counts.detection_tp : counts.detection_fp) += others;
    (unchanged ? counts.correction_fn : correct ? counts.correction_tp : counts.correction_fp) += others;
    return true;
  }
  if (!align(source, hypothesis, reference, columns_, cost)) return false;
  std::size_t i = 0, j = 0, k = 0;
  for (std::uint8_t takes : columns_)
    counts.add_column(takes & source_bit ? source[i++] : -1, takes & hypothesis_bit ? hypothesis[j++] : -1,
                      takes & reference_bit ? reference[k++] : -1);
  return true;
}

bool ThreeWayAligner::outcomes(Tokens source, Tokens hypothesis, Tokens reference, std::size_t limit,
                               std::vector<TokenCounts>& found) {
  if (!solve(source, hypothesis, reference)) return false;
  // Outcomes from each cell on an optimal path to the end, found on the way back from it.
  std::map<std::tuple<int, int, int>, std::set<TokenCounts>, std::greater<>> waiting;
  const std::tuple start{static_cast<int>(source.size()), static_cast<int>(hypothesis.size()),
                         static_cast<int>(reference.size())};
  waiting[start].insert(TokenCounts{});
  found.clear();
  while (!waiting.empty()) {
    poll();
    const auto [place, ends] = *waiting.begin();
    waiting.erase(waiting.begin());
    const auto [i, j, k] = place;
    if (i + j + k == 0) {
      found.assign(ends.begin(), ends.end());
      break;
    }
    const std::int32_t here = *find(i, j, k);
    for (std::uint8_t takes : column_order) {
      const int a = i - (takes & source_bit ? 1 : 0), b = j - (takes & hypothesis_bit ? 1 : 0),
                c = k - (takes & reference_bit ? 1 : 0);
      const std::int32_t* before = find(a, b, c);
      if (!before || *before + column_cost(i, j, k, takes) != here) continue;
      auto& there = waiting[{a, b, c}];
      for (TokenCounts counts : ends) {
        if (there.size() >= limit) break;
        counts.add_column(a < i ? source[a] : -1, b < j ? hypothesis[b] : -1, c < k ? reference[c] : -1);
        there.insert(counts);
      }
    }
  }
  return true;
}

BaselineCounts ThreeWayAligner::baseline(Tokens source, Tokens reference) {
  // The source is the hypothesis, too: a pairwise alignment is enough, see count().
  BaselineCounts counts;
  while (!source.empty() && !reference.empty() && source.back() == reference.back()) {
    source = source.first(source.size() - 1);
    reference = reference.first(reference.size() - 1);
    ++counts.tn;
  }
  while (!source.empty() && !reference.empty() && source.front() == reference.front()) {
    source = source.subspan(1);
    reference = reference.subspan(1);
    ++counts.tn;
  }
  const auto [matches, others] = align_pair(source, reference);
  counts.tn += matches;
  counts.fn = others;
  return counts;
}

ThreeWayAligner::PairColumns ThreeWayAligner::align_pair(Tokens twice, Tokens once) {
  pair_.fill(twice, once, costs_, 0, false);
  PairColumns columns;
  int i = static_cast<int>(twice.size()), j = static_cast<int>(once.size());
  while (i + j > 0) {
    const std::int32_t here = pair_.forward(i, j);
    const auto follows = [&](int a, int b, std::int32_t cost) {
      return a >= 0 && b >= pair_.first(a) && b <= pair_.last(a) && pair_.forward(a, b) + cost == here;
    };
    if (i && j && follows(i - 1, j - 1, pair_cost(twice[i - 1], once[j - 1], costs_))) {
      (twice[i - 1] == once[j - 1] ? columns.matches : columns.others)++;
      --i, --j;
    } else {
      ++columns.others;
      follows(i - 1, j, costs_.gap) ? --i : --j;
    }
  }
  return columns;
}

}  // namespace recte
