"use strict";
// The sentence explorer. Everything from files goes in as text (textContent), never as markup.
(() => {
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const VERDICTS = ["correct", "spurious", "missed"], MARKS = ["✓", "✗", "○"], PAGE = 200;
  const NGRAM_MARKS = { gained: "✓", kept: "✗", invented: "✗✗" };
  const at = (id) => document.getElementById(id);
  const controls = {};
  for (const id of ["search", "system", "verdict", "type", "other", "metric", "order", "systems-disagree", "metrics-disagree"])
    controls[id] = at(id);

  /** An element with a class, text or children, and attributes. */
  function make(tag, className, content, attributes) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (Array.isArray(content)) element.append(...content);
    else if (content !== undefined && content !== null) element.textContent = content;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    return element;
  }

  const words = (text) => (text ? text.split(" ") : []);
  const joined = (tokens) => tokens.join(data.joiner);
  const output = (system, i) => data.outputs[system][i] === null ? data.sentences[i].source : data.outputs[system][i];
  const firstOf = (correction) => (Array.isArray(correction) ? correction[0] : correction);
  const rightToLeft = (text) => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
  const percent = (value) => (100 * value).toFixed(1);

  function fill(select, options) {
    select.replaceChildren(...options.map(([value, text]) => make("option", "", text, { value })));
  }

  fill(controls.system, [["", "any"], ...data.systems.map((name, s) => [s, name])]);
  fill(controls.other, [["", "–"], ...data.systems.map((name, s) => [s, name])]);
  fill(controls.metric, data.metrics.map((metric, m) => [m, metric.title]));
  fill(controls.type, [["", "any"], ...data.types.map((type, t) => [t, type]).filter(([, type]) => type)]);

  const searchable = data.sentences.map((sentence, i) =>
    [sentence.source, ...data.systems.map((_, s) => data.outputs[s][i] || "")].join("\n").toLowerCase());

  function chosen(id) {
    return controls[id].value === "" ? null : Number(controls[id].value);
  }

  function difference(metric, a, b, i) {
    const sign = data.metrics[metric].higher_is_better ? 1 : -1;
    return sign * (data.scores[metric][a][i] - data.scores[metric][b][i]);
  }

  function disagreeingMetrics(i, a, b) {
    const signs = new Set(data.metrics.map((_, m) => Math.sign(difference(m, a, b, i))));
    return signs.has(1) && signs.has(-1);
  }

  function keep(i) {
    const text = controls.search.value.trim().toLowerCase();
    if (text && !searchable[i].includes(text) && !searchable[i].replaceAll(" ", data.joiner).includes(text)) return false;
    const system = chosen("system"), other = chosen("other"), verdict = chosen("verdict"), type = chosen("type");
    const systems = system === null ? data.systems.map((_, s) => s) : [system];
    if (verdict !== null || type !== null) {
      const fits = (edit) => (verdict === null || edit[0] === verdict) && (type === null || edit[4] === type);
      if (!systems.some((s) => data.judged[s][i][1].some(fits))) return false;
    }
    const pair = other === null || system === null ? null : [system, other];
    if (controls["systems-disagree"].checked) {
      const compared = pair || data.systems.map((_, s) => s);
      if (new Set(compared.map((s) => data.outputs[s] && data.outputs[s][i])).size < 2) return false;
    }
    if (controls["metrics-disagree"].checked) {
      if (pair) return pair[0] !== pair[1] && disagreeingMetrics(i, ...pair);
      return systems.some((a) => data.systems.some((_, b) => disagreeingMetrics(i, a, b)));
    }
    return true;
  }

  function value(i) {
    const metric = chosen("metric") || 0, system = chosen("system"), other = chosen("other");
    if (controls.order.value === "difference" && other !== null && system !== null) return difference(metric, system, other, i);
    const scores = data.scores[metric];
    if (controls.order.value === "difference") {
      const all = data.systems.map((_, s) => scores[s][i]);
      return Math.max(...all) - Math.min(...all);
    }
    if (system !== null) return scores[system][i];
    return data.systems.reduce((sum, _, s) => sum + scores[s][i], 0) / data.systems.length;
  }

  let found = [], first = 0, last = PAGE, current = -1, sorted = "file";

  /** Two systems are compared openly: where only the second was chosen, another becomes the first. */
  function settle() {
    const system = chosen("system"), other = chosen("other");
    if (other !== null && (system === null || system === other) && data.systems.length > 1)
      controls.system.value = other === 0 ? 1 : 0;
    controls.type.disabled = chosen("verdict") === 1; // spurious edits have no type
    if (controls.type.disabled) controls.type.value = "";
  }

  function update() {
    settle();
    found = data.sentences.map((_, i) => i).filter(keep);
    const order = controls.order.value;
    if (order !== "file") {
      const size = order === "difference" ? (i) => Math.abs(value(i)) : value;
      const values = new Map(found.map((i) => [i, size(i)]));
      const sign = order === "lowest" ? 1 : -1;
      found.sort((a, b) => sign * (values.get(a) - values.get(b)) || a - b);
    }
    [first, last] = [0, PAGE];
    at("found").textContent = `${found.length.toLocaleString("en")} of ${data.sentences.length.toLocaleString("en")} sentence${data.sentences.length === 1 ? "" : "s"}`;
    renderList();
    if (found.length && (!found.includes(current) || order !== sorted)) show(found[0]);
    else if (found.length) show(current);
    sorted = order;
    if (!found.length) at("sentence").replaceChildren(make("p", "note", "No sentence fits. Reset, or search for something else."));
  }

  /** The list around a place, where it is not in sight yet. */
  function reach(place) {
    if (place >= first && place < last) return;
    first = Math.max(0, place - 20);
    last = first + PAGE;
    renderList();
  }

  function renderList() {
    at("list").replaceChildren(...found.slice(first, last).map((i) => {
      const entry = [
        make("span", "number", i + 1),
        make("span", "text", joined(words(data.sentences[i].source)) || "(empty)", { dir: "auto" }),
        make("span", "value", controls.order.value === "file" ? "" : percent(value(i))),
      ];
      const link = make("a", "", entry, { href: `#sentence-${i + 1}` });
      if (i === current) link.setAttribute("aria-current", "true");
      return make("li", "", [link]);
    }));
    at("more").hidden = last >= found.length;
    at("earlier").hidden = first === 0;
  }

  /** Tokens with edits [class, start, end, correction, type] in place; where edits overlap, the later shows what it adds. */
  function inline(tokens, edits) {
    const parts = [];
    let place = 0;
    const text = (end) => {
      if (end > place) parts.push(document.createTextNode(joined(tokens.slice(place, end)) + data.joiner));
      place = Math.max(place, end);
    };
    const ordered = edits.slice().sort((a, b) => a[1] - b[1] || a[2] - b[2]);
    for (const [name, start, end, correction, type] of ordered) {
      text(start);
      const original = start >= place ? joined(tokens.slice(start, end)) : "";
      const inside = [];
      if (original) inside.push(name === "missed" ? make("span", "kept", original) : make("del", "", original));
      const replacement = [].concat(correction).map((one) => joined(words(one)) || "∅").join(" | ").replace(/^∅$/, "");
      if (replacement || name === "missed" || !original) inside.push(make("ins", "", replacement || "∅"));
      const verdict = VERDICTS.indexOf(name);
      if (verdict >= 0) inside.push(make("span", "mark", MARKS[verdict], { "aria-hidden": "true" }));
      if (type) inside.push(make("span", "type", type));
      const said = `${name === "gold" ? "edit" : name}${type ? `, ${type}` : ""}`;
      inside.unshift(make("span", "unseen", `${said}: `));
      parts.push(make("span", `edit ${name}`, inside, { title: said }), document.createTextNode(data.joiner || ""));
      place = Math.max(place, end);
    }
    text(tokens.length);
    return make("div", "text", parts, { dir: "auto" });
  }

  function corrected(tokens, edits) {
    const result = tokens.slice();
    for (const [start, end, correction] of edits.slice().sort((a, b) => b[0] - a[0] || b[1] - a[1]))
      result.splice(start, end - start, ...words(firstOf(correction)));
    return result;
  }

  /** The output in plain words, where the edits shown do not make it up (a metric may leave some out). */
  function plainOutput(i, system, edits) {
    const made = corrected(words(data.sentences[i].source), edits.filter((e) => e[0] !== 2).map((e) => e.slice(1)));
    const whole = output(system, i);
    return made.join(" ") === whole ? [] : [make("div", "text plain", joined(words(whole)) || "(empty)", { dir: "auto" })];
  }

  function row(name, note, content, className) {
    const who = make("div", "who", [make("b", "", [make("bdi", "", name)]), make("span", "", note)]);
    return make("div", `row ${className || ""}`, [who, ...content]);
  }

  function columnClass(s, h, r) {
    if (s === h) return s === r ? "TN" : "FN";
    if (h === r) return "TP";
    return s === r ? "FP" : "FPN";
  }

  function grid(i, system) {
    const [reference, codes] = data.aligned[system][i];
    const texts = [words(data.sentences[i].source), words(output(system, i)), words(reference)];
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
    const dir = rightToLeft(data.sentences[i].source) ? "rtl" : "ltr";
    return make("div", "scroll", [make("table", "grid", [make("tbody", "", rows)], { dir })], { tabindex: "0" });
  }

  function ngramsOf(tokens, n) {
    const counts = new Map();
    for (let k = 0; k + n <= tokens.length; k++) {
      const gram = tokens.slice(k, k + n).join(" ");
      counts.set(gram, (counts.get(gram) || 0) + 1);
    }
    return counts;
  }

  /** What metrics over n-grams saw beside each distinct reference: n-grams gained, kept though the reference lacks them, made up. */
  function ngrams(i, system) {
    const source = words(data.sentences[i].source), hypothesis = words(output(system, i)), references = new Map();
    for (const [annotator, edits] of data.sentences[i].gold) {
      const text = corrected(source, edits).join(" ");
      references.set(text, [...(references.get(text) || []), data.annotators[annotator]]);
    }
    const parts = [...references].map(([text, annotators]) => {
      const reference = words(text), orders = [];
      for (let n = 1; n <= data.orders; n++) {
        const [h, s, r] = [hypothesis, source, reference].map((tokens) => ngramsOf(tokens, n));
        const chips = [];
        for (const gram of h.keys()) {
          const kind = r.has(gram) ? (s.has(gram) ? "" : "gained") : s.has(gram) ? "kept" : "invented";
          if (kind) chips.push(make("span", `ngram ${kind}`, `${NGRAM_MARKS[kind]} ${joined(gram.split(" "))}`, { dir: "auto" }));
        }
        const more = chips.length > 30 ? [make("span", "note", `… and ${chips.length - 30} more`)] : [];
        if (chips.length) orders.push(make("div", "order", [make("span", "note", `${n}-grams`), ...chips.slice(0, 30), ...more]));
      }
      const name = `against annotator ${annotators.join(" and ")}`;
      return make("div", "", [make("div", "note", orders.length ? name : `${name}: nothing gained, kept wrongly or made up`), ...orders]);
    });
    parts.push(make("div", "note", "✓ gained: in the reference, not in the source · ✗ kept from the source, not in the reference · ✗✗ in neither"));
    return make("div", "ngrams", parts);
  }

  /** What the score of each metric loses without an edit. */
  function worth(i, system) {
    const signed = (value) => (value === null ? "–" : `${value > 0 ? "+" : ""}${percent(value)}`);
    const shown = (text) => joined(words(text)) || "∅";
    const head = make("tr", "", ["edit", ...data.metrics.map((metric) => metric.title)].map((name) => make("th", "", name, { scope: "col" })));
    const rows = data.worth[system][i].map(([original, correction, ...values]) => make("tr", "", [
      make("th", "", `${shown(original)} → ${shown(correction)}`, { scope: "row", dir: "auto" }),
      ...values.map((value) => make("td", value > 0 ? "gain" : value < 0 ? "loss" : "", signed(value))),
    ]));
    const table = make("table", "figures worth", [make("thead", "", [head]), make("tbody", "", rows)]);
    return make("div", "scroll", [table, make("p", "note", "The sentence's score less what it would be without this edit.")], { tabindex: "0" });
  }

  /** A details element whose content is made when it is opened. */
  function lazily(summary, content) {
    const element = make("details", "", [make("summary", "", summary)]);
    element.addEventListener("toggle", () => {
      if (element.open && element.childElementCount === 1) element.append(content());
    });
    return element;
  }

  function systemRows(i) {
    const tokens = words(data.sentences[i].source), groups = new Map();
    data.systems.forEach((_, s) => {
      const key = JSON.stringify([data.outputs[s][i], data.judged[s][i], data.metrics.map((_, m) => data.scores[m][s][i])]);
      groups.set(key, [...(groups.get(key) || []), s]);
    });
    const focus = chosen("system"), other = chosen("other");
    const wanted = (systems) => systems.includes(focus) || systems.includes(other);
    const ordered = [...groups.values()].sort((a, b) => wanted(b) - wanted(a));
    return ordered.map((systems) => {
      const s = systems[0], [annotator, edits] = data.judged[s][i];
      const scores = data.metrics.map((metric, m) => `${metric.title} ${percent(data.scores[m][s][i])}`).join(" · ");
      const judged = edits.map(([verdict, start, end, correction, type]) => [VERDICTS[verdict], start, end, correction, data.types[type]]);
      const counts = [0, 1, 2].map((v) => `${MARKS[v]} ${edits.filter((edit) => edit[0] === v).length}`).join("  ");
      const content = [...plainOutput(i, s, edits), inline(tokens, judged)];
      content.push(make("div", "note", `${counts}  against annotator ${data.annotators[annotator]}`));
      if (data.aligned.length) content.push(lazily("I-measure: three-way alignment", () => grid(i, s)));
      if (data.orders) content.push(lazily(`${data.ngram_metrics.join(", ")}: n-grams gained, kept wrongly, made up`, () => ngrams(i, s)));
      if (data.worth.length && data.worth[s][i].length) content.push(lazily("What each edit is worth", () => worth(i, s)));
      const names = systems.map((system) => data.systems[system]).join(", ");
      const same = data.outputs[s][i] === null ? "unchanged · " : "";
      return row(names, same + scores, content, wanted(systems) ? "focus" : "");
    });
  }

  function show(i, { scroll = false } = {}) {
    current = i;
    const sentence = data.sentences[i], tokens = words(sentence.source);
    const labels = Object.entries(sentence.labels).map(([key, label]) => `${key}: ${label}`).join(" · ");
    const heading = make("h3", "", [
      make("a", "", `Sentence ${i + 1}`, { href: `#sentence-${i + 1}`, title: "link to this sentence" }),
      make("small", "", labels),
    ]);
    const gold = sentence.gold.map(([annotator, edits]) => row(
      `annotator ${data.annotators[annotator]}`,
      edits.length ? `${edits.length} edit${edits.length === 1 ? "" : "s"}` : "found nothing to correct",
      [inline(tokens, edits.map(([start, end, correction, type]) => ["gold", start, end, correction, data.types[type]]))]));
    at("sentence").replaceChildren(
      heading, row("source", "", [make("div", "text", joined(tokens) || "(empty)", { dir: "auto" })]),
      ...gold, make("h3", "", "Systems"), ...systemRows(i));
    for (const link of at("list").querySelectorAll("a")) {
      if (link.hash === `#sentence-${i + 1}`) {
        link.setAttribute("aria-current", "true");
        if (scroll) link.scrollIntoView({ block: "nearest" });
      } else link.removeAttribute("aria-current");
    }
  }

  function open(i) {
    history.replaceState(null, "", `#sentence-${i + 1}`);
    show(i, { scroll: true });
  }

  function follow() {
    const match = /^#sentence-(\d+)$/.exec(location.hash);
    if (!match) return false;
    const i = Number(match[1]) - 1;
    if (!(i in data.sentences)) {
      at("found").textContent = `There is no sentence ${match[1]}: there are ${data.sentences.length.toLocaleString("en")}.`;
      return false;
    }
    if (!found.includes(i)) { at("filters").reset(); update(); }
    reach(found.indexOf(i));
    show(i, { scroll: true });
    return true;
  }

  function move(step) {
    const place = found.indexOf(current) + step;
    if (!(place in found)) return;
    reach(place);
    open(found[place]);
    if (at("sentence").getBoundingClientRect().top < 0) at("sentence").scrollIntoView();
  }

  let waiting = 0;
  for (const event of ["input", "change"])
    at("filters").addEventListener(event, () => { clearTimeout(waiting); waiting = setTimeout(update, 60); });
  at("filters").addEventListener("reset", () => setTimeout(() => { update(); show(current); }));
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("more").addEventListener("click", () => { last += PAGE; renderList(); });
  at("earlier").addEventListener("click", () => { first = Math.max(0, first - PAGE); renderList(); });
  at("list").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link) { event.preventDefault(); open(Number(link.hash.slice(10)) - 1); }
  });
  addEventListener("hashchange", () => { if (follow()) at("sentences").scrollIntoView(); });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input:not([type=checkbox])")) return;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") { event.preventDefault(); controls.search.focus(); }
  });

  at("sentence").classList.toggle("unspaced", data.joiner === "");
  update();
  if (follow()) requestAnimationFrame(() => at("sentences").scrollIntoView());
})();
