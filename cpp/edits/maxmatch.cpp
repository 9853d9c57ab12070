#include "edits/maxmatch.hpp"

#include <array>

#include "support/parallel.hpp"

namespace recte {
namespace {

/// The published count: a pointer runs through the gold in file order, and scans on behind each match.
int running_matches(std::span<const Edit> edits, Tokens source, Tokens hypothesis, const Annotation& gold) {
  int matched = 0, pointer = 0;
  for (const Edit& edit : edits)
    for (int g = pointer; g < gold.size(); ++g)
      if (matches(edit, source, hypothesis, gold, g)) {
        ++matched;
        pointer = g + 1;
      }
  return matched;
}

/// Equation 6: an edit is right if any gold edit matches it.
int matching_edits(std::span<const Edit> edits, Tokens source, Tokens hypothesis, const Annotation& gold) {
  int matched = 0;
  for (const Edit& edit : edits) {
    bool found = false;
    for (int g = 0; g < gold.size() && !found; ++g) found = matches(edit, source, hypothesis, gold, g);
    matched += found;
  }
  return matched;
}

/// The largest one-to-one matching of edits and gold edits, by augmenting paths.
class OneToOne {
 public:
  OneToOne(std::span<const Edit> edits, Tokens source, Tokens hypothesis, const Annotation& gold)
      : edits_(edits), source_(source), hypothesis_(hypothesis), gold_(gold), partner_(gold.size(), -1) {}

  int size() {
    int matched = 0;
    for (int e = 0; e < static_cast<int>(edits_.size()); ++e) {
      visited_.assign(gold_.size(), false);
      matched += place(e);
    }
    return matched;
  }

 private:
  bool place(int e) {
    for (int g = 0; g < gold_.size(); ++g) {
      if (visited_[g] || !matches(edits_[e], source_, hypothesis_, gold_, g)) continue;
      visited_[g] = true;
      if (partner_[g] < 0 || place(partner_[g])) {
        partner_[g] = e;
        return true;
      }
    }
    return false;
  }

