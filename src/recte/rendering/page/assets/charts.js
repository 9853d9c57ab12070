// Charts by Vega, drawn when they come into sight; light and dark; and what printing needs.
(() => {
  const pictures = JSON.parse(document.getElementById("chart-data").textContent);
  const root = document.documentElement, views = new Map();
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const MATRIX = /^(significance|error-types)/; // cells with text keep the size they were drawn in

  /** Words in lines of so many letters. */
  function wrapped(text, letters) {
    const lines = [""];
    for (const word of text.split(" ")) {
      if (lines.at(-1) && lines.at(-1).length + word.length >= letters) lines.push(word);
      else lines[lines.length - 1] += (lines.at(-1) ? " " : "") + word;
    }
    return lines;
  }

  /** The chart as wide as its place, its title and subtitle in lines that fit. */
  function fitted(name, width) {
    const spec = structuredClone(pictures.charts[name]);
    if (typeof spec.width === "number" && !MATRIX.test(name))
      Object.assign(spec, { width, autosize: { type: "fit-x", contains: "padding" } });
    if (spec.title) {
      spec.title.frame = "bounds";
      spec.title.text = wrapped(String(spec.title.text), width / 8.6);
      spec.title.subtitle = [].concat(spec.title.subtitle || []).flatMap((line) => wrapped(line, width / 6.6));
    }
    return spec;
  }

  async function draw(element, scheme = root.dataset.scheme) {
    const options = { actions: false, renderer: "svg", config: pictures.configs[scheme] || {} };
    try {
      const drawn = await vegaEmbed(element, fitted(element.dataset.chart, element.clientWidth || 480), options);
      if (views.has(element)) views.get(element).finalize();
      views.set(element, drawn);
    } catch (error) {
      element.textContent = `No chart: ${error.message}`;
    }
  }

  const charts = [...document.querySelectorAll(".chart")];
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { observer.unobserve(entry.target); draw(entry.target); }
  }, { rootMargin: "400px" });
  for (const element of charts) observer.observe(element);

  function redraw() {
    for (const element of views.keys()) draw(element);
  }

  let chosen = false;
  document.getElementById("scheme").addEventListener("click", () => {
    chosen = true;
    root.dataset.scheme = root.dataset.scheme === "dark" ? "light" : "dark";
    redraw();
  });
  prefersDark.addEventListener("change", () => {
    if (chosen) return;
    root.dataset.scheme = prefersDark.matches ? "dark" : "light";
    redraw();
  });
  let resizing = 0;
  addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(redraw, 250); });

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("#scores details:not([open]), #about details:not([open])")];
    for (const element of closed) element.open = true;
    for (const element of charts) draw(element, "light");
  });
  addEventListener("afterprint", () => {
    for (const element of closed) element.open = false;
    redraw();
  });
})();
