// Texts with edits in place. A line reads back to exactly its text: what is struck out (del) and what we say about it
// (.aside) is left out by whoever copies the line, and by those who read it back.

/** Something said about a text, which is no part of it. */
const aside = (className, content, attributes) => make("span", `aside ${className}`, content, attributes);

/** What stands between two edits: [from, to] tokens of the source, and of the text.
 *
 * Null where the edits, applied one after the other, do not make the text up (a metric may leave some out).
 */
function fitted(source, tokens, edits) {
  const pieces = [];
  let from = 0, to = 0;
  const kept = (end) => {
    for (; from < end; from++, to++) if (source[from] !== tokens[to]) return false;
    return true;
  };
  for (const edit of edits) {
    if (edit.start < from || !kept(edit.start)) return null;
    const correction = words(firstOf(edit.correction));
    if (correction.some((token, k) => token !== tokens[to + k])) return null;
    pieces.push({ edit, first: to, last: to + correction.length });
    from = edit.end;
    to += correction.length;
  }
  return kept(source.length) && to === tokens.length ? pieces : null;
}

/** The parts of an edit that are said, not quoted: what it is, its mark, its type, other corrections. */
function about(edit) {
  const said = `${edit.kind === "gold" ? "edit" : edit.kind}${edit.type ? `, ${edit.type}` : ""}`;
  const verdict = VERDICTS.indexOf(edit.kind), after = [];
  const others = Array.isArray(edit.correction) ? edit.correction.slice(1) : [];
  if (others.length) after.push(aside("others", ` or ${others.map((one) => joined(words(one)) || "∅").join(" or ")}`));
  if (verdict >= 0) after.push(aside("mark", MARKS[verdict], { "aria-hidden": "true" }));
  if (edit.type) after.push(aside("type", edit.type));
  return { said, before: aside("unseen", `${said}: `), after };
}

/** A text, as it stood in its file, with what was changed: {kind, start, end, correction, type} of the source's tokens. */
function quoted(text, tokens, source, edits) {
  const places = placesOf(text, tokens), pieces = places && fitted(source, tokens, edits);
  if (!pieces) return null;
  const line = make("div", "text", null, { dir: "auto" });
  let end = 0;
  const until = (place) => {
    if (place > end) line.append(text.slice(end, place));
    end = Math.max(end, place);
  };
  for (const { edit, first, last } of pieces) {
    const start = first < places.length ? places[first][0] : text.length;
    // A deletion stands after the word before it: the space belongs to the next word.
    until(first === last ? (first ? places[first - 1][1] : 0) : start);
    const { said, before, after } = about(edit), inside = [before];
    const original = joined(source.slice(edit.start, edit.end));
    if (original) inside.push(make("del", "", original));
    if (last > first) {
      inside.push(make("ins", "", text.slice(start, places[last - 1][1])));
      end = places[last - 1][1];
    }
    line.append(make("span", `edit ${edit.kind}${last > first ? "" : " gone"}`, [...inside, ...after], { title: said }));
  }
  until(text.length);
  if (!text) line.append(aside("note", "(empty)"));
  return line;
}

/** Edits in a row, each by itself: what was there, and what should be. */
function listedEdits(source, edits) {
  return edits.map((edit) => {
    const { said, before, after } = about({ ...edit, correction: firstOf(edit.correction) });
    const corrections = [].concat(edit.correction).map((one) => joined(words(one)) || "∅").join(" or ");
    const inside = [before];
    if (edit.start < edit.end) inside.push(make("span", "kept", joined(source.slice(edit.start, edit.end))), " → ", make("ins", "", corrections));
    else {
      const next = source[edit.start] ?? "", neighbour = next ? ` before ${next}` : " at the end";
      inside.push("+ ", make("ins", "", corrections), make("span", "where", neighbour));
    }
    return make("span", `edit ${edit.kind}`, [...inside, ...after], { title: said, dir: "auto" });
  });
}

const byPlace = (a, b) => a.start - b.start || a.end - b.end;

/** A line of edits that stand beside a text and not in it. */
const editLine = (label, source, edits) =>
  make("div", "beside", [make("span", "label", label), ...listedEdits(source, edits.slice().sort(byPlace))]);

/** A system's output exactly as it is, its edits in place, and below it what it missed. */
function quotedOutput(i, system) {
  const source = tokensOf(sourceOf(i)), stored = outputOf(system, i), text = textOf(stored);
  const edits = judgedBy(i, system)[1].map(([verdict, start, end, correction, type]) =>
    ({ kind: VERDICTS[verdict], start, end, correction, type: data.types[type] })).sort(byPlace);
  const own = edits.filter((edit) => edit.kind !== "missed"), missed = edits.filter((edit) => edit.kind === "missed");
  const line = quoted(text, tokensOf(stored), source, own), lines = [];
  if (line) lines.push(line);
  else {
    const plain = make("div", "text", text, { dir: "auto" });
    if (!text) plain.append(aside("note", "(empty)"));
    lines.push(plain);
    if (own.length) lines.push(editLine("judged", source, own));
  }
  lines[0].classList.add("output");
  if (missed.length) lines.push(editLine("missed", source, missed));
  return lines;
}

/** Edits that can be made together, and those that overlap with them. */
function compatible(edits) {
  const made = [], others = [];
  let end = 0;
  for (const edit of edits.slice().sort(byPlace)) {
    const last = made.at(-1);
    const again = last && last.start === edit.start && last.end === edit.end && edit.start < edit.end;
    if (edit.start < end || again) others.push(edit);
    else made.push(edit);
    end = Math.max(end, edit.end);
  }
  return { made, others };
}

const made = (source, edits) => {
  const result = [];
  let from = 0;
  for (const edit of edits) {
    result.push(...source.slice(from, edit.start), ...words(firstOf(edit.correction)));
    from = edit.end;
  }
  return [...result, ...source.slice(from)];
};

/** The source as an annotator corrected it; edits that overlap others stand below. */
function quotedGold(i, edits) {
  const source = tokensOf(sourceOf(i));
  const gold = edits.map(([start, end, correction, type]) => ({ kind: "gold", start, end, correction, type: data.types[type] }));
  const { made: together, others } = compatible(gold);
  const tokens = made(source, together);
  const line = quoted(joined(tokens), tokens, source, together);
  return others.length ? [line, editLine("also", source, others)] : [line];
}

/** The words of a reference: the source with an annotator's edits. */
function reference(i, edits) {
  const gold = edits.map(([start, end, correction]) => ({ start, end, correction }));
  return made(tokensOf(sourceOf(i)), compatible(gold).made);
}
