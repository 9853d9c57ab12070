// Charts by Vega, drawn when they come into sight; light and dark; and what printing needs.

const pictures = JSON.parse(at("chart-data").textContent);
const root = document.documentElement, drawn = new Map();
const NARROWEST_CELL = 18; // of a heat map; below, its card scrolls
const STEEP = 34; // names above narrower cells stand upright
const PLANE = /^(precision-recall|metric-scatter)-/; // as high as it is wide; others have a row for each name
const MOST_CELLS = 14; // in half of a page
const PRINTED = { half: 320, whole: 660 }; // the width of a chart on A4 or Letter

/** Words in lines of so many letters. */
function wrapped(text, letters) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= letters) lines.push(word);
    else lines[lines.length - 1] += (lines.at(-1) ? " " : "") + word;
  }
  return lines;
}

/** A heat map in so much room: cells no narrower than their figures, the names above them upright or aslant. */
function fitCells(chart, cells, width) {
  chart.width = Math.max(width, 100 + NARROWEST_CELL * cells);
  const steep = (width - 100) / cells < STEEP;
  for (const { encoding } of chart.layer) {
    if (steep) Object.assign(encoding.x.axis ?? {}, { labelAngle: -90, labelBaseline: "middle" });
    else { // the last name reaches beyond its column
      const letters = Math.max(...encoding.x.scale.domain.slice(-2).map((name) => name.length));
      chart.padding = { left: 5, top: 5, bottom: 5, right: Math.max(5, Math.min(95, 5.5 * letters) - (width - 100) / cells / 2) };
    }
  }
}

/** Plots side by side in so much room; below each other where there is little. */
function fitPanels(chart, width) {
  const side = chart.hconcat, each = (width - 40) / side.length - 60, wide = Math.max(...side.map((plot) => plot.width));
  const below = each < 0.6 * Math.min(wide, 250);
  const size = Math.min(below ? width - 90 : each, 1.6 * wide);
  for (const plot of side) {
    if (plot.width === plot.height) plot.height = Math.min(size, 320);
    plot.width = size;
  }
  if (below) { chart.vconcat = side; delete chart.hconcat; }
}

/** A chart as wide as its place, its title and subtitle in lines that fit. */
function fittedChart(name, width) {
  const chart = structuredClone(pictures.charts[name]), cells = chart.usermeta?.columns ?? 0;
  if (typeof chart.width === "number") Object.assign(chart, { width, autosize: { type: "fit-x", contains: "padding" } });
  if (chart.hconcat) fitPanels(chart, width);
  if (cells) fitCells(chart, cells, width);
  if (PLANE.test(name)) chart.height = Math.min(chart.height, Math.max(220, 0.8 * width));
  if (chart.title) {
    chart.title.frame = "bounds";
    chart.title.text = wrapped(String(chart.title.text), width / 10);
    chart.title.subtitle = [].concat(chart.title.subtitle || []).flatMap((line) => wrapped(line, width / 6.6));
  }
  return chart;
}

async function draw(element, scheme = root.dataset.scheme) {
  const options = { actions: false, renderer: "svg", config: pictures.configs[scheme] || {} };
  try {
    const chart = await vegaEmbed(element, fittedChart(element.dataset.chart, element.clientWidth || 480), options);
    drawn.get(element)?.finalize();
    drawn.set(element, chart);
    element.closest("figure").classList.add("drawn"); // its caption is for those who cannot see it
  } catch (error) {
    element.textContent = `No chart: ${error.message}`;
  }
}

/** Charts for paper, made beforehand: a browser prints as soon as it has told us, and waits for nobody. */
async function prepareForPrint() {
  for (const element of charts) {
    await new Promise((resolve) => (window.requestIdleCallback || setTimeout)(resolve));
    const figure = element.closest("figure"), copy = make("div", "printed", null, { "aria-hidden": "true" });
    const chart = fittedChart(element.dataset.chart, figure.classList.contains("whole") ? PRINTED.whole : PRINTED.half);
    if (typeof chart.height === "number" && !PLANE.test(element.dataset.chart)) chart.height *= 0.8; // two rows of charts on a page
    try {
      await vegaEmbed(copy, chart, { actions: false, tooltip: false, renderer: "svg", config: pictures.configs.light });
    } catch { continue; } // the chart on the screen says why
    element.after(copy);
    figure.classList.add("drawn");
  }
  root.dataset.printable = "yes";
}

const charts = [...document.querySelectorAll(".chart")];
for (const element of charts) {
  const { usermeta, hconcat, vconcat } = pictures.charts[element.dataset.chart], figure = element.closest("figure");
  const cells = usermeta?.columns ?? 0;
  figure.classList.toggle("whole", Boolean(hconcat || vconcat) || cells > MOST_CELLS);
}
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { observer.unobserve(entry.target); draw(entry.target); }
}, { rootMargin: "400px" });
for (const element of charts) observer.observe(element);

function redraw() {
  for (const element of drawn.keys()) draw(element);
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let schemeChosen = false;
at("scheme").addEventListener("click", () => {
  schemeChosen = true;
  root.dataset.scheme = root.dataset.scheme === "dark" ? "light" : "dark";
  redraw();
});
prefersDark.addEventListener("change", () => {
  if (schemeChosen) return;
  root.dataset.scheme = prefersDark.matches ? "dark" : "light";
  redraw();
});
let resizing = 0, widthBefore = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === widthBefore) return; // a phone's bars come and go
  widthBefore = innerWidth;
  clearTimeout(resizing);
  resizing = setTimeout(redraw, 250);
});

const prepared = prepareForPrint();
addEventListener("keydown", (event) => { // printing waits for the charts
  if (!(event.ctrlKey || event.metaKey) || event.key !== "p" || root.dataset.printable === "yes") return;
  event.preventDefault();
  prepared.then(() => print());
});

let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("main > section:not(#sentences) details:not([open])")];
  for (const element of closed) element.open = true;
});
addEventListener("afterprint", () => {
  for (const element of closed) element.open = false;
});
