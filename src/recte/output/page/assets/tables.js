// Tables sort by any column: a click on its head, best or first letter first, and the other way round.

const NUMBER = /^[+−-]?[\d,]+(\.\d+)?/;

function sortKey(cell) {
  const text = (cell ? cell.dataset.value ?? cell.textContent : "").trim();
  const match = NUMBER.exec(text);
  return match ? Number(match[0].replaceAll(",", "").replace("−", "-")) : text;
}

function compareKeys(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
  return typeof a === "number" ? -1 : 1; // what has no figure goes last
}

/** Rows by a column; missing figures stay last whichever way. */
function sortTable(table, column, descending) {
  const body = table.tBodies[0], rows = [...body.rows].map((row) => ({ row, key: sortKey(row.cells[column]) }));
  const missing = ({ key }) => typeof key === "string" && /^[–-]?$/.test(key);
  rows.sort((a, b) => missing(a) - missing(b) || (descending ? -1 : 1) * compareKeys(a.key, b.key));
  body.append(...rows.map(({ row }) => row));
  [...table.tHead.rows].at(-1).querySelectorAll("th").forEach((head, c) => {
    if (c === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
}

function makeSortable(table) {
  [...table.tHead.rows].at(-1).querySelectorAll("th").forEach((head, column) => {
    const button = make("button", "sort", null, { type: "button", title: `sort by ${head.textContent.trim()}` });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numbers = typeof sortKey(table.tBodies[0].rows[0]?.cells[column]) === "number";
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numbers && head.dataset.first !== "ascending";
      sortTable(table, column, down);
    });
  });
}

/** Whether a wide table goes on beyond its place, and whether its end is in sight. */
function showScroll(place) {
  place.classList.toggle("cut", place.scrollWidth > place.clientWidth + 2);
  place.classList.toggle("end", place.scrollLeft + place.clientWidth >= place.scrollWidth - 2);
}

const widths = new ResizeObserver((entries) => { for (const { target } of entries) showScroll(target); });
for (const place of document.querySelectorAll(".scroll")) {
  widths.observe(place);
  place.addEventListener("scroll", () => showScroll(place), { passive: true });
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
