// The page's data, and texts with their tokens. Everything from files goes in as text (textContent), never as markup.

const VERDICTS = ["correct", "spurious", "missed"], MARKS = ["✓", "✗", "○"];
const at = (id) => document.getElementById(id);

/** An element with a class, text or children, and attributes. */
function make(tag, className, content, attributes) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (Array.isArray(content)) element.append(...content);
  else if (content !== undefined && content !== null) element.textContent = content;
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  return element;
}

/** JSON that was compressed by gzip and written in base64, so that the page stays small. */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(at(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

let data = null;
const words = (text) => (text ? text.split(" ") : []);
const joined = (tokens) => tokens.join(data.joiner);
const firstOf = (correction) => (Array.isArray(correction) ? correction[0] : correction);
const rightToLeft = (text) => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
/** A score, or a difference of scores, by one metric: as a percentage, unless the metric's scores are no fractions. */
const printed = (value, metric) => (data.metrics[metric].factor * value).toFixed(1).replace("-", "−");
const signed = (value, metric) => `${value > 0 ? "+" : ""}${printed(value, metric)}`;
const whole = (number) => number.toLocaleString("en");

/** A text, which stands alone where its tokens follow from it, or before its tokens joined by spaces. */
const textOf = (stored) => (Array.isArray(stored) ? stored[0] : stored);
function tokensOf(stored) {
  if (Array.isArray(stored)) return words(stored[1]);
  return data.joiner ? stored.split(/[ \t]+/).filter(Boolean) : [...stored];
}

const sourceOf = (i) => data.sentences[i].source;
const outputOf = (system, i) => data.sentences[i].outputs[system] ?? sourceOf(i);

/** Where each token begins and ends in the text; null where tokens are not what stands there (they were normalised). */
function placesOf(text, tokens) {
  const places = [];
  let end = 0;
  for (const token of tokens) {
    const start = text.indexOf(token, end);
    if (start < 0 || text.slice(end, start).trim()) return null;
    end = start + token.length;
    places.push([start, end]);
  }
  return text.slice(end).trim() ? null : places;
}
