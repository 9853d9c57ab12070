// One sentence: its source, what annotators made of it, what systems did.

function row(name, note, content, className) {
  const who = make("div", "who", [make("b", "", [make("bdi", "", name)]), make("span", "", note)]);
  return make("div", `row ${className || ""}`.trim(), [who, ...content]);
}

/** The place, among the metrics that judge edits, of the chosen metric, or of the first where it judges none. */
const judge = () => Math.max(0, data.judges.indexOf(chosen("metric") || 0));

/** Which metric judges the edits shown, where there is a choice. */
const judgeName = () => (data.judges.length ? `, by ${data.metrics[data.judges[judge()]].title}` : "");

/** A system's annotator and edits as the chosen metric judges them. */
const judgedBy = (i, s) => data.sentences[i].judged[judge()][s];

/** Systems with the same output, edits and scores of a sentence, together. */
function groupsOf(i, systems) {
  const groups = new Map();
  for (const s of systems) {
    const { outputs, remarks } = data.sentences[i];
    const key = JSON.stringify([outputs[s], judgedBy(i, s), remarks?.[s], data.metrics.map((_, m) => data.scores[m][s][i])]);
    groups.set(key, [...(groups.get(key) || []), s]);
  }
  return [...groups.values()];
}

/** What metrics say of a system's output beside their numbers. */
function remarksOn(i, s) {
  return (data.sentences[i].remarks?.[s] || []).map(([m, text]) => `${data.metrics[m].title}: ${text}`);
}

function systemRow(i, systems, className) {
  const s = systems[0], [annotator, edits] = judgedBy(i, s);
  const scores = data.metrics.map((metric, m) => `${metric.title} ${printed(data.scores[m][s][i], m)}`).join(" · ");
  const counts = [0, 1, 2].map((v) => `${MARKS[v]} ${edits.filter((edit) => edit[0] === v).length}`).join("  ");
  const by = data.annotators[annotator]; // nobody, where there are no references
  const note = make("div", "note", by ? `${counts}  against annotator ${by}${judgeName()}` : "");
  const names = systems.map((system) => data.systems[system]).join(", ");
  const unchanged = tokensOf(outputOf(s, i)).join(" ") === tokensOf(sourceOf(i)).join(" ") ? "unchanged · " : "";
  const remarks = remarksOn(i, s).map((text) => make("div", "note remark", `⚠ ${text}`));
  const element = row(names, unchanged + scores, [...quotedOutput(i, s), ...remarks, note, ...furtherDetails(i, s)], className);
  element.dataset.systems = JSON.stringify(systems);
  return element;
}

/** Two systems side by side, and by how much each metric prefers the one or the other. */
function pairRows(i, first, second) {
  const verdicts = data.metrics.map((metric, m) => {
    const by = difference(m, first, second, i);
    const winner = Math.abs(by) < 5e-5 ? "tie" : `${data.systems[by > 0 ? first : second]} by ${printed(Math.abs(by), m)}`;
    return `${metric.title}: ${winner}`;
  });
  const sides = [first, second].map((s) => systemRow(i, [s], "focus"));
  return [make("p", "note who-wins", verdicts.join(" · ")), make("div", "sides", sides)];
}

function systemRows(i, focus, other) {
  const all = data.systems.map((_, s) => s);
  if (focus !== null && other !== null) {
    const rest = groupsOf(i, all.filter((s) => s !== focus && s !== other));
    const others = rest.length ? [make("h3", "", "Other systems"), ...rest.map((systems) => systemRow(i, systems))] : [];
    return [...pairRows(i, focus, other), ...others];
  }
  const wanted = (systems) => focus !== null && systems.includes(focus);
  return groupsOf(i, all).sort((a, b) => wanted(b) - wanted(a))
    .map((systems) => systemRow(i, systems, wanted(systems) ? "focus" : ""));
}

/** The whole sentence, for its place on the page. */
function sentenceParts(i, focus, other, address) {
  const sentence = data.sentences[i], tokens = tokensOf(sentence.source);
  const labels = Object.entries(sentence.labels).map(([key, label]) => `${key}: ${label}`).join(" · ");
  const heading = make("h3", "", [
    make("a", "", `Sentence ${i + 1}`, { href: address, title: "link to this sentence, as it is shown now" }),
    make("small", "", labels),
  ]);
  const text = textOf(sentence.source);
  const source = row("source", "", [make("div", "text", text || "(empty)", { dir: "auto" })]);
  const gold = sentence.gold.map(([annotator, edits]) => row(
    `annotator ${data.annotators[annotator]}`,
    edits.length ? `${edits.length} edit${edits.length === 1 ? "" : "s"}` : "found nothing to correct",
    edits.length ? quotedGold(i, edits) : []));
  const systems = make("h3", "", focus !== null && other !== null ? "The two systems" : "Systems");
  return [heading, source, ...gold, systems, ...systemRows(i, focus, other)];
}
