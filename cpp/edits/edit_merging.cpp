#include "edits/edit_merging.hpp"

#include "edits/letter_measures.hpp"
#include "support/interrupt.hpp"

namespace recte {
namespace {

using Span = AlignedSpan;
constexpr double alike = 0.75;

bool all_of(std::span<const AlignedSpan> run, std::int32_t operation) {
  return std::ranges::all_of(run, [&](const Span& item) { return item.operation == operation; });
}

bool is_verbal(std::int32_t tag) { return tag == verb || tag == aux || tag == part; }

Span covering(std::span<const AlignedSpan> run) {
  return {Span::substitution, run.front().source_begin, run.back().source_end, run.front().corrected_begin,
          run.back().corrected_end};
}

std::int32_t source_length(const Span& span) { return span.source_end - span.source_begin; }
std::int32_t corrected_length(const Span& span) { return span.corrected_end - span.corrected_begin; }

/// The letters of several words, one after another.
class Letters {
 public:
  Letters(const Sentences& letters, Tokens words) : letters_(letters), words_(words) { skip(); }

  bool at_end() const { return word_ == words_.size(); }
  Token next() {
    const Token letter = letters_[words_[word_]][place_++];
    skip();
    return letter;
  }

 private:
  void skip() {
    while (word_ < words_.size() && place_ == letters_[words_[word_]].size()) ++word_, place_ = 0;
  }

