#include "improvement.hpp"

#include <cmath>

namespace recte {
namespace {

struct Aspect {
  double tp, tn, fp, fn, fpn;
};

struct Figures {
  double wacc, improvement, accuracy, precision, recall, f;
};

double ratio(double numerator, double denominator) { return denominator == 0 ? 1 : numerator / denominator; }

double weighted(const Aspect& a, double w) {
  return ratio(w * a.tp + a.tn, w * (a.tp + a.fp) + a.tn + a.fn - (w + 1) * a.fpn / 2);
}

double improvement(double wacc, double base) {
  if (wacc == base) return std::floor(wacc);
  return wacc > base ? (wacc - base) / (1 - base) : wacc / base - 1;
}

Figures figures_of(const Aspect& a, const BaselineCounts& released, const ImprovementOptions& options) {
  const Aspect base = options.baseline == Baseline::released
                          ? Aspect{0, double(released.tn), 0, double(released.fn), 0}
                          : Aspect{0, a.tn + a.fp - a.fpn, 0, a.tp + a.fn, 0};
  Figures figures{};
  figures.wacc = weighted(a, options.weight);
  figures.improvement = improvement(figures.wacc, weighted(base, options.weight));
  figures.accuracy = ratio(a.tp + a.tn, a.tp + a.tn + a.fp + a.fn - a.fpn);
  figures.precision = ratio(a.tp, a.tp + a.fp);
  figures.recall = ratio(a.tp, a.tp + a.fn);
  const double beta2 = options.beta * options.beta, below = beta2 * figures.precision + figures.recall;
  figures.f = below == 0 ? 0 : (1 + beta2) * figures.precision * figures.recall / below;
  return figures;
}

double wanted(const Figures& figures, Optimise optimise) {
  switch (optimise) {
    case Optimise::wacc: return figures.wacc;
    case Optimise::improvement: return figures.improvement;
    case Optimise::accuracy: return figures.accuracy;
    case Optimise::precision: return figures.precision;
    case Optimise::recall: return figures.recall;
    case Optimise::f: return figures.f;
  }
  return 0;
}

Aspect correction_of(const TokenCounts& c) {
  return {double(c.correction_tp), double(c.correction_tn), double(c.correction_fp), double(c.correction_fn),
          double(c.correction_fpn)};
}

}  // namespace

double weighted_accuracy(const TokenCounts& counts, double weight) {
  return weighted(correction_of(counts), weight);
}

ReferenceKey key_of(const ReferenceCounts& counts, const ImprovementOptions& options) {
  const TokenCounts& t = counts.tokens;
  const Figures correction = figures_of(correction_of(t), counts.baseline, options);
  const Figures detection = figures_of(
      {double(t.detection_tp), double(t.detection_tn), double(t.detection_fp), double(t.detection_fn), 0},
      counts.baseline, options);
  return {wanted(correction, options.optimise),
          correction.wacc,
          correction.improvement,
          correction.accuracy,
          detection.wacc,
          detection.improvement,
          detection.accuracy};
}

}  // namespace recte
