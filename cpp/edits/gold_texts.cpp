#include "edits/gold_texts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "text/utf8.hpp"

namespace recte {
namespace {

void replace_words(std::vector<Token>& text, std::int32_t start, std::int32_t end, Tokens words) {
  const auto size =
      static_cast<std::int32_t>(text.size());  // earlier, later-standing edits may have shortened it
  const auto first = text.begin() + std::min(start, size),
             last = text.begin() + std::min(std::max(start, end), size);
  const auto place = first - text.begin();
  text.erase(first, last);
  text.insert(text.begin() + place, words.begin(), words.end());
}

bool contains(const std::vector<std::vector<Token>>& texts, std::span<const Token> text) {
  return std::ranges::any_of(texts, [&](const auto& other) { return same(other, text); });
}

/// Distinct texts in their order.
void add_distinct(TextsOfSentences& all, std::vector<std::vector<Token>>& seen, std::vector<Token>&& text) {
  if (contains(seen, text)) return;
  all.add(text);
  seen.push_back(std::move(text));
}

struct Span {
  std::int32_t start, end;
};

bool overlap(Span a, Span b) {
  if (a.start == b.start && a.end == b.end) return true;
  const bool a_inserts = a.start == a.end, b_inserts = b.start == b.end;
  if (a_inserts || b_inserts) {
    const Span point = a_inserts ? a : b, span = a_inserts ? b : a;
    return span.start != span.end && span.start < point.start && point.start < span.end;
  }
  return a.start < b.end && b.start < a.end;
}

struct Slice {
  Span span;
  std::vector<Token> words;
};

class UnmixedReferences {
 public:
  UnmixedReferences(const GoldColumns& gold, std::span<const std::int64_t> lines, const Sentences& words)
      : gold_(gold), lines_(lines), words_(words) {}

  void add(TextsOfSentences& all, Tokens source, std::size_t sentence) {
    const std::int64_t first = gold_.annotation_offsets[sentence];
    const std::int64_t last = gold_.annotation_offsets[sentence + 1];
    cluster(static_cast<std::size_t>(gold_.edit_offsets[first]),
            static_cast<std::size_t>(gold_.edit_offsets[last]));
    seen_.clear();
    bool idle = false;
    for (const std::int64_t a : annotations_by_column(gold_, sentence)) {
      if (gold_.edit_offsets[a] == gold_.edit_offsets[a + 1])
        idle = true;
      else
        add_distinct(all, seen_, applied(source, a));
    }
    if (idle) add_distinct(all, seen_, {source.begin(), source.end()});
  }

 private:
  Span span(std::size_t edit) const { return {gold_.starts[edit], gold_.ends[edit]}; }

  /// Longest edits first, each joins the first cluster with a member it overlaps, or opens one.
  void cluster(std::size_t first, std::size_t last) {
    order_.resize(last - first);
    std::iota(order_.begin(), order_.end(), first);
    std::ranges::stable_sort(order_, {}, [&](std::size_t e) { return lines_[e]; });
    std::ranges::stable_sort(order_, {}, [&](std::size_t e) { return span(e).start - span(e).end; });
    clusters_.clear();
    for (const std::size_t edit : order_) {
      const auto home = std::ranges::find_if(clusters_, [&](const auto& members) {
        return std::ranges::any_of(members,
                                   [&](std::size_t other) { return overlap(span(edit), span(other)); });
      });
      if (home == clusters_.end())
        clusters_.push_back({edit});
      else
        home->push_back(edit);
    }
    std::ranges::stable_sort(clusters_, {}, [&](const auto& members) {
      return std::pair(span(members[0]).start, span(members[0]).end);
    });
  }

  std::vector<Token> applied(Tokens source, std::int64_t annotation) {
    const auto first = static_cast<std::size_t>(gold_.edit_offsets[annotation]);
    const auto last = static_cast<std::size_t>(gold_.edit_offsets[annotation + 1]);
    slices_.clear();
    for (const auto& members : clusters_) {
      const std::size_t before = slices_.size();  // edits of one cluster with the same span are one
      for (const std::size_t edit : members) {
        if (edit < first || edit >= last) continue;
        const Span here = span(edit);
        auto known = std::find_if(
            slices_.begin() + static_cast<std::ptrdiff_t>(before), slices_.end(),
            [&](const Slice& s) { return s.span.start == here.start && s.span.end == here.end; });
        if (known == slices_.end()) known = slices_.insert(slices_.end(), Slice{here, {}});
        const Tokens words = words_[edit];
        known->words.insert(known->words.end(), words.begin(), words.end());
      }
    }
    std::ranges::stable_sort(slices_, [](const Slice& a, const Slice& b) {
      return std::pair(a.span.start, a.span.end) > std::pair(b.span.start, b.span.end);
    });
    std::vector<Token> text(source.begin(), source.end());
    for (const Slice& slice : slices_) {
      std::vector<Token> before = text;
      replace_words(text, slice.span.start, slice.span.end, slice.words);
      if (text.empty()) text = std::move(before);  // an edit that would empty the sentence is undone
    }
    return text;
  }

