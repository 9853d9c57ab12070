#include "chunks/chunks.hpp"

#include "support/parallel.hpp"

namespace recte {
namespace {

struct Interval {
  std::int32_t start, end;
};

struct Version {
  std::vector<SpanEdit> edits;
  std::size_t next = 0;  // the first edit that no chunk has had yet
  std::vector<Token> text;
  bool changed = false;

  /// The version's text of the next chunk.
  void take(Tokens source, Interval chunk) {
    text.clear();
    changed = false;
    std::int32_t place = chunk.start;
    const auto copy = [&](std::int32_t end) {
      if (place < end) text.insert(text.end(), source.begin() + place, source.begin() + end);
    };
    for (; next < edits.size() && edits[next].start <= chunk.end; ++next) {
      const SpanEdit& edit = edits[next];
      copy(edit.start);
      text.insert(text.end(), edit.correction.begin(), edit.correction.end());
      place = edit.end;
      changed = true;
    }
    copy(chunk.end);
  }
};

class Judge {
 public:
  Judge(const EditTable& hypotheses, const EditTable& references, bool independent)
      : hypotheses_(hypotheses), references_(references), independent_(independent) {}

  std::int32_t judge(Tokens source, std::int32_t pair, std::size_t first, std::size_t count,
                     std::vector<std::int32_t>& records) {
    versions_.resize(count + 1);
    joined_.clear();
    for (std::size_t v = 0; v <= count; ++v) {
      poll();
      Version& version = versions_[v];
      sorted_edits(v ? references_ : hypotheses_, v ? first + v - 1 : static_cast<std::size_t>(pair),
                   version.edits);
      version.next = 0;
      for (const SpanEdit& edit : version.edits) joined_.push_back({edit.start, edit.end});
    }
    join();
    std::int32_t stretches = 0, place = 0;
    for (const Interval chunk : joined_) {
      poll();
      stretches += place < chunk.start;
      place = chunk.end;
      for (Version& version : versions_) version.take(source, chunk);
      record(pair, chunk, records);
    }
    return stretches + (place < static_cast<std::int32_t>(source.size()));
  }

 private:
  /// Intervals that overlap or touch become one.
  void join() {
    std::ranges::sort(joined_, {}, [](const Interval& i) { return std::pair(i.start, i.end); });
    std::size_t size = 0;
    for (const Interval next : joined_)
      if (size && next.start <= joined_[size - 1].end)
        joined_[size - 1].end = std::max(joined_[size - 1].end, next.end);
      else
        joined_[size++] = next;
    joined_.resize(size);
  }

  void record(std::int32_t pair, Interval chunk, std::vector<std::int32_t>& records) const {
    const Version& hypothesis = versions_[0];
    bool some_equal = false, some_changed = false, all_changed = true;
    for (std::size_t v = 1; v < versions_.size(); ++v) {
      some_equal |= versions_[v].text == hypothesis.text;
      some_changed |= versions_[v].changed;
      all_changed &= versions_[v].changed;
    }
    for (std::size_t v = 1; v < versions_.size(); ++v) {
      const Version& reference = versions_[v];
      const bool equal = independent_ ? some_equal : reference.text == hypothesis.text;
      const bool needed = independent_ ? some_changed : reference.changed;
      const bool missed = independent_ ? all_changed : !equal;
      const ChunkKind kind = hypothesis.changed
                                 ? (equal    ? ChunkKind::true_positive
                                    : needed ? ChunkKind::necessary
                                             : ChunkKind::unnecessary)
                                 : (missed ? ChunkKind::false_negative : ChunkKind::true_negative);
      records.insert(
          records.end(),
          {pair, static_cast<std::int32_t>(v - 1), chunk.start, chunk.end, static_cast<std::int32_t>(kind),
           static_cast<std::int32_t>(hypothesis.text.size()),
           static_cast<std::int32_t>(reference.text.size()), hypothesis.changed, reference.changed});
    }
  }

  const EditTable& hypotheses_;
  const EditTable& references_;
  const bool independent_;
  std::vector<Version> versions_;
  std::vector<Interval> joined_;
};

}  // namespace

std::vector<std::int32_t> judge_chunks(const Sentences& sources, std::span<const std::int64_t> source_of,
                                       const EditTable& hypotheses,
                                       std::span<const std::int64_t> reference_offsets,
                                       const EditTable& references, bool independent, int threads,
                                       std::span<std::int32_t> stretches) {
  std::vector<std::vector<std::int32_t>> records(source_of.size());
  parallel_for(source_of.size(), threads, [&] {
    return [&, judge = Judge(hypotheses, references, independent)](std::size_t pair) mutable {
      const auto sentence = static_cast<std::size_t>(source_of[pair]);
      const auto first = static_cast<std::size_t>(reference_offsets[sentence]);
      const auto count = static_cast<std::size_t>(reference_offsets[sentence + 1]) - first;
      stretches[pair] =
          judge.judge(sources[sentence], static_cast<std::int32_t>(pair), first, count, records[pair]);
    };
  });
  std::vector<std::int32_t> all;
  for (const auto& of_pair : records) all.insert(all.end(), of_pair.begin(), of_pair.end());
  return all;
}

}  // namespace recte
