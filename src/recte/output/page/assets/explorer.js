// Which sentences are shown: filters, order, the list, keys, and the address that leads back to a view.

const PAGE = 200;
const CONTROLS = ["search", "system", "verdict", "type", "other", "winner", "metric", "order", "systems-disagree", "metrics-disagree"];
const controls = {}, labelControls = [];
let found = [], first = 0, last = PAGE, current = -1, sorted = "file", searchable = null;

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => make("option", "", text, { value })));
}

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

/** The two systems that are compared, if any. */
function pair() {
  const system = chosen("system"), other = chosen("other");
  return system === null || other === null || system === other ? null : [system, other];
}

/** Source, outputs and remarks of each sentence in small letters, made at the first search. */
function searchTexts() {
  searchable = searchable || data.sentences.map((sentence, i) =>
    [textOf(sentence.source), ...data.systems.flatMap((_, s) => [textOf(sentence.outputs[s]) ?? "", ...remarksOn(i, s)])].join("\n").toLowerCase());
  return searchable;
}

/** Whether a sentence has all that is searched: words, "a phrase", its number (17, 20-30), or /a regular expression/. */
function searcher(query) {
  const expression = /^\/(.+)\/$/.exec(query);
  if (expression) {
    const pattern = new RegExp(expression[1], "iu");
    return (i) => pattern.test(searchTexts()[i]);
  }
  const terms = (query.toLowerCase().match(/"[^"]+"|\S+/g) || []).map((term) => {
    const text = term.replace(/^"(.+)"$/, "$1"), numbers = /^#?(\d+)(?:[-–](\d+))?$/.exec(term);
    const from = numbers && Number(numbers[1]), to = numbers && Number(numbers[2] ?? numbers[1]);
    return (i) => (numbers && i + 1 >= from && i + 1 <= to) || searchTexts()[i].includes(text);
  });
  return (i) => terms.every((fits) => fits(i));
}

const hasLabels = (i) => labelControls.every(([name, control]) => !control.value || (data.sentences[i].labels[name] ?? "") === control.value);

/** Whether a sentence is shown; `winner` is that of two systems, "" for any. */
function keep(i, fits, both, winner) {
  if (!fits(i) || !hasLabels(i)) return false;
  const system = chosen("system"), verdict = chosen("verdict"), type = chosen("type"), all = data.systems.map((_, s) => s);
  const systems = system === null ? all : [system];
  if (verdict !== null || type !== null) {
    const fits = (edit) => (verdict === null || edit[0] === verdict) && (type === null || edit[4] === type);
    if (!systems.some((s) => judgedBy(i, s)[1].some(fits))) return false;
  }
  if (both && winner && Math.sign(difference(chosen("metric") || 0, ...both, i)) !== Number(winner)) return false;
  if (controls["systems-disagree"].checked) {
    const outputs = (both || all).map((s) => textOf(outputOf(s, i)));
    if (new Set(outputs).size < 2) return false;
  }
  if (controls["metrics-disagree"].checked) {
    if (both) return disagreeingMetrics(i, ...both);
    return systems.some((a) => all.some((b) => disagreeingMetrics(i, a, b)));
  }
  return true;
}

function value(i) {
  const metric = chosen("metric") || 0, system = chosen("system"), both = pair(), scores = data.scores[metric];
  if (controls.order.value === "difference" && both) return difference(metric, ...both, i);
  if (controls.order.value === "difference") {
    const all = data.systems.map((_, s) => scores[s][i]);
    return Math.max(...all) - Math.min(...all);
  }
  if (system !== null) return scores[system][i];
  return data.systems.reduce((sum, _, s) => sum + scores[s][i], 0) / data.systems.length;
}

/** Two systems are compared openly: where only the second was chosen, another becomes the first. */
function settle(changed) {
  const system = chosen("system"), other = chosen("other");
  if (other !== null && (system === null || system === other) && data.systems.length > 1)
    controls.system.value = other === 0 ? 1 : 0;
  if (changed === "other" && other !== null && controls.order.value === "file") controls.order.value = "difference";
  controls.type.disabled = chosen("verdict") === 1; // spurious edits have no type
  if (controls.type.disabled) controls.type.value = "";
  const both = pair();
  controls.winner.disabled = !both;
  if (!both) controls.winner.value = "";
  for (const [option, name] of [[1, "first"], [-1, "second"]])
    controls.winner.querySelector(`[value="${option}"]`).textContent = `${both ? data.systems[both[option > 0 ? 0 : 1]] : name} wins`;
}

function update(changed) {
  settle(changed);
  const both = pair(), order = controls.order.value, all = data.sentences.map((_, i) => i);
  let fits = () => false, mistake = "";
  try { fits = searcher(controls.search.value.trim()); } catch (error) { mistake = `: ${error.message}`; }
  found = all.filter((i) => keep(i, fits, both, controls.winner.value));
  if (order !== "file") {
    const size = order === "difference" ? (i) => Math.abs(value(i)) : value;
    const values = new Map(found.map((i) => [i, size(i)]));
    const sign = order === "lowest" ? 1 : -1;
    found.sort((a, b) => sign * (values.get(a) - values.get(b)) || a - b);
  }
  [first, last] = [0, PAGE];
  at("found").textContent = `${whole(found.length)} of ${whole(data.sentences.length)} sentence${data.sentences.length === 1 ? "" : "s"}${mistake}`;
  at("export").disabled = !found.length;
  showPair(both, chosen("metric") || 0, both ? all.filter((i) => keep(i, fits, both, "")) : []);
  renderList();
  if (found.length) show(!found.includes(current) || order !== sorted ? found[0] : current);
  else at("sentence").replaceChildren(make("p", "note", "No sentence fits. Reset, or search for something else."));
  sorted = order;
}

