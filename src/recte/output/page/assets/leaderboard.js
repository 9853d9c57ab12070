// The leaderboard: which track is shown, and ranks and clusters among its systems.

/** For each system those that it beats by a metric. */
function beaten(m) {
  const found = new Map(data.systems.map((_, s) => [s, new Set()]));
  for (const [a, b, by, sure] of data.pairs[m] || []) {
    if (!sure) continue;
    const leads = data.metrics[m].higher_is_better ? by > 0 : by < 0;
    found.get(leads ? a : b).add(leads ? b : a);
  }
  return found;
}

/** The number of each system's cluster; systems best first. A cut is where everybody above beats everybody below. */
function clustersAmong(order, sure) {
  let number = 1;
  return order.map((_, place) => {
    const above = order.slice(0, place), below = order.slice(place);
    if (place && above.every((a) => below.every((b) => sure.get(a).has(b)))) number += 1;
    return number;
  });
}

/** Ranks and clusters of a metric among the systems shown, written into their cells. */
function rankAmong(rows, m, column) {
  const sure = beaten(m), sign = data.metrics[m].higher_is_better ? -1 : 1;
  const score = (row) => Number(row.cells[column].dataset.value);
  const ordered = rows.slice().sort((a, b) => sign * (score(a) - score(b)));
  const systems = ordered.map((row) => Number(row.dataset.system)), clusters = clustersAmong(systems, sure);
  ordered.forEach((row, place) => {
    const s = systems[place];
    const best = 1 + systems.filter((other) => sure.get(other).has(s)).length;
    const worst = systems.length - systems.filter((other) => sure.get(s).has(other)).length;
    row.cells[column + 1].textContent = best === worst ? best : `${best}–${worst}`;
    row.cells[column + 2].textContent = clusters[place];
  });
}

function showBoard(table) {
  const track = at("track")?.value || "", named = at("named").value.trim().toLowerCase();
  const rows = [...table.tBodies[0].rows].filter((row) => row.dataset.system !== undefined);
  const inTrack = rows.filter((row) => !track || JSON.parse(row.dataset.tracks).includes(track));
  for (const row of rows) {
    const name = data.systems[Number(row.dataset.system)].toLowerCase();
    row.hidden = !inTrack.includes(row) || !name.includes(named);
  }
  if (data.pairs.length) data.metrics.forEach((_, m) => rankAmong(inTrack, m, 1 + 3 * m));
  const shown = rows.filter((row) => !row.hidden).length;
  at("shown").textContent = `${whole(shown)} of ${whole(rows.length)} systems`;
}

function startLeaderboard() {
  const table = document.querySelector("table.leaderboard");
  if (!table) return;
  const asked = /^#board\?(.*)$/.exec(location.hash);
  if (asked && at("track")) {
    at("track").value = new URLSearchParams(asked[1]).get("track") ?? "";
    if (at("track").selectedIndex < 0) at("track").value = "";
  }
  const changed = () => {
    showBoard(table);
    const track = at("track")?.value;
    history.replaceState(null, "", track ? `#board?${new URLSearchParams({ track })}` : "#board");
  };
  for (const event of ["input", "change"]) at("board-filters").addEventListener(event, changed);
  at("board-filters").addEventListener("submit", (event) => event.preventDefault());
  showBoard(table);
}
