#include "edits/move_merging.hpp"

#include "support/parallel.hpp"

namespace recte {
namespace {

/// Whether one letter put in, taken away or changed makes one text the other.
bool at_most_one_apart(Tokens a, Tokens b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > 1) return false;
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (y == b.end()) return true;
  const auto rest = static_cast<std::size_t>(y - b.begin());
  return same(a.subspan(rest + 1), b.subspan(rest + (a.size() == b.size())));
}

bool is_rotation(Tokens a, Tokens b) {
  std::vector<Token> twice(a.begin(), a.end());
  twice.insert(twice.end(), a.begin(), a.end());
  return a.size() == b.size() && !std::ranges::search(twice, b).empty();
}

/// Of the substitutions a -> b and c -> d, whether they change places.
bool is_exchange(Tokens a, Tokens b, Tokens c, Tokens d) {
  if (std::min({a.size(), b.size(), c.size(), d.size()}) == 1) return same(a, d) && same(b, c);
  return at_most_one_apart(a, d) && at_most_one_apart(b, c);
}

bool starts_with(Tokens text, Tokens part) {
  return part.size() <= text.size() && same(text.first(part.size()), part);
}

bool ends_with(Tokens text, Tokens part) {
  return part.size() <= text.size() && same(text.last(part.size()), part);
}

}  // namespace

void MoveMerger::read(Tokens source, Tokens target) {
  spell(source, source_);
  spell(target, target_);
}

void MoveMerger::spell(Tokens tokens, Spelt& spelt) const {
  spelt.letters.clear();
  spelt.offsets.assign(1, 0);
  for (Token token : tokens) {
    const Tokens letters = tokens_.letters[std::size_t(token)];
    spelt.letters.insert(spelt.letters.end(), letters.begin(), letters.end());
    spelt.offsets.push_back(spelt.letters.size());
  }
}

void MoveMerger::merge(std::span<const AlignedItem> items, std::vector<AlignedItem>& edits) const {
  edits.clear();
  const auto keep = [&](const AlignedItem& item) {
    if (!same(source(item), target(item))) edits.push_back(trimmed(item));
  };
  for (std::size_t at = 0; at < items.size();) {
    if (at + 2 < items.size() && is_move(items[at], items[at + 1], items[at + 2])) {
      const AlignedItem &x = items[at], &z = items[at + 2];
      keep({Operation::transpose, x.source_start, z.source_end, x.target_start, z.target_end});
      at += 3;
    } else {
      if (items[at].operation != Operation::match) keep(items[at]);
      ++at;
    }
  }
}

bool MoveMerger::is_move(const AlignedItem& x, const AlignedItem& y, const AlignedItem& z) const {
  using enum Operation;
  if (x.operation == substitute && y.operation == match && z.operation == substitute)
    return is_exchange(source(x), target(x), source(z), target(z));
  if (y.operation != match && y.operation != transpose) return false;
  if (x.operation == remove && z.operation == insert) return is_moved(source(x), target(z));
  if (x.operation == insert && z.operation == remove) return is_moved(source(z), target(x));
  return false;
}

bool MoveMerger::is_moved(Tokens removed, Tokens inserted) const {
  const bool removed_is_longer = removed.size() >= inserted.size();
  const Tokens a = removed_is_longer ? removed : inserted, b = removed_is_longer ? inserted : removed;
  if (a.size() - b.size() > 1) return false;
  for (Tokens text : {a, b})
    if (!std::ranges::search(punctuation_, text).empty()) return false;
  if (b.size() == 1) return same(a, b);
  return at_most_one_apart(a, b) || is_rotation(a, b);
}

/// A substitution without the whole tokens that both sides begin or end with.
AlignedItem MoveMerger::trimmed(const AlignedItem& item) const {
  if (item.operation != Operation::substitute) return item;
  AlignedItem left = item;
  const Tokens whole = target(item);
  std::int32_t last = item.source_start;
  while (last < item.source_end && starts_with(whole, source_.text(item.source_start, last + 1))) ++last;
  if (last > item.source_start) {
    const Tokens taken = source_.text(item.source_start, last);
    for (std::int32_t m = item.target_start; m <= item.target_end; ++m)
      if (same(target_.text(item.target_start, m), taken)) {
        left.source_start = last;
        left.target_start = m;
        break;
      }
  }
  // What was cut on the left is not taken away from the text that the right end is compared with.
  std::int32_t first = left.source_end;
  while (first > left.source_start && ends_with(whole, source_.text(first - 1, left.source_end))) --first;
  if (first < left.source_end) {
    const Tokens taken = source_.text(first, left.source_end);
    for (std::int32_t m = left.target_end; m >= left.target_start; --m)
      if (same(target_.text(m, left.target_end), taken)) {
        left.source_end = first;
        left.target_end = m;
        break;
      }
  }
  if (left.source_start == left.source_end) left.operation = Operation::insert;
  if (left.target_start == left.target_end) left.operation = Operation::remove;
  return left;
}

TiedEdits extract_tied_edits(const Sentences& sources, const Sentences& targets, const ChineseTokens& tokens,
                             const Confusions& confusions, std::span<const std::int32_t> punctuation,
                             ChineseLevel level, int longest_tie, std::size_t limit, int threads) {
  const std::size_t size = sources.size();
  const ChineseCosts costs(tokens, confusions, level);
  std::vector<std::vector<std::vector<AlignedItem>>> found(size);
  TiedEdits result;
  result.costs.resize(size);
  result.walks.resize(size);
  result.cut_off.resize(size);
  parallel_for(size, threads, [&] {
    return [&, aligner = TiedAligner(tokens, costs, level), merger = MoveMerger(tokens, punctuation),
            ways = std::vector<std::vector<AlignedItem>>(),
            edits = std::vector<AlignedItem>()](std::size_t pair) mutable {
      const Tokens source = sources[pair], target = targets[pair];
      const auto apart = static_cast<std::int64_t>(source.size()) - static_cast<std::int64_t>(target.size());
      const bool first_only = std::max(apart, -apart) > longest_tie;
      aligner.fill(source, target);
      merger.read(source, target);
      result.costs[pair] = aligner.cost();
      result.walks[pair] = first_only ? 1 : aligner.walks();
      result.cut_off[pair] = !aligner.alternatives(first_only, limit, ways);
      for (const auto& way : ways) {
        poll();
        merger.merge(way, edits);
        if (std::ranges::find(found[pair], edits) == found[pair].end()) found[pair].push_back(edits);
      }
    };
  });
  result.alternatives.assign(1, 0);
  result.offsets.assign(1, 0);
  for (const auto& of_pair : found) {
    for (const auto& alternative : of_pair) {
      result.edits.insert(result.edits.end(), alternative.begin(), alternative.end());
      result.offsets.push_back(static_cast<std::int64_t>(result.edits.size()));
    }
    result.alternatives.push_back(static_cast<std::int64_t>(result.offsets.size()) - 1);
  }
  return result;
}

}  // namespace recte