  const GoldColumns& gold_;
  std::span<const std::int64_t> lines_;
  const Sentences& words_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::size_t>> clusters_;
  std::vector<Slice> slices_;
  std::vector<std::vector<Token>> seen_;
};

}  // namespace

std::vector<std::int64_t> annotations_by_column(const GoldColumns& gold, std::size_t sentence) {
  std::vector<std::int64_t> order(
      static_cast<std::size_t>(gold.annotation_offsets[sentence + 1] - gold.annotation_offsets[sentence]));
  std::iota(order.begin(), order.end(), gold.annotation_offsets[sentence]);
  const auto column = [&](std::int64_t a) { return gold.annotators[a]; };
  if (!std::ranges::is_sorted(order, {}, column)) std::ranges::stable_sort(order, {}, column);
  return order;
}

void mark_optional(const Sentences& sources, const GoldColumns& gold, std::span<const std::uint8_t> required,
                   std::span<std::uint8_t> optional) {
  for (std::size_t sentence = 0; sentence < sources.size(); ++sentence) {
    const Tokens source = sources[sentence];
    const auto first = static_cast<std::size_t>(gold.edit_offsets[gold.annotation_offsets[sentence]]);
    const auto last = static_cast<std::size_t>(gold.edit_offsets[gold.annotation_offsets[sentence + 1]]);
    for (std::size_t e = first; e < last; ++e) {
      optional[e] = !required[e];
      const Tokens original = source.subspan(gold.starts[e], gold.ends[e] - gold.starts[e]);
      for (auto c = static_cast<std::size_t>(gold.correction_offsets[e]);
           c < static_cast<std::size_t>(gold.correction_offsets[e + 1]); ++c)
        if (same(gold.words[c], original) && is_spaced(gold.corrections[c])) optional[e] = true;
    }
  }
}

TextsOfSentences annotator_texts(const Sentences& sources, const GoldColumns& gold,
                                 std::span<const std::uint8_t> skipped, std::size_t columns,
                                 bool missing_is_source, std::span<const std::int64_t> reference_offsets,
                                 const Sentences& references) {
  TextsOfSentences all;
  std::vector<std::size_t> order;
  std::vector<std::vector<Token>> texts;
  std::vector<int> text_of(columns);
  const auto first_correction = [&](std::size_t edit) {
    return static_cast<std::size_t>(gold.correction_offsets[edit]);
  };
  for (std::size_t sentence = 0; sentence < sources.size(); ++sentence) {
    const std::int64_t first = gold.annotation_offsets[sentence],
                       last = gold.annotation_offsets[sentence + 1];
    if (first == last) {
      for (std::int64_t r = reference_offsets[sentence]; r < reference_offsets[sentence + 1]; ++r)
        all.add(references[static_cast<std::size_t>(r)]);
      all.close_sentence();
      continue;
    }
    const Tokens source = sources[sentence];
    texts.clear();
    std::ranges::fill(text_of, -1);
    for (const std::int64_t a : annotations_by_column(gold, sentence)) {
      order.clear();
      for (auto e = static_cast<std::size_t>(gold.edit_offsets[a]);
           e < static_cast<std::size_t>(gold.edit_offsets[a + 1]); ++e)
        if (!skipped[e]) order.push_back(e);
      // The last first, so that offsets stay true; where two insertions share a place, the first stands
      // first.
      std::ranges::sort(order, std::greater(),
                        [&](std::size_t e) { return std::tuple(gold.starts[e], gold.ends[e], e); });
      std::vector<Token> text(source.begin(), source.end());
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t e = order[k];
        bool done = false;  // a replacement that stands twice is made once
        for (std::size_t j = 0; j < k && gold.starts[e] != gold.ends[e]; ++j)
          done =
              done || (gold.starts[order[j]] == gold.starts[e] && gold.ends[order[j]] == gold.ends[e] &&
                       gold.corrections[first_correction(order[j])] == gold.corrections[first_correction(e)]);
        if (!done) replace_words(text, gold.starts[e], gold.ends[e], gold.words[first_correction(e)]);
      }
      text_of[static_cast<std::size_t>(gold.annotators[a])] = static_cast<int>(texts.size());
      texts.push_back(std::move(text));
    }
    for (std::size_t column = 0; column < columns; ++column) {
      if (text_of[column] >= 0)
        all.add(texts[static_cast<std::size_t>(text_of[column])]);
      else
        all.add(missing_is_source ? source : Tokens(texts[0]));
    }
    all.close_sentence();
  }
  return all;
}

TextsOfSentences unmixed_references(const Sentences& sources, const GoldColumns& gold,
                                    std::span<const std::int64_t> lines, const Sentences& words,
                                    std::span<const std::int64_t> reference_offsets,
                                    const Sentences& references) {
  TextsOfSentences all;
  UnmixedReferences maker(gold, lines, words);
  std::vector<std::vector<Token>> seen;
  for (std::size_t sentence = 0; sentence < sources.size(); ++sentence) {
    if (gold.annotation_offsets[sentence] < gold.annotation_offsets[sentence + 1]) {
      maker.add(all, sources[sentence], sentence);
    } else {
      seen.clear();
      for (std::int64_t r = reference_offsets[sentence]; r < reference_offsets[sentence + 1]; ++r) {
        const Tokens text = references[static_cast<std::size_t>(r)];
        add_distinct(all, seen, {text.begin(), text.end()});
      }
    }
    all.close_sentence();
  }
  return all;
}

}  // namespace recte