  const Sentences& letters_;
  Tokens words_;
  std::size_t word_ = 0, place_ = 0;
};

}  // namespace

void EditMerger::merge(const AnnotatedSentence& source, const AnnotatedSentence& corrected,
                       std::span<const AlignedSpan> steps, std::vector<AlignedSpan>& edits) {
  source_ = source;
  corrected_ = corrected;
  edits_ = &edits;
  if (merging_ == Merging::steps) {
    edits.insert(edits.end(), steps.begin(), steps.end());
    return;
  }
  const auto kind = [&](const Span& item) {
    if (item.operation == Span::match) return 0;
    switch (merging_) {
      case Merging::merge: return 1;
      case Merging::equal:  // transpositions of different widths are different operations
        return item.operation + (item.operation == Span::transposition ? source_length(item) : 0);
      default: return item.operation == Span::transposition ? 2 : 1;
    }
  };
  for (std::size_t begin = 0, end; begin < steps.size(); begin = end) {
    end = begin + 1;
    while (end < steps.size() && kind(steps[end]) == kind(steps[begin])) ++end;
    const Run run = steps.subspan(begin, end - begin);
    if (run.front().operation == Span::match) continue;
    if (merging_ == Merging::split || (merging_ == Merging::rules && kind(run.front()) == 2))
      edits.insert(edits.end(), run.begin(), run.end());
    else if (merging_ == Merging::rules)
      merge_by_rules(run);
    else
      join(run);
  }
}

void EditMerger::join(Run run) {
  if (!run.empty()) edits_->push_back(covering(run));
}

bool EditMerger::is_punctuation(const AnnotatedSentence& sentence, std::int32_t place) const {
  return sentence.tags[place] == punct || table_.punctuation[sentence.words[place]];
}

bool EditMerger::similar(std::int32_t source_place, std::int32_t corrected_place) const {
  const Tokens a = table_.letters[source_.words[source_place]];
  const Tokens b = table_.letters[corrected_.words[corrected_place]];
  if (rules_.weighted_letters) return weighted_letter_cost(a, b) < 1 - alike;
  return 1 - letter_distance(a, b) > alike;
}

bool EditMerger::same_letters(const AlignedSpan& span) const {
  Letters a(table_.joined, source_.words.subspan(span.source_begin, source_length(span)));
  Letters b(table_.joined, corrected_.words.subspan(span.corrected_begin, corrected_length(span)));
  while (!a.at_end() && !b.at_end())
    if (a.next() != b.next()) return false;
  return a.at_end() && b.at_end();
}

bool EditMerger::one_kind(const AlignedSpan& span) const {
  const Tokens a = source_.tags.subspan(span.source_begin, source_length(span));
  const Tokens b = corrected_.tags.subspan(span.corrected_begin, corrected_length(span));
  const auto both = [&](auto holds) {
    return std::ranges::all_of(a, holds) && std::ranges::all_of(b, holds);
  };
  if (both([&](std::int32_t tag) { return tag == a.front(); }))
    return source_length(span) != corrected_length(span);
  if (!rules_.verbal_of_any_size) return source_length(span) != corrected_length(span) && both(is_verbal);
  const auto some = [&](std::int32_t wanted) {
    return std::ranges::find(a, wanted) != a.end() || std::ranges::find(b, wanted) != b.end();
  };
  return both([](std::int32_t tag) { return tag == part || tag == verb; }) && some(part) && some(verb);
}

bool EditMerger::has_content(const AlignedSpan& span) const {
  const auto is_content = [&](std::int32_t tag) {
    return tag < aux || (tag == aux && rules_.aux_is_content);
  };
  return std::ranges::any_of(source_.tags.subspan(span.source_begin, source_length(span)), is_content) ||
         std::ranges::any_of(corrected_.tags.subspan(span.corrected_begin, corrected_length(span)),
                             is_content);
}

/// Whether items a to z end in the same word, and what follows from it.
bool EditMerger::same_end(Run run, std::size_t a, std::size_t z, Fired& fired) const {
  const Span span = covering(run.subspan(a, z - a + 1));
  const auto& lower = table_.lower;
  if (lower[source_.words[span.source_end - 1]] != lower[corrected_.words[span.corrected_end - 1]])
    return false;
  const bool one_source = source_length(span) == 1, one_corrected = corrected_length(span) == 1;
  if (rules_.short_source_anywhere && one_corrected && table_.capitalised[source_.words[span.source_begin]]) {
    fired = Fired::whole_alone;
    return true;
  }
  if (a == 0 && ((one_source && table_.capitalised[corrected_.words[span.corrected_begin]]) ||
                 (one_corrected && table_.capitalised[source_.words[span.source_begin]]))) {
    fired = Fired::whole;
    return true;
  }
  if ((!one_source && is_punctuation(source_, span.source_end - 2)) ||
      (!one_corrected && is_punctuation(corrected_, span.corrected_end - 2))) {
    fired = Fired::last_two;
    return true;
  }
  return false;
}

/// What two neighbouring items alone can tell.
EditMerger::Fired EditMerger::pair_rule(Run run, std::size_t a, std::size_t z) const {
  const Span &first = run[a], &last = run[z], span = covering(run.subspan(a, 2));
  if (source_length(span) == 2 && corrected_length(span) == 2) return Fired::split;
  if ((first.operation == Span::substitution && similar(span.source_begin, span.corrected_begin)) ||
      (last.operation == Span::substitution && similar(span.source_end - 1, span.corrected_end - 1)))
    return Fired::split;
  if (z + 1 == run.size() &&
      ((last.operation != Span::insertion && source_.tags[span.source_end - 1] == det) ||
       (last.operation != Span::deletion && corrected_.tags[span.corrected_end - 1] == det)))
    return Fired::last_alone;
  return Fired::nothing;
}

EditMerger::Fired EditMerger::rule_for(Run run, std::size_t a, std::size_t z) const {
  const Span span = covering(run.subspan(a, z - a + 1));
  if (rules_.possessives && a == 0 &&
      (source_.possessive[span.source_begin] || corrected_.possessive[span.corrected_begin]))
    return Fired::head_alone;
  if (rules_.possessives &&
      (source_.possessive[span.source_end - 1] || corrected_.possessive[span.corrected_end - 1]))
    return Fired::last_two;
  Fired fired = Fired::nothing;
  if (same_end(run, a, z, fired)) return fired;
  if (same_letters(span)) return Fired::whole;
  if (one_kind(span)) return Fired::whole;
  return z == a + 1 ? pair_rule(run, a, z) : Fired::nothing;
}

void EditMerger::merge_by_rules(Run run) {
again:
  if (run.size() <= 1) {
    edits_->insert(edits_->end(), run.begin(), run.end());
    return;
  }
  if (all_of(run, Span::deletion) || all_of(run, Span::insertion)) return join(run);
  std::vector<std::size_t> substitutions(run.size() + 1);
  for (std::size_t k = 0; k < run.size(); ++k)
    substitutions[k + 1] = substitutions[k] + (run[k].operation == Span::substitution);
  for (std::size_t length = run.size(); length >= 2; --length) {
    poll();
    for (std::size_t a = 0; a + length <= run.size(); ++a) {
      const std::size_t z = a + length - 1;
      if (substitutions[z + 1] == substitutions[a]) continue;
      switch (rule_for(run, a, z)) {
        case Fired::nothing: continue;
        case Fired::head_alone:
          edits_->push_back(run[0]);
          run = run.subspan(1);
          goto again;
        case Fired::last_two:
          merge_by_rules(run.first(z - 1));
          join(run.subspan(z - 1, 2));
          run = run.subspan(z + 1);
          goto again;
        case Fired::whole:
          merge_by_rules(run.first(a));
          join(run.subspan(a, length));
          run = run.subspan(z + 1);
          goto again;
        case Fired::whole_alone:
          join(run.subspan(a, length));
          run = run.subspan(z + 1);
          goto again;
        case Fired::split:
          merge_by_rules(run.first(z));
          run = run.subspan(z);
          goto again;
        case Fired::last_alone:
          merge_by_rules(run.first(run.size() - 1));
          edits_->push_back(run.back());
          return;
      }
    }
  }
  // The whole run was looked at first, so content words anywhere in it join it, if it holds a substitution.
  if (substitutions.back() && has_content(covering(run)))
    join(run);
  else
    edits_->insert(edits_->end(), run.begin(), run.end());
}

}  // namespace recte
