"use strict";
for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const body = head.closest("table").tBodies[0];
    const numbers = [...body.rows].some((row) => row.cells[head.cellIndex].dataset.v !== undefined);
    const before = head.getAttribute("aria-sort");
    // Numbers from the largest, words from the first letter; the second click turns round.
    const down = before ? before === "ascending" : numbers;
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.cells[head.cellIndex];
      return numbers ? (cell.dataset.v === undefined ? null : Number(cell.dataset.v)) : cell.textContent;
    };
    const order = (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      const sign = numbers ? x - y : x.localeCompare(y, undefined, { numeric: true });
      return down ? -sign : sign;
    };
    body.append(...[...body.rows].sort(order));
  });
}
