#include "edits/difficulty.hpp"

#include "support/parallel.hpp"

namespace recte {
namespace {

struct Chunk {
  std::int32_t start, end, edit;
  Tokens text;

  bool is_slot() const { return start == end; }
  bool edited() const { return edit >= 0; }
};

/// Edits, single tokens outside them, and empty slots where nothing is inserted.
class Cutter {
 public:
  const std::vector<Chunk>& cut(Tokens source, const EditTable& table, std::size_t version) {
    sorted_edits(table, version, edits_);
    chunks_.clear();
    std::int32_t place = 0;
    const auto add = [&](const Chunk& chunk) {
      const bool slot_before =
          !chunks_.empty() && chunks_.back().is_slot() && chunks_.back().end == chunk.start;
      if (!chunk.is_slot() && !slot_before) chunks_.push_back({chunk.start, chunk.start, -1, {}});
      chunks_.push_back(chunk);
    };
    const auto tokens_until = [&](std::int32_t end) {
      for (; place < end; ++place) add({place, place + 1, -1, source.subspan(place, 1)});
    };
    for (const SpanEdit& edit : edits_) {
      tokens_until(edit.start);
      add({edit.start, edit.end, edit.number, edit.correction});
      place = std::max(place, edit.end);
    }
    const auto length = static_cast<std::int32_t>(source.size());
    tokens_until(length);
    if (chunks_.empty() || !chunks_.back().is_slot()) chunks_.push_back({length, length, -1, {}});
    return chunks_;
  }

 private:
  std::vector<SpanEdit> edits_;
  std::vector<Chunk> chunks_;
};

/// Looks at the system's chunks in order, from the first that can touch the reference's.
std::uint8_t verdict(const Chunk& gold, const std::vector<Chunk>& system, std::size_t first, bool ported) {
  bool met = false, modified = false;
  for (std::size_t c = first; c < system.size() && system[c].start <= gold.end; ++c) {
    const Chunk& own = system[c];
    const bool same_place = own.start == gold.start && own.end == gold.end;
    if (same_place && same(own.text, gold.text)) return chunk_correct | (own.edited() ? chunk_modified : 0);
    const bool overlaps = !gold.is_slot() && ((gold.start <= own.start && own.start < gold.end) ||
                                              (own.start <= gold.start && gold.start < own.end));
    if (same_place || overlaps) {
      modified = own.edited() || (modified && !(ported && same_place));
      met = true;
    }
  }
  if (met) return modified ? chunk_modified : 0;
  return gold.edited() && !ported ? 0 : chunk_correct;
}

}  // namespace

std::vector<std::int32_t> cut_versions(const Sentences& sources, const EditTable& versions,
                                       std::span<std::int64_t> offsets) {
  std::vector<std::int32_t> all;
  Cutter cutter;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    poll_every(s);
    offsets[s] = static_cast<std::int64_t>(all.size() / version_chunk);
    for (const Chunk& chunk : cutter.cut(sources[s], versions, s))
      all.insert(all.end(), {chunk.start, chunk.end, chunk.edit});
  }
  offsets[sources.size()] = static_cast<std::int64_t>(all.size() / version_chunk);
  return all;
}

std::vector<std::uint8_t> judge_versions(const Sentences& sources, std::span<const std::int64_t> source_of,
                                         const EditTable& hypotheses, const EditTable& references,
                                         bool ported, int threads) {
  std::vector<std::vector<std::uint8_t>> verdicts(source_of.size());
  parallel_for(source_of.size(), threads, [&] {
    return [&, ours = Cutter(), theirs = Cutter()](std::size_t pair) mutable {
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const auto& gold = theirs.cut(sources[sentence], references, sentence);
      const auto& system = ours.cut(sources[sentence], hypotheses, pair);
      std::size_t first = 0;
      for (const Chunk& chunk : gold) {
        if (ported) poll();  // which looks at all of the system's chunks each time
        while (first < system.size() && system[first].end < chunk.start) ++first;
        const bool somewhere = ported && std::ranges::any_of(system, [&](const Chunk& own) {
                                 return same(own.text, chunk.text);
                               });
        verdicts[pair].push_back(verdict(chunk, system, first, ported) | (somewhere ? chunk_somewhere : 0));
      }
    };
  });
  std::vector<std::uint8_t> all;
  for (const auto& of_pair : verdicts) all.insert(all.end(), of_pair.begin(), of_pair.end());
  return all;
}

}  // namespace recte
