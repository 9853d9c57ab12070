#include "edits/hoo.hpp"

namespace recte {
namespace {

bool begins_with(Tokens text, Tokens part) {
  return text.size() >= part.size() && same(text.first(part.size()), part);
}

bool ends_with(Tokens text, Tokens part) {
  return text.size() >= part.size() && same(text.last(part.size()), part);
}

}  // namespace

Alignment align(const Edit& edit, Tokens hypothesis, const Annotation& gold, int g) {
  const int a = gold.start(g), b = gold.end(g);
  const int x = edit.source_begin, y = edit.source_end;
  const Tokens text = edit.correction(hypothesis);
  const bool same_place = a == x && b == y;
  if (a < b) {
    const bool overlap = x < y ? std::max(a, x) < std::min(b, y) : a < x && x < b;
    return {overlap, same_place, same_place && gold.accepts(g, text)};
  }
  if (x == y) return {same_place, same_place, same_place && gold.accepts(g, text)};
  if (x < a && a < y) return {true, false, false};
  const bool touching = (x == a && gold.any_correction(g, [&](Tokens c) { return begins_with(text, c); })) ||
                        (y == a && gold.any_correction(g, [&](Tokens c) { return ends_with(text, c); }));
  return {touching, touching && y - x == 1, false};
}

HooCounts count_hoo(std::span<const Edit> edits, Tokens hypothesis, const Annotation& gold,
                    Criterion criterion) {
  HooCounts counts{0, 0, static_cast<std::int32_t>(edits.size()), gold.size(), 0};
  for (int g = 0; g < gold.size(); ++g) {
    bool met = false, touched = false;
    for (const Edit& edit : edits) {
      const Alignment alignment = align(edit, hypothesis, gold, g);
      met = met || alignment.meets(criterion);
      touched = touched || alignment.lenient;
    }
    counts.met += met;
    counts.missed_optional += gold.optional(g) && !touched;
  }
  for (const Edit& edit : edits) {
    bool meets_any = false;
    for (int g = 0; g < gold.size() && !meets_any; ++g)
      meets_any = align(edit, hypothesis, gold, g).meets(criterion);
    counts.spurious += !meets_any;
  }
  return counts;
}

}  // namespace recte
