#include "three_way/mixed_search.hpp"

#include <limits>
#include <map>
#include <tuple>

#include "support/interrupt.hpp"
#include "three_way/mixture_bound.hpp"

namespace recte {
namespace {

constexpr std::size_t cut_run = 4;           // unchanged words that keep two segments apart
constexpr std::int64_t bounded_from = 256;   // combinations: fewer are tried in no time
constexpr std::int64_t worth_cutting = 2;    // times fewer combinations in a segment than in the whole
constexpr double rounding = 1e-9;            // more than a bound can be off
constexpr std::size_t max_vectors = 20'000;  // distinct sums kept while segments are put together

std::int64_t combinations(const std::vector<ErrorOptions>& errors, const std::vector<std::size_t>& which,
                          std::int64_t cap) {
  std::int64_t product = 1;
  for (std::size_t e : which) {
    product *= static_cast<std::int64_t>(errors[e].size());
    if (product > cap) return cap + 1;
  }
  return product;
}

/// Equal keys stay in the order of their counts: comparing the pointers too would leave ties to
/// memory.
template <class T>
void best_first(std::vector<std::pair<ReferenceKey, const T*>>& ranked) {
  std::ranges::stable_sort(ranked, std::greater<>(), &std::pair<ReferenceKey, const T*>::first);
}

}  // namespace

bool BestReferences::consider(Tokens source, Tokens hypothesis, Tokens reference,
                              const std::vector<std::int32_t>& note) {
  ReferenceCounts counts;
  if (!aligner_.count(source, hypothesis, reference, counts.tokens)) return false;
  // Most candidates are worse by the first figure already: their baseline is never needed.
  const bool by_wacc = options_.improvement.optimise == Optimise::wacc;
  if (options_.candidates == 1 && by_wacc && !kept_.empty() &&
      weighted_accuracy(counts.tokens, options_.improvement.weight) < kept_.front().key[0])
    return true;
  // Where nothing was changed, the baseline is what was counted.
  counts.baseline = same(source, hypothesis)
                        ? BaselineCounts{counts.tokens.correction_tn, counts.tokens.correction_fn}
                        : aligner_.baseline(source, reference);
  consider(counts, note);
  return true;
}

void BestReferences::consider(const ReferenceCounts& counts, const std::vector<std::int32_t>& note) {
  const ReferenceKey key = key_of(counts, options_.improvement);
  if (options_.candidates == 1) {
    if (kept_.empty() || key > kept_.front().key) kept_.assign(1, {key, counts, note});
    return;
  }
  for (const Kept& known : kept_)
    if (known.counts == counts) return;
  const auto place = std::ranges::find_if(kept_, [&](const Kept& known) { return known.key < key; });
  if (place == kept_.end() && kept_.size() >= options_.candidates) return;
  kept_.insert(place, {key, counts, note});
  if (kept_.size() > options_.candidates) kept_.pop_back();
}

/// The reference that the chosen options make, in reference_. False where two of their edits have one span.
bool MixedSearch::apply(Tokens source, const std::vector<ErrorOptions>& errors, std::size_t shift,
                        const std::vector<std::size_t>& which, const std::vector<std::int32_t>& options) {
  edits_.clear();
  for (std::size_t w = 0; w < which.size(); ++w)
    for (const ErrorEdit& edit : errors[which[w]][options[w]]) edits_.push_back(&edit);
  std::ranges::stable_sort(edits_, std::greater<>(),
                           [](const ErrorEdit* edit) { return std::pair(edit->start, edit->end); });
  for (std::size_t e = 1; e < edits_.size(); ++e)
    if (edits_[e]->start == edits_[e - 1]->start && edits_[e]->end == edits_[e - 1]->end) return false;
  reference_.assign(source.begin(), source.end());
  for (const ErrorEdit* edit : edits_) {
    // Edits that overlap act on what the later ones have left, as slices do.
    const auto size = static_cast<std::ptrdiff_t>(reference_.size());
    const auto begin = std::min<std::ptrdiff_t>(edit->start - static_cast<std::ptrdiff_t>(shift), size);
    const auto end = std::clamp<std::ptrdiff_t>(edit->end - static_cast<std::ptrdiff_t>(shift), begin, size);
    if (edit->correction.empty() && begin == 0 && end == size && shift == 0) continue;  // would leave nothing
    const auto hole = reference_.erase(reference_.begin() + begin, reference_.begin() + end);
    reference_.insert(hole, edit->correction.begin(), edit->correction.end());
  }
  return true;
}

bool MixedSearch::enumerate(Tokens source, const std::vector<ErrorOptions>& errors, std::size_t shift,
                            const std::vector<std::size_t>& which, const Visit& visit) {
  std::vector<std::int32_t> options(which.size(), 0);
  for (;;) {
    poll();
    if (apply(source, errors, shift, which, options) && !visit(options, reference_)) return false;
    std::size_t w = which.size();
    while (w > 0 && ++options[w - 1] == static_cast<std::int32_t>(errors[which[w - 1]].size()))
      options[--w] = 0;
    if (w == 0) return true;
  }
}

TripleStatus MixedSearch::search(Tokens source, Tokens hypothesis, const std::vector<ErrorOptions>& errors,
                                 BestReferences& best) {
  best.clear();
  std::vector<std::size_t> all(errors.size());
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = e;
  if (combinations(errors, all, options_.max_combinations) > options_.max_combinations)
    return search_segments(source, hypothesis, errors, best);
  const std::vector<Segment> segments = bounded_segments(source, hypothesis, errors, all);
  if (!segments.empty()) return search_bounded(source, hypothesis, errors, segments, all, best);
  const bool done = enumerate(source, errors, 0, all, [&](const auto& options, Tokens reference) {
    return best.consider(source, hypothesis, reference, options);
  });
  if (!done || !consider_source(source, hypothesis, errors.size(), best)) return TripleStatus::too_long;
  return TripleStatus::exact;
}

/// Where every combination has two edits of one span, only the source is left.
bool MixedSearch::consider_source(Tokens source, Tokens hypothesis, std::size_t errors,
                                  BestReferences& best) {
  return !best.kept().empty() ||
         best.consider(source, hypothesis, source, std::vector<std::int32_t>(errors, -1));
}

bool MixedSearch::climb(
    Tokens source, const std::vector<ErrorOptions>& errors, std::size_t shift,
    const std::vector<std::size_t>& which,
    const std::function<ReferenceKey(const std::vector<std::int32_t>&, Tokens, bool&)>& weigh) {
  std::vector<std::int32_t> options(which.size(), 0);
  ReferenceKey best{};
  bool known = false, fine = true;
  const auto try_options = [&](const std::vector<std::int32_t>& tried) {
    poll();
    if (!apply(source, errors, shift, which, tried)) return false;
    const ReferenceKey key = weigh(tried, reference_, fine);
    if (!fine || (known && key <= best)) return false;
    best = key;
    known = true;
    return true;
  };
  try_options(options);
  for (bool improved = true; improved && fine;) {
    improved = false;
    for (std::size_t w = 0; w < which.size() && fine; ++w) {
      std::vector<std::int32_t> tried = options;
      for (tried[w] = 0; tried[w] < static_cast<std::int32_t>(errors[which[w]].size()) && fine; ++tried[w])
        if (try_options(tried)) {
          options = tried;
          improved = true;
        }
    }
  }
  return fine;
}

// Runs of source words that lie outside all errors and are matched in a row by the hypothesis keep what is
// left of them apart from what is right of them.
std::vector<MixedSearch::Segment> MixedSearch::cut(Tokens source, Tokens hypothesis,
                                                   const std::vector<ErrorOptions>& errors) {
  const std::size_t n = source.size();
  std::vector<bool> touched(n, false), inserted(n + 1, false);
  std::vector<std::pair<std::size_t, std::size_t>> extents;
  for (const ErrorOptions& error : errors) {
    std::size_t low = n, high = 0;
    for (const auto& option : error)
      for (const ErrorEdit& edit : option) {
        low = std::min<std::size_t>(low, edit.start);
        high = std::max<std::size_t>(high, edit.end);
      }
    low = std::min(low, high);
    extents.emplace_back(low, high);
    for (std::size_t t = low; t < high; ++t) touched[t] = true;
    inserted[low] = inserted[high] = true;
  }
  std::vector<std::uint8_t> columns;
  std::int64_t cost = 0;
  // Where the hypothesis matches the source: an alignment of the two with the source as reference.
  std::vector<std::ptrdiff_t> partner(n, -1);
  if (aligner_.align(source, hypothesis, source, columns, cost)) {
    std::size_t i = 0, j = 0;
    for (std::uint8_t takes : columns) {
      if (takes & source_bit && takes & hypothesis_bit && source[i] == hypothesis[j])
        partner[i] = static_cast<std::ptrdiff_t>(j);
      i += takes & source_bit ? 1 : 0;
      j += takes & hypothesis_bit ? 1 : 0;
    }
  }
  std::vector<Segment> segments;
  std::size_t source_begin = 0, hypothesis_begin = 0, run = 0;
  for (std::size_t t = 0; t < n; ++t) {
    const bool quiet = !touched[t] && partner[t] >= 0;
    const bool follows = run > 0 && !inserted[t] && partner[t] == partner[t - 1] + 1;
    run = quiet ? (follows ? run + 1 : 1) : 0;
    if (run == cut_run) {
      const std::size_t place = t + 1 - cut_run / 2;
      const auto across = static_cast<std::size_t>(partner[place]);
      segments.push_back({source_begin, place, hypothesis_begin, across, {}});
      source_begin = place;
      hypothesis_begin = across;
      run = cut_run / 2;
    }
  }
  segments.push_back({source_begin, n, hypothesis_begin, hypothesis.size(), {}});
  for (std::size_t e = 0; e < errors.size(); ++e)
    for (Segment& segment : segments)
      if (extents[e].second <= segment.source_end && extents[e].first >= segment.source_begin) {
        segment.errors.push_back(e);
        break;
      }
  return segments;
}

std::vector<MixedSearch::Segment> MixedSearch::bounded_segments(Tokens source, Tokens hypothesis,
                                                                const std::vector<ErrorOptions>& errors,
                                                                const std::vector<std::size_t>& all) {
  // The bound is one of weighted accuracy, and of the best alone.
  if (options_.improvement.optimise != Optimise::wacc || options_.candidates > 1 || options_.costs.match ||
      options_.improvement.weight < 1)
    return {};
  const std::int64_t whole = combinations(errors, all, options_.max_combinations);
  if (whole <= bounded_from) return {};
  std::vector<Segment> segments = cut(source, hypothesis, errors);
  for (const Segment& segment : segments)
    if (combinations(errors, segment.errors, whole) > whole / worth_cutting) return {};
  return segments;
}

TripleStatus MixedSearch::search_bounded(Tokens source, Tokens hypothesis,
                                         const std::vector<ErrorOptions>& errors,
                                         const std::vector<Segment>& segments,
                                         const std::vector<std::size_t>& all, BestReferences& best) {
  // What each segment costs with each combination of its errors' options, and the reference that they make.
  struct Outcome {
    std::int64_t cost = -1;
    std::vector<Token> reference;
  };
  const auto number_of = [&](const Segment& segment, auto option) {
    std::size_t number = 0;
    for (std::size_t e = 0; e < segment.errors.size(); ++e)
      number = number * errors[segment.errors[e]].size() + static_cast<std::size_t>(option(e));
    return number;
  };
  std::vector<std::vector<Outcome>> outcomes;
  std::vector<std::int32_t> good(errors.size(), 0);  // the options with the least weight of what is wrong
  for (const Segment& segment : segments) {
    auto& own = outcomes.emplace_back(combinations(errors, segment.errors, options_.max_combinations));
    const Tokens part = source.subspan(segment.source_begin, segment.source_end - segment.source_begin);
    const Tokens output =
        hypothesis.subspan(segment.hypothesis_begin, segment.hypothesis_end - segment.hypothesis_begin);
    double least = std::numeric_limits<double>::infinity();
    const auto visit = [&](const std::vector<std::int32_t>& options, Tokens reference) {
      Outcome& outcome = own[number_of(segment, [&](std::size_t e) { return options[e]; })];
      outcome.reference.assign(reference.begin(), reference.end());
      TokenCounts counts;
      if (!aligner_.count(part, output, reference, counts, outcome.cost)) return false;
      const double weight = options_.improvement.weight;
      const double wrong =
          weight * counts.correction_fp + counts.correction_fn - (weight + 1) / 2 * counts.correction_fpn;
      if (wrong < least) {
        least = wrong;
        for (std::size_t e = 0; e < options.size(); ++e) good[segment.errors[e]] = options[e];
      }
      return true;
    };
    if (!enumerate(part, errors, segment.source_begin, segment.errors, visit)) return TripleStatus::too_long;
  }
  // What is surely worse than a good mixture need not be aligned. That one is found again in its turn.
  BestReferences first(options_, aligner_);
  const bool possible = apply(source, errors, 0, all, good);
  if (possible && !first.consider(source, hypothesis, reference_, good)) return TripleStatus::too_long;
  const double enough = possible ? first.kept().front().key[0] : 0;
  // The cost of the segments that make this reference, or -1 where they do not: edits may reach across.
  const auto cost_of = [&](const std::vector<std::int32_t>& options, Tokens reference) -> std::int64_t {
    std::int64_t cost = 0;
    std::size_t at = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const Outcome& outcome =
          outcomes[s][number_of(segments[s], [&](auto e) { return options[segments[s].errors[e]]; })];
      const std::size_t length = outcome.reference.size();
      if (outcome.cost < 0 || length > reference.size() - at ||
          !same(outcome.reference, reference.subspan(at, length)))
        return -1;
      cost += outcome.cost;
      at += length;
    }
    return at == reference.size() ? cost : -1;
  };
  MixtureBound bound(options_, source, hypothesis);
  const bool done = enumerate(source, errors, 0, all, [&](const auto& options, Tokens reference) {
    const std::int64_t cost = cost_of(options, reference);
    const double known = best.kept().empty() ? enough : std::max(enough, best.kept().front().key[0]);
    if (cost >= 0 && bound.best(reference, cost) < known - rounding) return true;
    return best.consider(source, hypothesis, reference, options);
  });
  if (!done || !consider_source(source, hypothesis, errors.size(), best)) return TripleStatus::too_long;
  return TripleStatus::exact;
}

