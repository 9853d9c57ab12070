// Which sentences are shown: filters, order, the list, keys, and the address that leads back to a view.

const PAGE = 200;
const CONTROLS = ["search", "system", "verdict", "type", "other", "winner", "metric", "order", "systems-disagree", "metrics-disagree"];
const controls = {};
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

function keep(i, text, both) {
  if (text && !searchTexts()[i].includes(text)) return false;
  const system = chosen("system"), verdict = chosen("verdict"), type = chosen("type"), all = data.systems.map((_, s) => s);
  const systems = system === null ? all : [system];
  if (verdict !== null || type !== null) {
    const fits = (edit) => (verdict === null || edit[0] === verdict) && (type === null || edit[4] === type);
    if (!systems.some((s) => data.sentences[i].judged[s][1].some(fits))) return false;
  }
  const winner = controls.winner.value;
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
  const text = controls.search.value.trim().toLowerCase(), both = pair(), order = controls.order.value;
  found = data.sentences.map((_, i) => i).filter((i) => keep(i, text, both));
  if (order !== "file") {
    const size = order === "difference" ? (i) => Math.abs(value(i)) : value;
    const values = new Map(found.map((i) => [i, size(i)]));
    const sign = order === "lowest" ? 1 : -1;
    found.sort((a, b) => sign * (values.get(a) - values.get(b)) || a - b);
  }
  [first, last] = [0, PAGE];
  at("found").textContent = `${whole(found.length)} of ${whole(data.sentences.length)} sentence${data.sentences.length === 1 ? "" : "s"}`;
  showPair(both, chosen("metric") || 0);
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

function startExplorer() {
  for (const id of CONTROLS) controls[id] = at(id);
  fill(controls.system, [["", "any"], ...data.systems.map((name, s) => [s, name])]);
  fill(controls.other, [["", "–"], ...data.systems.map((name, s) => [s, name])]);
  fill(controls.metric, data.metrics.map((metric, m) => [m, metric.title]));
  fill(controls.type, [["", "any"], ...data.types.map((type, t) => [t, type]).filter(([, type]) => type)]);
  let waiting = 0;
  const view = (id) => { update(id); history.replaceState(null, "", addressOf(found.length ? current : null)); };
  const changed = (id) => { clearTimeout(waiting); waiting = setTimeout(() => view(id), 60); };
  for (const event of ["input", "change"]) at("filters").addEventListener(event, (one) => changed(one.target.id));
  at("filters").addEventListener("reset", () => setTimeout(() => view("")));
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
  update("");
  if (follow()) requestAnimationFrame(() => at("sentences").scrollIntoView());
}
