// CLEME and CLEME 2.0 from counted chunks: lengths weighed, a reference chosen for each sentence.
#pragma once

#include <array>

#include "chunks/chunks.hpp"

namespace recte {

/// Rows of counted chunks, `columns` references for each sentence; a row whose first cell is negative is
/// absent. Either `lengths`, as integers: how many chunks nobody changed or is to change; how many the
/// reference changes, and their lengths in sum; then for each kind but true negatives how many there are of
/// each length below `bins`, the last for all that are longer. Or `weighed`, as doubles: the sum of weights
/// of each kind.
struct ChunkRows {
  std::span<const std::int32_t> lengths;
  std::span<const double> weighed;
  std::size_t columns = 1, bins = 0;

  std::size_t cells() const { return bins ? 3 + (chunk_kinds - 1) * bins : chunk_kinds; }
  std::size_t size() const { return (bins ? lengths.size() : weighed.size()) / (columns * cells()); }
};

/// Weight of a chunk by its length: alpha / (1 + (alpha - 1) e^±(length - mean)), within limits.
struct LengthWeight {
  double alpha, least, most;
};

struct ChunkScoring {
  bool by_length;                      // else every chunk weighs 1
  std::array<LengthWeight, 3> weight;  // of true positives, false positives, false negatives
  bool second;                         // CLEME 2.0, else CLEME
  std::array<double, 4> factors;       // CLEME 2.0: of hits, errors, under- and over-corrections
  double beta;                         // CLEME
  bool sentence_level;
};

/// Five figures: F, P, R, accuracy, 0 (each rounded to four decimals) by CLEME; the score, hit, error, under-
/// and over-correction by CLEME 2.0.
using ChunkFigures = std::array<double, 5>;
using ChunkSums = std::array<double, chunk_kinds>;

ChunkFigures chunk_figures(const ChunkSums& sums, const ChunkScoring& scoring);

/// What is added up over the sentences so far: a large corpus goes through in parts, one after the other.
struct ChunkTotals {
  ChunkSums sums{};        // of the chosen references
  ChunkFigures figures{};  // of the sentences, where these are scored one by one
  double sentences = 0;
};

/// Those of the sums, or the means of the sentences'.
ChunkFigures total_figures(const ChunkTotals& totals, const ChunkScoring& scoring);

/// Adds the next sentences to the totals, one for each weighting of the sentences. `means` has for each the
/// mean length in the whole corpus of the chunks that references change, negative where there are none.
void add_chunks(const ChunkRows& rows, std::span<const std::int32_t> weightings,
                std::span<const double> means, const ChunkScoring& scoring, int threads,
                std::span<ChunkTotals> totals);

/// The same of each sentence once, with the reference of each; the chunks' weights in sum and the figures of
/// every sentence and reference.
void choose_chunks(const ChunkRows& rows, double mean, const ChunkScoring& scoring, ChunkTotals& totals,
                   std::span<std::int32_t> chosen, std::span<double> sums, std::span<double> figures);

}  // namespace recte