TripleStatus MixedSearch::search_segments(Tokens source, Tokens hypothesis,
                                          const std::vector<ErrorOptions>& errors, BestReferences& best) {
  // Sums of the segments' counts so far, each with one choice of options that gives it.
  std::map<ReferenceCounts, std::vector<std::int32_t>> sums;
  sums.emplace(ReferenceCounts{}, std::vector<std::int32_t>(errors.size(), 0));
  for (const Segment& segment : cut(source, hypothesis, errors)) {
    const Tokens part = source.subspan(segment.source_begin, segment.source_end - segment.source_begin);
    const Tokens output =
        hypothesis.subspan(segment.hypothesis_begin, segment.hypothesis_end - segment.hypothesis_begin);
    std::map<ReferenceCounts, std::vector<std::int32_t>> outcomes;
    const auto weigh = [&](const std::vector<std::int32_t>& options, Tokens reference, bool& fine) {
      ReferenceCounts counts;
      fine = aligner_.count(part, output, reference, counts.tokens);
      if (!fine) return ReferenceKey{};
      counts.baseline = aligner_.baseline(part, reference);
      outcomes.emplace(counts, options);
      return key_of(counts, options_.improvement);
    };
    const bool few =
        combinations(errors, segment.errors, options_.max_combinations) <= options_.max_combinations;
    const bool done = few ? enumerate(part, errors, segment.source_begin, segment.errors,
                                      [&](const auto& options, Tokens reference) {
                                        bool fine = true;
                                        weigh(options, reference, fine);
                                        return fine;
                                      })
                          : climb(part, errors, segment.source_begin, segment.errors, weigh);
    if (!done) return TripleStatus::too_long;
    std::map<ReferenceCounts, std::vector<std::int32_t>> longer;
    for (const auto& [sum, options] : sums)
      for (const auto& [outcome, own] : outcomes) {
        poll();
        ReferenceCounts total = sum;
        total.tokens += outcome.tokens;
        total.baseline.tn += outcome.baseline.tn;
        total.baseline.fn += outcome.baseline.fn;
        if (longer.contains(total)) continue;
        std::vector<std::int32_t> joined = options;
        for (std::size_t w = 0; w < own.size(); ++w) joined[segment.errors[w]] = own[w];
        longer.emplace(total, std::move(joined));
      }
    if (longer.size() > max_vectors) {
      // Keep the most promising: what is good so far.
      std::vector<std::pair<ReferenceKey, const ReferenceCounts*>> ranked;
      for (const auto& [counts, options] : longer)
        ranked.emplace_back(key_of(counts, options_.improvement), &counts);
      best_first(ranked);
      std::map<ReferenceCounts, std::vector<std::int32_t>> kept;
      for (std::size_t r = 0; r < max_vectors; ++r)
        kept.emplace(*ranked[r].second, longer[*ranked[r].second]);
      longer = std::move(kept);
    }
    sums = std::move(longer);
  }
  // The best sum is a promise; the alignment of its whole reference is what counts.
  std::vector<std::pair<ReferenceKey, const std::vector<std::int32_t>*>> ranked;
  for (const auto& [counts, options] : sums)
    ranked.emplace_back(key_of(counts, options_.improvement), &options);
  best_first(ranked);
  std::vector<std::size_t> all(errors.size());
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = e;
  std::size_t wanted = std::max<std::size_t>(options_.candidates, 1);
  for (const auto& [key, options] : ranked) {
    if (!apply(source, errors, 0, all, *options)) continue;
    if (!best.consider(source, hypothesis, reference_, *options)) return TripleStatus::too_long;
    if (--wanted == 0) break;
  }
  if (!consider_source(source, hypothesis, errors.size(), best)) return TripleStatus::too_long;
  return TripleStatus::searched;
}

}  // namespace recte
