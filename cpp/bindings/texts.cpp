#include "bindings/binding.hpp"
#include "ngrams/ngrams.hpp"
#include "readers/interning.hpp"
#include "support/held.hpp"
#include "text/word_matching.hpp"

namespace recte::binding {
namespace {

constexpr std::int64_t most_orders = 100;

auto gleu(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
          const In<std::int64_t>& reference_offsets, const Text& references, int orders, int formula,
          std::size_t columns, int threads) {
  check_threads(threads);
  check_between("orders", std::int64_t{orders}, 1, most_orders);
  const auto wanted = choice_of<GleuFormula>("formula", formula, 2);
  const Sentences from = sentences_of("sources", sources), to = sentences_of("hypotheses", hypotheses),
                  gold = sentences_of("references", references);
  check_source_of(view(source_of), to.size(), from.size());
  const std::size_t most = check_by_source("reference_offsets", view(reference_offsets), from, gold.size());
  check_length("columns", columns, most, "the most references that a sentence has");
  const std::size_t size = to.size(), of_row = 2 * static_cast<std::size_t>(orders) + 2;
  std::vector<std::int32_t> rows(cells({size, columns, of_row}));
  without_gil([&] {
    count_gleu(from, to, view(source_of), view(reference_offsets), gold, orders, wanted, columns, threads,
               rows);
  });
  return array_of(std::move(rows), {size, columns, of_row});
}

auto green(const Text& sources, const Text& hypotheses, const In<std::int64_t>& source_of,
           const In<std::int64_t>& reference_offsets, const Text& references, int orders, std::size_t columns,
           int threads) {
  check_threads(threads);
  check_between("orders", std::int64_t{orders}, 1, most_orders);
  const Sentences from = sentences_of("sources", sources), to = sentences_of("hypotheses", hypotheses),
                  gold = sentences_of("references", references);
  check_source_of(view(source_of), to.size(), from.size());
  const std::size_t most = check_by_source("reference_offsets", view(reference_offsets), from, gold.size());
  check_length("columns", columns, most, "the most references that a sentence has");
  const std::size_t size = to.size(), depth = static_cast<std::size_t>(orders), of_order = green_cells;
  std::vector<std::int32_t> rows(cells({size, columns, depth, of_order}));
  without_gil([&] {
    count_green(from, to, view(source_of), view(reference_offsets), gold, orders, columns, threads, rows);
  });
  return array_of(std::move(rows), {size, columns, depth, of_order});
}

auto bleu(const Text& hypotheses, const In<std::int64_t>& source_of,
          const In<std::int64_t>& reference_offsets, const Text& references, int orders, int threads) {
  check_threads(threads);
  check_between("orders", std::int64_t{orders}, 1, most_orders);
  const Sentences to = sentences_of("hypotheses", hypotheses), gold = sentences_of("references", references);
  check_offsets("reference_offsets", view(reference_offsets), gold.size());
  check_source_of(view(source_of), to.size(), reference_offsets.size() - 1);
  const std::size_t size = to.size(), of_row = 2 * static_cast<std::size_t>(orders) + 2;
  std::vector<std::int32_t> rows(cells({size, of_row}));
  without_gil([&] { count_bleu(to, view(source_of), view(reference_offsets), gold, orders, threads, rows); });
  return array_of(std::move(rows), {size, of_row});
}

auto overlap(const Text& a, const Text& b, int threads) {
  check_threads(threads);
  const Sentences left = sentences_of("a", a), right = sentences_of("b", b);
  check_length("b", right.size(), left.size(), "one for each text of a");
  const std::size_t size = left.size();
  std::vector<std::int32_t> rows(cells({size, 2}));
  without_gil([&] { count_overlap(left, right, threads, rows); });
  return array_of(std::move(rows), {size, std::size_t{2}});
}

auto matched_words(const Text& a, const Text& b, const Text& letters, int position, std::int64_t max_work,
                   int threads) {
  check_threads(threads);
  check_between("max_work", max_work, 1, std::int64_t{1} << 60);
  const auto wanted = choice_of<Position>("position", position, 3);
  const Sentences left = sentences_of("a", a), right = sentences_of("b", b),
                  spelt = sentences_of("letters", letters);
  check_length("b", right.size(), left.size(), "one for each sentence of a");
  check_tokens("a", left.tokens, spelt.size());
  check_tokens("b", right.tokens, spelt.size());
  const std::size_t size = left.tokens.size(), pairs = left.size();
  std::vector<std::int32_t> partners(size);
  std::vector<std::uint8_t> status(pairs);
  without_gil([&] { match_words(left, right, spelt, wanted, max_work, threads, partners, status); });
  return std::pair(array_of(std::move(partners), {size}), array_of(std::move(status), {pairs}));
}

/// Words of each text joined by single spaces, all texts in one buffer.
auto joined_words(const Held<Interner>& held, const Text& texts) {
  const Sentences sentences = sentences_of("texts", texts);
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> offsets{0};
  held.look([&](const Interner& vocabulary) {
    check_tokens("texts", sentences.tokens, vocabulary.size());
    without_gil([&] {
      for (std::size_t index = 0; index < sentences.size(); ++index) {
        poll();
        bool first = true;
        for (const Token id : sentences[index]) {
          if (!first) bytes.push_back(' ');
          first = false;
          const std::string_view word = vocabulary.text(id);
          bytes.insert(bytes.end(), word.begin(), word.end());
        }
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
      }
    });
  });
  const std::size_t size = bytes.size(), ends = offsets.size();
  return std::pair(array_of(std::move(bytes), {size}), array_of(std::move(offsets), {ends}));
}

}  // namespace

void bind_texts(nb::module_& m) {
  m.def("count_gleu", &gleu, array("sources"), array("hypotheses"), array("source_of"),
        array("reference_offsets"), array("references"), "orders"_a, "formula"_a, "columns"_a, "threads"_a);
  m.def("count_green", &green, array("sources"), array("hypotheses"), array("source_of"),
        array("reference_offsets"), array("references"), "orders"_a, "columns"_a, "threads"_a);
  m.def("count_bleu", &bleu, array("hypotheses"), array("source_of"), array("reference_offsets"),
        array("references"), "orders"_a, "threads"_a);
  m.def("count_overlap", &overlap, array("a"), array("b"), "threads"_a);
  m.def("match_words", &matched_words, array("a"), array("b"), array("letters"), "position"_a, "max_work"_a,
        "threads"_a);
  m.def("joined_words", &joined_words, "vocabulary"_a, array("texts"));
}

}  // namespace recte::binding
