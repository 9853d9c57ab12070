#include "support/checks.hpp"

#include <cmath>
#include <limits>
#include <sstream>

namespace recte {
namespace {

constexpr std::int64_t longest_text = std::int64_t{1} << 28;  // tokens; positions are 32-bit numbers
constexpr double most_exact = 0x1p53;                         // whole numbers in a double
constexpr int most_threads = 1024;

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string range(const std::string& low, const std::string& high) {
  return "a number from " + low + " to " + high;
}

void check_edit(std::int64_t start, std::int64_t end, std::size_t tokens) {
  if (start >= 0 && start <= end && end <= static_cast<std::int64_t>(tokens)) return;
  refuse("edit " + std::to_string(start) + " " + std::to_string(end),
         "offsets within its sentence, the start before the end", std::to_string(tokens) + " tokens");
}

}  // namespace

void refuse(const std::string& name, const std::string& expected, const std::string& got) {
  throw BadInput(name + ": expected " + expected + ", got " + got);
}

void check_between(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high)
    refuse(name, range(std::to_string(low), std::to_string(high)), std::to_string(value));
}

void check_between(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high) || std::isinf(value))
    refuse(name, range(text_of(low), text_of(high)), text_of(value));
}

void check_threads(int threads) { check_between("threads", std::int64_t{threads}, 1, most_threads); }

void check_length(const char* name, std::size_t length, std::size_t wanted, const char* what) {
  if (length != wanted) refuse(name, std::to_string(wanted) + ", " + what, std::to_string(length));
}

std::size_t cells(std::initializer_list<std::size_t> shape) {
  constexpr std::size_t most = std::size_t{1} << 40;
  std::size_t product = 1;
  for (const std::size_t size : shape) {
    if (size > 0 && product > most / size) throw std::bad_alloc();
    product *= size;
  }
  return product;
}

void check_offsets(const char* name, std::span<const std::int64_t> offsets, std::size_t total) {
  const std::string expected = "offsets that begin at 0, never fall, and end at " + std::to_string(total);
  if (offsets.empty()) refuse(name, expected, "none");
  if (offsets.front() != 0) refuse(name, expected, "a first of " + std::to_string(offsets.front()));
  if (offsets.back() != static_cast<std::int64_t>(total))
    refuse(name, expected, "a last of " + std::to_string(offsets.back()));
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      refuse(name, expected, std::to_string(offsets[i]) + " behind " + std::to_string(offsets[i - 1]));
}

Sentences checked(const char* name, Tokens tokens, std::span<const std::int64_t> offsets) {
  check_offsets(name, offsets, tokens.size());
  std::int64_t longest = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) longest = std::max(longest, offsets[i] - offsets[i - 1]);
  if (longest > longest_text)
    refuse(name, "texts of up to " + std::to_string(longest_text) + " tokens", std::to_string(longest));
  Token bits = 0;  // the sign of any is the sign of all
  for (const Token token : tokens) bits |= token;
  if (bits < 0) refuse(name, "tokens from 0", "a negative one");
  return {tokens, offsets};
}

void check_tokens(const char* name, Tokens tokens, std::size_t limit) {
  for (const Token token : tokens)
    if (token < 0 || static_cast<std::size_t>(token) >= limit)
      refuse(name, "tokens below " + std::to_string(limit), std::to_string(token));
}

void check_source_of(std::span<const std::int64_t> source_of, std::size_t hypotheses, std::size_t sources) {
  check_length("source_of", source_of.size(), hypotheses, "one for each hypothesis");
  for (const std::int64_t source : source_of)
    if (source < 0 || static_cast<std::size_t>(source) >= sources)
      refuse("source_of", "sentences from 0 to below " + std::to_string(sources), std::to_string(source));
}

std::size_t check_by_source(const char* name, std::span<const std::int64_t> offsets, const Sentences& sources,
                            std::size_t total) {
  check_length(name, offsets.size(), sources.size() + 1, "one more than sources");
  check_offsets(name, offsets, total);
  std::int64_t most = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) most = std::max(most, offsets[i] - offsets[i - 1]);
  return static_cast<std::size_t>(most);
}

void check_gold(const GoldTable& gold) {
  const std::size_t annotations = gold.annotator_columns.size(), edits = gold.starts.size();
  check_offsets("annotation_offsets", gold.annotation_offsets, annotations);
  check_length("edit_offsets", gold.edit_offsets.size(), annotations + 1, "one more than annotations");
  check_offsets("edit_offsets", gold.edit_offsets, edits);
  check_length("ends", gold.ends.size(), edits, "one for each start");
  check_length("optional", gold.optional.size(), edits, "one for each start");
  check_length("correction_offsets", gold.correction_offsets.size(), edits + 1, "one more than edits");
  if (gold.token_offsets.empty()) refuse("token_offsets", "at least one", "none");
  check_offsets("correction_offsets", gold.correction_offsets, gold.token_offsets.size() - 1);
  check_offsets("token_offsets", gold.token_offsets, gold.tokens.size());
  if (edits > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    refuse("starts", "edits that 32-bit numbers can count", std::to_string(edits));
}

void check_gold_of(const GoldTable& gold, const Sentences& sources, std::size_t annotators) {
  check_length("gold", gold.annotation_offsets.size(), sources.size() + 1,
               "offsets of annotations, one more than sources");
  if (annotators > gold.annotator_columns.size())
    refuse("annotators", "at most as many as annotations, " + std::to_string(gold.annotator_columns.size()),
           std::to_string(annotators));
  for (const std::int32_t column : gold.annotator_columns)
    if (column < 0 || static_cast<std::size_t>(column) >= annotators)
      refuse("annotator_columns", "numbers from 0 to below " + std::to_string(annotators),
             std::to_string(column));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const std::size_t tokens = sources[s].size();
    const std::int64_t first = gold.edit_offsets[gold.annotation_offsets[s]],
                       last = gold.edit_offsets[gold.annotation_offsets[s + 1]];
    for (std::int64_t e = first; e < last; ++e) check_edit(gold.starts[e], gold.ends[e], tokens);
  }
}