/** The list around a place, where it is not in sight yet. */
function reach(place) {
  if (place >= first && place < last) return;
  first = Math.max(0, place - 20);
  last = first + PAGE;
  renderList();
}

function renderList() {
  const both = controls.order.value === "difference" && pair();
  const metric = chosen("metric") || 0;
  at("list").replaceChildren(...found.slice(first, last).map((i) => {
    const by = controls.order.value === "file" ? null : value(i);
    const entry = [
      make("span", "number", i + 1),
      make("span", "text", textOf(sourceOf(i)) || "(empty)", { dir: "auto" }),
      make("span", `value ${both && by > 0 ? "gain" : both && by < 0 ? "loss" : ""}`, by === null ? "" : both ? signed(by, metric) : printed(by, metric)),
    ];
    const link = make("a", "", entry, { href: `#sentence-${i + 1}` });
    if (i === current) link.setAttribute("aria-current", "true");
    return make("li", "", [link]);
  }));
  at("more").hidden = last >= found.length;
  at("earlier").hidden = first === 0;
}

function show(i, { scroll = false } = {}) {
  current = i;
  const both = pair();
  at("sentence").replaceChildren(...sentenceParts(i, chosen("system"), both && both[1], addressOf(i)));
  for (const link of at("list").querySelectorAll("a")) {
    if (link.hash === `#sentence-${i + 1}`) {
      link.setAttribute("aria-current", "true");
      if (scroll) link.scrollIntoView({ block: "nearest" });
    } else link.removeAttribute("aria-current");
  }
}

function open(i) {
  show(i, { scroll: true });
  history.replaceState(null, "", addressOf(i));
}

function move(step) {
  const place = found.indexOf(current) + step;
  if (!(place in found)) return;
  reach(place);
  open(found[place]);
  if (at("sentence").getBoundingClientRect().top < 0) at("sentence").scrollIntoView();
}

/** A filter for each label that has two to sixty values. */
function addLabelFilters() {
  const values = new Map();
  for (const { labels } of data.sentences) {
    for (const [name, text] of Object.entries(labels)) if (name !== "id") values.set(name, (values.get(name) || new Set()).add(text));
  }
  for (const [name, texts] of values) {
    if (texts.size < 2 || texts.size > 60) continue;
    const control = make("select", "", null, { id: `label-${name}` });
    fill(control, [["", "any"], ...[...texts].sort().map((text) => [text, text])]);
    at("metric").closest("label").before(make("label", "", [`${name} `, control]));
    controls[control.id] = control;
    labelControls.push([name, control]);
  }
}

/** The sentences found as a CSV file: texts, and every metric's score of the chosen systems, or of all. */
function exportList() {
  const wanted = pair() || (chosen("system") === null ? data.systems.map((_, s) => s) : [chosen("system")]);
  const labels = [...new Set(found.flatMap((i) => Object.keys(data.sentences[i].labels)))];
  const header = ["sentence", ...labels, "source", ...wanted.flatMap((s) => [data.systems[s], ...data.metrics.map((m) => `${data.systems[s]} ${m.name}`)])];
  const rows = found.map((i) => [i + 1, ...labels.map((name) => data.sentences[i].labels[name] ?? ""), textOf(sourceOf(i)),
    ...wanted.flatMap((s) => [textOf(outputOf(s, i)), ...data.metrics.map((_, m) => data.scores[m][s][i])])]);
  const cell = (value) => {
    const text = typeof value === "string" && /^[=+\-@]/.test(value) ? `'${value}` : String(value); // no formula
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csv = [header, ...rows].map((row) => row.map(cell).join(",")).join("\n");
  const link = make("a", "", "", { href: URL.createObjectURL(new Blob([csv + "\n"], { type: "text/csv" })), download: "sentences.csv" });
  link.click();
  URL.revokeObjectURL(link.href);
}

function startExplorer() {
  for (const id of CONTROLS) controls[id] = at(id);
  addLabelFilters();
  fill(controls.system, [["", "any"], ...data.systems.map((name, s) => [s, name])]);
  fill(controls.other, [["", "–"], ...data.systems.map((name, s) => [s, name])]);
  fill(controls.metric, data.metrics.map((metric, m) => [m, metric.title]));
  fill(controls.type, [["", "any"], ...data.types.map((type, t) => [t, type]).filter(([, type]) => type)]);
  let waiting = 0, pending = "";
  const view = (id) => { update(id); history.replaceState(null, "", addressOf(found.length ? current : null)); };
  const changed = (id) => { // two changes at once: that of the second system moves others
    pending = pending === "other" ? pending : id;
    clearTimeout(waiting);
    waiting = setTimeout(() => { const of = pending; pending = ""; view(of); }, 60);
  };
  for (const event of ["input", "change"]) at("filters").addEventListener(event, (one) => changed(one.target.id));
  at("filters").addEventListener("reset", () => setTimeout(() => view("")));
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("export").addEventListener("click", exportList);
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
  update("");
  if (follow()) requestAnimationFrame(() => at("sentences").scrollIntoView());
}
