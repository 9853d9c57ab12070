// Two systems against each other: who wins how many sentences, and by how much, by each metric.

/** The table above the list, of the sentences that fit the other filters; a click on a number shows these sentences. */
function showPair(both, metric, sentences) {
  const place = at("pair");
  place.hidden = !both;
  if (!both) return place.replaceChildren();
  const names = both.map((s) => data.systems[s]);
  const headers = ["metric", `${names[0]} wins`, `${names[1]} wins`, "ties", "mean difference of sentences", "difference of scores, all sentences"];
  const rows = data.metrics.map((one, m) => pairRow(one, m, both, names, sentences));
  rows[metric].setAttribute("aria-current", "true");
  const head = make("tr", "", headers.map((name) => make("th", "", name, { scope: "col", dir: "auto" })));
  const table = make("table", "figures", [make("thead", "", [head]), make("tbody", "", rows)]);
  const sure = data.pairs.length ? [make("p", "note", "* significant, as in the tables above. Differences are the first system's less the second's, in points, signed so that more is better.")] : [];
  place.replaceChildren(make("h3", "", [make("bdi", "", names[0]), " against ", make("bdi", "", names[1]), sentences.length < data.sentences.length ? make("small", "", ` ${whole(sentences.length)} sentences found`) : ""]),
    make("div", "scroll", [table], { tabindex: "0" }), ...sure);
}

function pairRow(one, m, both, names, sentences) {
  const differences = sentences.map((i) => difference(m, ...both, i));
  const count = (sign) => differences.filter((by) => Math.sign(by) === sign).length;
  const button = (sign, name) => {
    const element = make("button", "count", whole(count(sign)), { type: "button", title: `show sentences where ${name}` });
    element.addEventListener("click", () => {
      controls.metric.value = m;
      controls.winner.value = sign;
      controls.order.value = sign ? "difference" : "file";
      update("");
      history.replaceState(null, "", addressOf(found.length ? current : null));
    });
    return make("td", "", [element]);
  };
  const mean = differences.reduce((sum, by) => sum + by, 0) / Math.max(1, differences.length);
  return make("tr", "", [
    make("th", "", one.title, { scope: "row" }), button(1, `${names[0]} wins`), button(-1, `${names[1]} wins`),
    button(0, "both tie"), make("td", "", signed(mean, m)), make("td", "", corpusDifference(m, both)),
  ]);
}

/** The difference of the systems' own scores, starred where it is significant. */
function corpusDifference(m, [a, b]) {
  const tested = (data.pairs[m] || []).find(([x, y]) => (x === a && y === b) || (x === b && y === a));
  if (!tested) return "–";
  const [x, , by, sure] = tested, sign = (x === a ? 1 : -1) * (data.metrics[m].higher_is_better ? 1 : -1);
  return `${signed(sign * by, m)}${sure ? "*" : ""}`;
}