void check_folded(const FoldedText& folded, const Sentences& sources, const Sentences& hypotheses) {
  if (folded.offsets.empty() && folded.bytes.empty()) return;
  check_offsets("folded", folded.offsets, folded.bytes.size());
  check_tokens("sources", sources.tokens, folded.offsets.size() - 1);
  check_tokens("hypotheses", hypotheses.tokens, folded.offsets.size() - 1);
}

void check_errors(const ErrorTable& table, const Sentences& sources, std::span<const std::int64_t> source_of,
                  std::span<const std::int64_t> chosen_offsets) {
  const std::size_t edits = table.starts.size();
  if (table.option_offsets.empty()) refuse("option_offsets", "at least one", "none");
  if (table.edit_offsets.empty()) refuse("edit_offsets", "at least one", "none");
  const std::size_t errors = table.option_offsets.size() - 1, options = table.edit_offsets.size() - 1;
  check_by_source("error_offsets", table.error_offsets, sources, errors);
  check_offsets("option_offsets", table.option_offsets, options);
  check_offsets("edit_offsets", table.edit_offsets, edits);
  check_length("ends", table.ends.size(), edits, "one for each start");
  check_length("corrections", table.corrections.size(), edits, "one for each start");
  for (std::size_t e = 0; e < errors; ++e)
    if (table.option_offsets[e] == table.option_offsets[e + 1])
      refuse("option_offsets", "an option at least for each error", "none for error " + std::to_string(e));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const std::size_t tokens = sources[s].size();
    const std::int64_t first = table.edit_offsets[table.option_offsets[table.error_offsets[s]]],
                       last = table.edit_offsets[table.option_offsets[table.error_offsets[s + 1]]];
    for (std::int64_t e = first; e < last; ++e) check_edit(table.starts[e], table.ends[e], tokens);
  }
  check_length("chosen_offsets", chosen_offsets.size(), source_of.size() + 1, "one more than hypotheses");
  std::int64_t place = 0;
  for (std::size_t p = 0; p < chosen_offsets.size(); ++p) {
    if (chosen_offsets[p] != place)
      refuse("chosen_offsets", "a place for each error of each hypothesis",
             std::to_string(chosen_offsets[p]) + " for hypothesis " + std::to_string(p));
    if (p < source_of.size())
      place += table.error_offsets[source_of[p] + 1] - table.error_offsets[source_of[p]];
  }
}

void check_options(const IMeasureOptions& options) {
  const auto [match, mismatch, gap] = options.costs;
  if (!(match >= 0 && gap > match && mismatch > gap && mismatch < 2 * gap && mismatch <= 1000))
    refuse("match, mismatch, gap", "2·gap > mismatch > gap > match ≥ 0, up to 1000",
           std::to_string(match) + ", " + std::to_string(mismatch) + ", " + std::to_string(gap));
  check_between("weight", options.improvement.weight, 0, 1e6);
  check_between("beta", options.improvement.beta, 0, 1e6);
  check_between("max_cells", options.max_cells, 1, 1'000'000'000);
  check_between("max_combinations", options.max_combinations, 1, 100'000'000);
  check_between("candidates", static_cast<std::int64_t>(options.candidates), 1, 1024);
}

template <class Number>
double check_counts(const char* name, std::span<const Number> counts, std::size_t width) {
  double largest = 0;
  for (std::size_t first = 0; first + width <= counts.size(); first += width) {
    if (!(counts[first] >= 0)) continue;
    for (const Number cell : counts.subspan(first, width)) {
      if (!(cell >= 0) || std::isinf(static_cast<double>(cell)))
        refuse(name, "counts from 0, or -1 where there are none", text_of(static_cast<double>(cell)));
      largest = std::max(largest, static_cast<double>(cell));
    }
  }
  return largest;
}

template double check_counts(const char*, std::span<const std::int32_t>, std::size_t);
template double check_counts(const char*, std::span<const double>, std::size_t);

void check_sums(double largest) {
  if (2 * largest > most_exact) refuse("weights", "sums of weighted counts below 2^53", text_of(largest));
}

void check_weights(std::span<const std::int32_t> weights, std::size_t columns, std::size_t sentences,
                   double largest) {
  check_length("weights", columns, sentences, "one for each sentence");
  for (std::size_t first = 0; columns > 0 && first < weights.size(); first += columns) {
    std::int64_t total = 0;
    std::int32_t bits = 0;  // the sign of any is the sign of all
    for (const std::int32_t weight : weights.subspan(first, columns)) {
      total += weight;
      bits |= weight;
    }
    if (bits < 0) refuse("weights", "numbers from 0", "a negative one");
    check_sums(largest * static_cast<double>(total));
  }
}

}  // namespace recte
