#include "three_way/improvement.hpp"

#include <cmath>

namespace recte {
namespace {

double ratio(double numerator, double denominator) { return denominator == 0 ? 1 : numerator / denominator; }

struct Terms {
  double up, down;
};

Terms weighted_terms(const Aspect& a, double w) {
  return {w * a.tp + a.tn, w * (a.tp + a.fp) + a.tn + a.fn - (w + 1) * a.fpn / 2};
}

double weighted(const Aspect& a, double w) {
  const Terms terms = weighted_terms(a, w);
  return ratio(terms.up, terms.down);
}

double improvement(double wacc, double base) {
  if (wacc == base) return std::floor(wacc);
  return wacc > base ? (wacc - base) / (1 - base) : wacc / base - 1;
}

double wanted(const Figures& figures, Optimise optimise) {
  switch (optimise) {
    case Optimise::wacc: return figures.wacc;
    case Optimise::improvement: return figures.improvement;
    case Optimise::accuracy: return figures.accuracy;
    case Optimise::precision: return figures.precision;
    case Optimise::recall: return figures.recall;
    case Optimise::f: return figures.f;
    default: return 0;
  }
}

Aspect correction_of(const TokenCounts& c) {
  return {double(c.correction_tp), double(c.correction_tn), double(c.correction_fp), double(c.correction_fn),
          double(c.correction_fpn)};
}

}  // namespace

Figures figures_of(const Aspect& a, double base_tn, double base_fn, const ImprovementOptions& options) {
  const bool released = options.baseline == Baseline::released;
  const Aspect base{0, released ? base_tn : a.tn + a.fp - a.fpn, 0, released ? base_fn : a.tp + a.fn, 0};
  const Terms terms = weighted_terms(a, options.weight);
  Figures figures{};
  figures.weighted_right = terms.up;
  figures.weighted_all = terms.down;
  figures.wacc = ratio(terms.up, terms.down);
  figures.base = weighted(base, options.weight);
  figures.improvement = improvement(figures.wacc, figures.base);
  figures.accuracy = ratio(a.tp + a.tn, a.tp + a.tn + a.fp + a.fn - a.fpn);
  figures.precision = ratio(a.tp, a.tp + a.fp);
  figures.recall = ratio(a.tp, a.tp + a.fn);
  const double beta2 = options.beta * options.beta, below = beta2 * figures.precision + figures.recall;
  figures.f = below == 0 ? 0 : (1 + beta2) * figures.precision * figures.recall / below;
  return figures;
}

double weighted_accuracy(const TokenCounts& counts, double weight) {
  return weighted(correction_of(counts), weight);
}

RowSums sums_of(const ReferenceCounts& counts) {
  const TokenCounts& t = counts.tokens;
  return {t.detection_tp,   t.detection_tn,     t.detection_fp,    t.detection_fn,
          t.correction_tp,  t.correction_tn,    t.correction_fp,   t.correction_fn,
          t.correction_fpn, counts.baseline.tn, counts.baseline.fn};
}

ReferenceKey key_of(const RowSums& row, const ImprovementOptions& options) {
  const auto at = [&](std::size_t cell) { return static_cast<double>(row[cell]); };
  const Figures detection = figures_of({at(0), at(1), at(2), at(3), 0}, at(9), at(10), options);
  const Figures correction = figures_of({at(4), at(5), at(6), at(7), at(8)}, at(9), at(10), options);
  constexpr int first_of_detection = static_cast<int>(Optimise::detection);
  const int figure = static_cast<int>(options.optimise);
  const bool of_detection = figure >= first_of_detection;
  return {wanted(of_detection ? detection : correction, static_cast<Optimise>(figure % first_of_detection)),
          correction.wacc,
          correction.improvement,
          correction.accuracy,
          detection.wacc,
          detection.improvement,
          detection.accuracy};
}

}  // namespace recte
