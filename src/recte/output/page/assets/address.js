// The address of a view: `#sentence-7?system=CAMB&other=AMU&order=difference`. Systems, metrics and types go by name.

const NAMES = {
  system: () => data.systems, other: () => data.systems, type: () => data.types,
  metric: () => data.metrics.map((metric) => metric.name), verdict: () => VERDICTS,
};
const DEFAULTS = { metric: "0", order: "file" };

/** The address of what is shown now: of a sentence, or of the sentences found. */
function addressOf(i) {
  const view = new URLSearchParams();
  for (const [id, control] of Object.entries(controls)) {
    if (control.type === "checkbox") { if (control.checked) view.set(id, "yes"); }
    else if (control.value !== (DEFAULTS[id] ?? "")) view.set(id, id in NAMES ? NAMES[id]()[Number(control.value)] : control.value);
  }
  const place = i === null ? "#sentences" : `#sentence-${i + 1}`;
  return view.size ? `${place}?${view}` : place;
}

/** Sets the controls as an address says; what it does not name is as at the beginning. */
function setControls(view) {
  for (const [id, control] of Object.entries(controls)) {
    const wanted = view.get(id);
    if (control.type === "checkbox") { control.checked = wanted !== null; continue; }
    const place = id in NAMES ? NAMES[id]().indexOf(wanted) : -1;
    const before = wanted === null ? DEFAULTS[id] ?? "" : id in NAMES ? (place < 0 ? DEFAULTS[id] ?? "" : String(place)) : wanted;
    control.value = before;
    if (control.value !== before) control.value = DEFAULTS[id] ?? ""; // no such option
  }
}

/** Shows what the page's address asks for; whether it asks for any sentences. */
function follow() {
  const match = /^#(?:sentence-(\d+)|sentences)(?:\?(.*))?$/.exec(location.hash);
  if (!match || (!match[1] && !match[2])) return false;
  if (match[2] !== undefined) { setControls(new URLSearchParams(match[2])); update(""); }
  if (!match[1]) return true;
  const i = Number(match[1]) - 1;
  if (!(i in data.sentences)) {
    at("found").textContent = `There is no sentence ${match[1]}: there are ${whole(data.sentences.length)}.`;
    return false;
  }
  if (!found.includes(i)) { at("filters").reset(); update(""); }
  reach(found.indexOf(i));
  show(i, { scroll: true });
  return true;
}
