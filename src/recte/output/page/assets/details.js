// What is opened below an output: the three-way alignment, n-grams, what each edit is worth.

const NGRAM_MARKS = { gained: "✓", kept: "✗", invented: "✗✗" };
const MOST_NGRAMS = 30;

/** A details element whose content is made when it is opened. */
function lazily(summary, content) {
  const element = make("details", "", [make("summary", "", summary)]);
  element.addEventListener("toggle", () => {
    if (element.open && element.childElementCount === 1) element.append(content());
  });
  return element;
}

function columnClass(s, h, r) {
  if (s === h) return s === r ? "TN" : "FN";
  if (h === r) return "TP";
  return s === r ? "FP" : "FPN";
}

function alignmentGrid(i, system) {
  const { references, systems } = data.sentences[i].aligned, [reference, codes] = systems[system];
  const texts = [tokensOf(sourceOf(i)), tokensOf(outputOf(system, i)), words(references[reference])];
  const next = [0, 0, 0], lines = [[], [], []], classes = [];
  for (const code of codes) {
    const column = [4, 2, 1].map((bit, t) => (Number(code) & bit ? texts[t][next[t]++] : null));
    column.forEach((token, t) => lines[t].push(token));
    classes.push(columnClass(...column));
  }
  if (!classes.length) return make("p", "note", "No alignment: the texts are too long.");
  const cell = (token, c) => make("td", `${classes[c]}${token === null ? " gap" : ""}`, token === null ? "–" : token, { dir: "auto" });
  const rows = ["source", "output", "reference"].map((name, t) =>
    make("tr", "", [make("th", "", name, { scope: "row" }), ...lines[t].map(cell)]));
  rows.push(make("tr", "class", [make("th", "", "counts as", { scope: "row" }), ...classes.map((name) => make("td", name, name))]));
  const dir = rightToLeft(textOf(sourceOf(i))) ? "rtl" : "ltr";
  return make("div", "scroll", [make("table", "grid", [make("tbody", "", rows)], { dir })], { tabindex: "0" });
}

function ngramsOf(tokens, n) {
  const counts = new Set();
  for (let k = 0; k + n <= tokens.length; k++) counts.add(tokens.slice(k, k + n).join(" "));
  return counts;
}

/** What metrics over n-grams saw beside each distinct reference: n-grams gained, kept though the reference lacks them, made up. */
function ngrams(i, system) {
  const source = tokensOf(sourceOf(i)), hypothesis = tokensOf(outputOf(system, i)), references = new Map();
  for (const [annotator, edits] of data.sentences[i].gold) {
    const text = reference(i, edits).join(" ");
    references.set(text, [...(references.get(text) || []), data.annotators[annotator]]);
  }
  const parts = [...references].map(([text, annotators]) => {
    const orders = [];
    for (let n = 1; n <= data.orders; n++) {
      const [h, s, r] = [hypothesis, source, words(text)].map((tokens) => ngramsOf(tokens, n));
      const chips = [];
      for (const gram of h) {
        const kind = r.has(gram) ? (s.has(gram) ? "" : "gained") : s.has(gram) ? "kept" : "invented";
        if (kind) chips.push(make("span", `ngram ${kind}`, `${NGRAM_MARKS[kind]} ${joined(gram.split(" "))}`, { dir: "auto" }));
      }
      const more = chips.length > MOST_NGRAMS ? [make("span", "note", `… and ${chips.length - MOST_NGRAMS} more`)] : [];
      if (chips.length) orders.push(make("div", "order", [make("span", "note", `${n}-grams`), ...chips.slice(0, MOST_NGRAMS), ...more]));
    }
    const name = `against annotator ${annotators.join(" and ")}`;
    return make("div", "", [make("div", "note", orders.length ? name : `${name}: nothing gained, kept wrongly or made up`), ...orders]);
  });
  parts.push(make("div", "note", "✓ gained: in the reference, not in the source · ✗ kept from the source, not in the reference · ✗✗ in neither"));
  return make("div", "ngrams", parts);
}

/** What the score of each metric loses without an edit. */
function worth(i, system) {
  const shown = (text) => joined(words(text)) || "∅";
  const head = make("tr", "", ["edit", ...data.metrics.map((metric) => metric.title)].map((name) => make("th", "", name, { scope: "col" })));
  const rows = data.sentences[i].worth[system].map(([original, correction, ...values]) => make("tr", "", [
    make("th", "", `${shown(original)} → ${shown(correction)}`, { scope: "row", dir: "auto" }),
    ...values.map((value, m) => make("td", value > 0 ? "gain" : value < 0 ? "loss" : "", value === null ? "–" : signed(value, m))),
  ]));
  const table = make("table", "figures worth", [make("thead", "", [head]), make("tbody", "", rows)]);
  return make("div", "scroll", [table, make("p", "note", "The sentence's score less what it would be without this edit.")], { tabindex: "0" });
}

/** All that can be opened below a system's output. */
function furtherDetails(i, system) {
  const found = [];
  if (data.sentences[i].aligned) found.push(lazily("I-measure: three-way alignment", () => alignmentGrid(i, system)));
  if (data.orders) found.push(lazily(`${data.ngram_metrics.join(", ")}: n-grams gained, kept wrongly, made up`, () => ngrams(i, system)));
  if (data.sentences[i].worth?.[system].length) found.push(lazily("What each edit is worth", () => worth(i, system)));
  return found;
}