  std::span<const Edit> edits_;
  Tokens source_, hypothesis_;
  const Annotation& gold_;
  std::vector<int> partner_;
  std::vector<bool> visited_;
};

/// Calls `per` with the number of each annotation of the pair's sentence, the annotation and its column.
template <class PerAnnotation>
PairStatus for_each_annotation(const Pairs& pairs, std::size_t pair, Proposer& proposer,
                               std::vector<Annotation>& golds, PerAnnotation per) {
  const auto sentence = static_cast<std::size_t>(pairs.source_of[pair]);
  const std::int64_t first = pairs.gold.annotation_offsets[sentence];
  golds.clear();
  for (auto a = first; a < pairs.gold.annotation_offsets[sentence + 1]; ++a)
    golds.push_back(pairs.gold.annotation(a));
  PairStatus status = proposer.open(pair, pairs.sources[sentence], pairs.hypotheses[pair], golds);
  for (std::size_t g = 0; g < golds.size(); ++g) {
    if (status == PairStatus::too_long || status == PairStatus::gold_too_dense) break;
    status = std::max(status,
                      per(g, golds[g], pairs.gold.annotator_columns[first + static_cast<std::int64_t>(g)]));
  }
  return status;
}

}  // namespace

PairStatus Proposer::open(std::size_t pair, Tokens source, Tokens hypothesis,
                          std::span<const Annotation> golds) {
  golds_ = golds;
  source_ = source;
  hypothesis_ = hypothesis;
  unchanged_ = same(source, hypothesis);
  fixed_ = false;
  if (unchanged_) return PairStatus::searched;
  bool small = false;
  if (options_.extraction == Extraction::maxmatch) {
    if (options_.behaviour == Behaviour::official) {
      small = published_.open(source, hypothesis, options_);
      if (small) published_.propose(golds, published_edits_);
    } else {
      small = optimal_.open(source, hypothesis, options_);
    }
  }
  if (small) return PairStatus::searched;
  fixed_ = true;
  if (options_.extraction == Extraction::errant) {
    options_.given.of(pair, fixed_edits_);
    return PairStatus::searched;
  }
  if (!word_diff(source, hypothesis, fixed_edits_)) return PairStatus::too_long;
  return options_.extraction == Extraction::word_diff ? PairStatus::searched : PairStatus::word_diffed;
}

PairStatus Proposer::propose(std::size_t gold, Criterion criterion, bool one_to_one,
                             std::vector<Edit>& edits) {
  edits.clear();
  if (unchanged_) return PairStatus::searched;
  if (fixed_) {
    edits = fixed_edits_;
  } else if (options_.behaviour == Behaviour::official) {
    edits = published_edits_[gold];
  } else {
    // As printed the edits are those of the correction criterion, whatever is scored on them.
    if (options_.behaviour == Behaviour::paper) criterion = Criterion::correction;
    if (!optimal_.propose(golds_[gold], criterion, one_to_one)) return PairStatus::gold_too_dense;
    edits = optimal_.edits();
  }
  if (options_.folded.known())
    std::erase_if(edits, [&](const Edit& edit) {
      return options_.folded.same_letters(edit.original(source_), edit.correction(hypothesis_));
    });
  return PairStatus::searched;
}

int Proposer::true_positives(std::span<const Edit> edits, const Annotation& gold) {
  if (edits.empty() || gold.size() == 0) return 0;
  switch (options_.behaviour) {
    case Behaviour::official: return running_matches(edits, source_, hypothesis_, gold);
    case Behaviour::paper: return matching_edits(edits, source_, hypothesis_, gold);
    case Behaviour::optimal: return OneToOne(edits, source_, hypothesis_, gold).size();
  }
  return 0;
}

void count_maxmatch(const Pairs& pairs, const MaxMatchOptions& options, std::size_t annotators, int threads,
                    std::span<std::int32_t> counts, std::span<std::uint8_t> status) {
  std::ranges::fill(counts, -1);
  parallel_for(pairs.hypotheses.size(), threads, [&] {
    return [&, proposer = Proposer(options), edits = std::vector<Edit>(),
            golds = std::vector<Annotation>()](std::size_t pair) mutable {
      status[pair] = static_cast<std::uint8_t>(for_each_annotation(
          pairs, pair, proposer, golds, [&](std::size_t g, const Annotation& gold, int column) {
            const PairStatus outcome = proposer.propose(g, Criterion::correction, true, edits);
            const auto row = counts.subspan((pair * annotators + column) * 3, 3);
            row[0] = proposer.true_positives(edits, gold);
            row[1] = static_cast<std::int32_t>(edits.size());
            row[2] = gold.size();
            return outcome;
          }));
    };
  });
}

void count_hoo(const Pairs& pairs, const MaxMatchOptions& options, std::size_t annotators, int threads,
               std::span<std::int32_t> counts, std::span<std::uint8_t> status) {
  constexpr std::array criteria = {Criterion::detection, Criterion::recognition, Criterion::correction};
  std::ranges::fill(counts, -1);
  parallel_for(pairs.hypotheses.size(), threads, [&] {
    return [&, proposer = Proposer(options), edits = std::vector<Edit>(),
            golds = std::vector<Annotation>()](std::size_t pair) mutable {
      const Tokens hypothesis = pairs.hypotheses[pair];
      status[pair] = static_cast<std::uint8_t>(for_each_annotation(
          pairs, pair, proposer, golds, [&](std::size_t g, const Annotation& gold, int column) {
            PairStatus outcome = PairStatus::searched;
            for (Criterion criterion : criteria) {
              outcome = std::max(outcome, proposer.propose(g, criterion, false, edits));
              const HooCounts seen = count_hoo(edits, hypothesis, gold, criterion);
              const auto row =
                  counts.subspan(((pair * annotators + column) * 3 + static_cast<int>(criterion)) * 5, 5);
              row[0] = seen.met;
              row[1] = seen.spurious;
              row[2] = seen.system;
              row[3] = seen.gold;
              row[4] = seen.missed_optional;
            }
            return outcome;
          }));
    };
  });
}

std::vector<TracedEdit> trace_edits(const Pairs& pairs, const MaxMatchOptions& options, Criterion criterion,
                                    int threads, std::span<std::uint8_t> status) {
  std::vector<std::vector<TracedEdit>> by_pair(pairs.hypotheses.size());
  parallel_for(by_pair.size(), threads, [&] {
    return [&, proposer = Proposer(options), edits = std::vector<Edit>(),
            golds = std::vector<Annotation>()](std::size_t pair) mutable {
      status[pair] = static_cast<std::uint8_t>(for_each_annotation(
          pairs, pair, proposer, golds, [&](std::size_t g, const Annotation&, int column) {
            const PairStatus outcome = proposer.propose(g, criterion, true, edits);
            for (const Edit& edit : edits)
              by_pair[pair].push_back({static_cast<std::int32_t>(pair), column, edit});
            return outcome;
          }));
    };
  });
  std::vector<TracedEdit> traced;
  for (const auto& of_pair : by_pair) traced.insert(traced.end(), of_pair.begin(), of_pair.end());
  return traced;
}

}  // namespace recte
