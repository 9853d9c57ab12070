// Counts of n-grams of a hypothesis that its source and references share: what GLEU, BLEU and GREEN are made
// of.
#pragma once

#include "text/tokens.hpp"

namespace recte {

enum class GleuFormula {
  types = 0,    // an n-gram of the source that the reference has at all is never penalised, as published
  printed = 1,  // it is, as often as the source has it more often than the reference
};

/// For each hypothesis and reference: numerators of orders 1..n, denominators of orders 1..n, the lengths of
/// hypothesis and reference; -1 where a sentence has fewer references than `columns`.
void count_gleu(const Sentences& sources, const Sentences& hypotheses,
                std::span<const std::int64_t> source_of, std::span<const std::int64_t> reference_offsets,
                const Sentences& references, int orders, GleuFormula formula, std::size_t columns,
                int threads, std::span<std::int32_t> rows);

/// Counts of one order for GREEN: kept, deleted, inserted by both; deleted, inserted by the hypothesis alone;
/// deleted, inserted by the reference alone.
constexpr std::size_t green_cells = 7;

/// For each hypothesis and reference, order by order, the green_cells; -1 where a sentence has fewer
/// references than `columns`.
void count_green(const Sentences& sources, const Sentences& hypotheses,
                 std::span<const std::int64_t> source_of, std::span<const std::int64_t> reference_offsets,
                 const Sentences& references, int orders, std::size_t columns, int threads,
                 std::span<std::int32_t> rows);

/// For each hypothesis: matches of orders 1..n clipped by the most any reference has, n-grams of orders 1..n,
/// the lengths of the hypothesis and of the reference closest to it (the shorter on a tie).
void count_bleu(const Sentences& hypotheses, std::span<const std::int64_t> source_of,
                std::span<const std::int64_t> reference_offsets, const Sentences& references, int orders,
                int threads, std::span<std::int32_t> rows);

/// For each pair: tokens in common, each as often as both have it, and the length of a longest common
/// subsequence.
void count_overlap(const Sentences& a, const Sentences& b, int threads, std::span<std::int32_t> rows);

}  // namespace recte
