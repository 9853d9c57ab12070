#include "three_way/imeasure.hpp"

#include "support/parallel.hpp"
#include "three_way/mixed_search.hpp"

namespace recte {
namespace {

void write_rows(std::span<std::int32_t> rows, std::size_t pair, std::size_t candidates,
                const BestReferences& best) {
  for (std::size_t c = 0; c < best.kept().size(); ++c)
    std::ranges::transform(sums_of(best.kept()[c].counts),
                           rows.begin() + static_cast<std::ptrdiff_t>((pair * candidates + c) * row_cells),
                           [](std::int64_t cell) { return static_cast<std::int32_t>(cell); });
}

/// The row of a sentence that is best for the sums so far, which it is added to; -1 where there is none.
std::int32_t add_best(const std::int32_t* rows, std::size_t candidates, const ImprovementOptions& options,
                      RowSums& sums) {
  std::int32_t best = -1;
  ReferenceKey best_key{};
  RowSums best_sums = sums;
  for (std::size_t c = 0; c < candidates; ++c) {
    const std::int32_t* row = rows + c * row_cells;
    if (row[0] < 0) continue;
    RowSums trial = sums;
    for (std::size_t cell = 0; cell < row_cells; ++cell) trial[cell] += row[cell];
    const ReferenceKey key = key_of(trial, options);
    if (best >= 0 && !(key > best_key)) continue;
    best = static_cast<std::int32_t>(c);
    best_key = key;
    best_sums = trial;
  }
  sums = best_sums;
  return best;
}

}  // namespace

std::vector<std::uint8_t> align_triples(const Sentences& sources, const Sentences& hypotheses,
                                        const Sentences& references, const IMeasureOptions& options,
                                        int threads, std::span<std::int64_t> offsets) {
  std::vector<std::vector<std::uint8_t>> aligned(hypotheses.size());
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, aligner = ThreeWayAligner(options.costs, options.max_cells)](std::size_t triple) mutable {
      std::int64_t cost = 0;
      if (!aligner.align(sources[triple], hypotheses[triple], references[triple], aligned[triple], cost))
        aligned[triple].clear();
    };
  });
  std::vector<std::uint8_t> columns;
  offsets[0] = 0;
  for (std::size_t triple = 0; triple < aligned.size(); ++triple) {
    columns.insert(columns.end(), aligned[triple].begin(), aligned[triple].end());
    offsets[triple + 1] = static_cast<std::int64_t>(columns.size());
  }
  return columns;
}

void choose_greedy(std::span<const std::int32_t> rows, std::size_t candidates,
                   const ImprovementOptions& options, std::span<std::int32_t> chosen) {
  RowSums sums{};
  for (std::size_t sentence = 0; sentence < chosen.size(); ++sentence) {
    poll();
    chosen[sentence] = add_best(rows.data() + sentence * candidates * row_cells, candidates, options, sums);
  }
}

void sum_greedy(std::span<const std::int32_t> rows, std::size_t candidates, const Weightings& weightings,
                const ImprovementOptions& options, int threads, std::span<std::int64_t> totals) {
  parallel_for(totals.size() / row_cells, threads, [&] {
    return [&](std::size_t weighting) {
      RowSums sums{};
      const auto weights = weightings[weighting];
      for (std::size_t sentence = 0; sentence < weights.size(); ++sentence)
        for (std::int32_t again = 0; again < weights[sentence]; ++again) {
          poll();
          add_best(rows.data() + sentence * candidates * row_cells, candidates, options, sums);
        }
      std::ranges::copy(sums, totals.begin() + static_cast<std::ptrdiff_t>(weighting * row_cells));
    };
  });
}

void count_references(const Sentences& sources, const Sentences& hypotheses,
                      std::span<const std::int64_t> source_of, const ReferenceTable& table,
                      const IMeasureOptions& options, int threads, std::span<std::int32_t> rows,
                      std::span<std::int32_t> chosen, std::span<std::uint8_t> status) {
  std::ranges::fill(rows, -1);
  std::ranges::fill(chosen, -1);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, aligner = ThreeWayAligner(options.costs, options.max_cells)](std::size_t pair) mutable {
      BestReferences best(options, aligner);
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const std::int64_t first = table.reference_offsets[sentence],
                         last = table.reference_offsets[sentence + 1];
      status[pair] = static_cast<std::uint8_t>(TripleStatus::exact);
      for (std::int64_t r = first; r < last; ++r)
        if (!best.consider(sources[sentence], hypotheses[pair], table.references[r],
                           {static_cast<std::int32_t>(r - first)}))
          status[pair] = static_cast<std::uint8_t>(TripleStatus::too_long);
      write_rows(rows, pair, options.candidates, best);
      for (std::size_t c = 0; c < best.kept().size(); ++c)
        chosen[pair * options.candidates + c] = best.kept()[c].note[0];
    };
  });
}

void count_mixed(const Sentences& sources, const Sentences& hypotheses,
                 std::span<const std::int64_t> source_of, const ErrorTable& table,
                 const IMeasureOptions& options, int threads, std::span<std::int32_t> rows,
                 std::span<const std::int64_t> chosen_offsets, std::span<std::int32_t> chosen,
                 std::span<std::uint8_t> status) {
  std::ranges::fill(rows, -1);
  std::ranges::fill(chosen, -1);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, aligner = ThreeWayAligner(options.costs, options.max_cells),
            errors = std::vector<ErrorOptions>()](std::size_t pair) mutable {
      BestReferences best(options, aligner);
      MixedSearch search(options, aligner);
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      errors.clear();
      for (auto e = table.error_offsets[sentence]; e < table.error_offsets[sentence + 1]; ++e) {
        ErrorOptions& error = errors.emplace_back();
        for (auto o = table.option_offsets[e]; o < table.option_offsets[e + 1]; ++o) {
          auto& option = error.emplace_back();
          for (auto c = table.edit_offsets[o]; c < table.edit_offsets[o + 1]; ++c)
            option.push_back({table.starts[c], table.ends[c], table.corrections[c]});
        }
      }
      status[pair] =
          static_cast<std::uint8_t>(search.search(sources[sentence], hypotheses[pair], errors, best));
      write_rows(rows, pair, options.candidates, best);
      if (!best.kept().empty()) std::ranges::copy(best.kept()[0].note, chosen.begin() + chosen_offsets[pair]);
    };
  });
}

}  // namespace recte
