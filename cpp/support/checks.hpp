// What kernels rely on, checked once before they run: they themselves trust every length, offset and number.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "edits/gold.hpp"
#include "three_way/imeasure.hpp"

namespace recte {

/// Input that no kernel may see. The message says what was expected and what came.
struct BadInput : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// `name: expected …, got …`
[[noreturn]] void refuse(const std::string& name, const std::string& expected, const std::string& got);

void check_between(const char* name, std::int64_t value, std::int64_t low, std::int64_t high);
/// NaN and the infinities are never between.
void check_between(const char* name, double value, double low, double high);
void check_threads(int threads);

/// A choice from 0 to one below `count`.
template <class Choice>
Choice choice_of(const char* name, int value, int count) {
  check_between(name, std::int64_t{value}, 0, count - 1);
  return static_cast<Choice>(value);
}

/// `what` says whose number `wanted` is: "one for each hypothesis".
void check_length(const char* name, std::size_t length, std::size_t wanted, const char* what);
/// How many cells a result has: refused where it could not even be addressed.
std::size_t cells(std::initializer_list<std::size_t> shape);

/// Offsets begin at 0, never fall, and end at `total`, the number of what they divide.
void check_offsets(const char* name, std::span<const std::int64_t> offsets, std::size_t total);
/// Texts with their offsets and no negative token; `limit` is one above the largest token allowed.
Sentences checked(const char* name, Tokens tokens, std::span<const std::int64_t> offsets);
void check_tokens(const char* name, Tokens tokens, std::size_t limit);

/// One source for each hypothesis, among those there are.
void check_source_of(std::span<const std::int64_t> source_of, std::size_t hypotheses, std::size_t sources);
/// Offsets of what each source has, over `total` things; the most that any source has.
std::size_t check_by_source(const char* name, std::span<const std::int64_t> offsets, const Sentences& sources,
                            std::size_t total);

/// A gold table whose parts fit together.
void check_gold(const GoldTable& gold);
/// Gold of just these sources, every edit within its sentence, and all annotators among the columns.
void check_gold_of(const GoldTable& gold, const Sentences& sources, std::size_t annotators);
/// Empty, or letters for every token of these texts.
void check_folded(const FoldedText& folded, const Sentences& sources, const Sentences& hypotheses);
/// Errors of just these sources, each with an option at least, every edit within its sentence, and a place
/// for the option chosen for each error of each hypothesis.
void check_errors(const ErrorTable& errors, const Sentences& sources, std::span<const std::int64_t> source_of,
                  std::span<const std::int64_t> chosen_offsets);
void check_options(const IMeasureOptions& options);

/// Counts by the `width`: all 0 or more and finite, or the first negative or NaN where there are none; the
/// largest.
template <class Number>
double check_counts(const char* name, std::span<const Number> counts, std::size_t width);
/// No sum of weighted counts, the largest of which is given, is beyond the whole numbers that a double holds.
void check_sums(double largest);
/// Rows of one weight for each sentence, none negative. No sum of weighted counts up to `largest` is beyond
/// the whole numbers that a double holds exactly.
void check_weights(std::span<const std::int32_t> weights, std::size_t columns, std::size_t sentences,
                   double largest);

}  // namespace recte
