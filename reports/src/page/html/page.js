"use strict";
// What a reader chose stands in the address, so that it can be sent: filters, sorting, the block, and the place.
const state = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
const remember = (key, value, first = "") => {
  if (value !== first) state.set(key, value);
  else state.delete(key);
  history.replaceState(null, "", `#${state}`);
};
// Shows a place: whatever folds it is opened.
const show = (id) => {
  const place = document.getElementById(id);
  if (!place) return;
  for (let up = place; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  document.querySelectorAll(".here").forEach((old) => old.classList.remove("here"));
  place.classList.add("here");
  place.scrollIntoView({ block: "start" });
};
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  const id = link.getAttribute("href").slice(1);
  state.set("at", id);
  history.pushState(null, "", `#${state}`);
  show(id);
});
addEventListener("popstate", () => {
  const now = new URLSearchParams(location.hash.slice(1));
  if (now.has("at")) show(now.get("at"));
});

// Tables sort by a click on a heading: numbers from the largest, words from the first letter; the second click turns round.
document.querySelectorAll("table").forEach((table, number) => {
  const key = `sort-${table.dataset.filter ?? number}`;
  const sort = (head, down) => {
    const body = table.tBodies[0];
    const numbers = [...body.rows].some((row) => row.cells[head.cellIndex].dataset.v !== undefined);
    const of = (row) => {
      const cell = row.cells[head.cellIndex];
      return numbers ? (cell.dataset.v === undefined ? null : Number(cell.dataset.v)) : cell.textContent;
    };
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = (a, b) => {
      const [x, y] = [of(a), of(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      const sign = numbers ? x - y : x.localeCompare(y, undefined, { numeric: true });
      return down ? -sign : sign;
    };
    body.append(...[...body.rows].sort(order));
  };
  for (const button of table.querySelectorAll("thead button")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const before = head.getAttribute("aria-sort");
      const numbers = [...table.tBodies[0].rows].some((row) => row.cells[head.cellIndex].dataset.v !== undefined);
      const down = before ? before === "ascending" : numbers;
      sort(head, down);
      remember(key, `${head.cellIndex}${down ? "d" : "u"}`);
    });
  }
  const known = /^(\d+)([du])$/.exec(state.get(key) ?? "");
  const head = known && table.tHead?.rows[0].cells[known[1]];
  if (head) sort(head, known[2] === "d");
});

// Filters of tables: what can be picked is read off the table.
for (const table of document.querySelectorAll("table[data-filter]")) {
  const name = table.dataset.filter;
  const bar = document.createElement("div");
  bar.className = "filters";
  const tests = [];
  const shown = document.createElement("span");
  shown.setAttribute("role", "status");
  const apply = () => {
    let count = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !tests.every((test) => test(row));
      count += row.hidden ? 0 : 1;
    }
    shown.textContent = `${count} of ${table.tBodies[0].rows.length}`;
  };
  const add = (label, input, key, first = "") => {
    const named = document.createElement("label");
    named.append(`${label} `, input);
    input.value = state.get(key) ?? first;
    input.addEventListener("input", () => {
      remember(key, input.value, first);
      apply();
    });
    bar.append(named);
  };
  for (const head of table.tHead.rows[0].cells) {
    const at = head.cellIndex;
    const key = `${name}-${at}`;
    if (head.dataset.pick === "search") {
      const input = document.createElement("input");
      input.type = "search";
      tests.push((row) => row.cells[at].textContent.toLowerCase().includes(input.value.toLowerCase()));
      add(`${head.textContent.trim()} has`, input, key);
    } else if (head.dataset.pick) {
      const select = document.createElement("select");
      const values = [...new Set([...table.tBodies[0].rows].map((row) => row.cells[at].textContent))];
      select.append(new Option("any", ""), ...values.map((value) => new Option(value, value)));
      tests.push((row) => !select.value || row.cells[at].textContent === select.value);
      add(head.textContent.trim(), select, key, head.dataset.first);
    } else if (head.dataset.least) {
      const input = document.createElement("input");
      Object.assign(input, { type: "number", step: "0.5", min: "0" });
      tests.push((row) => input.value === "" || Number(row.cells[at].dataset.v) > Number(input.value));
      add(head.dataset.least, input, key);
    }
  }
  bar.append(shown);
  table.closest(".scroll").before(bar);
  apply();
}

// What a reader filtered or sorted is not folded away.
for (const table of document.querySelectorAll("details table[data-filter]")) {
  const keys = [...state.keys()];
  if (keys.some((key) => key.startsWith(`${table.dataset.filter}-`) || key === `sort-${table.dataset.filter}`)) {
    table.closest("details").open = true;
  }
}

// One picture above the fold; without a script all of them stand there.
const answers = [...document.querySelectorAll(".answer")];
if (answers.length > 1) {
  const select = document.createElement("select");
  select.append(...answers.map((answer, at) => new Option(answer.dataset.name, String(at))));
  const turn = () => answers.forEach((answer, at) => (answer.hidden = String(at) !== select.value));
  select.value = state.get("block") ?? "0";
  if (!select.value) select.value = "0";
  select.addEventListener("input", () => {
    remember("block", select.value, "0");
    turn();
  });
  const label = document.createElement("label");
  label.append("Block ", select);
  label.className = "filters";
  answers[0].before(label);
  turn();
}

// A table wider than its place says so.
const wide = () => {
  for (const scroll of document.querySelectorAll(".scroll")) {
    scroll.classList.toggle("wider", scroll.scrollWidth > scroll.clientWidth + 1);
  }
};
addEventListener("resize", wide);
document.querySelectorAll("details").forEach((fold) => fold.addEventListener("toggle", wide));
wide();

// What is to be typed is copied by its button; a file that may not write to the clipboard selects it.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
    }
    button.textContent = "copied";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
}
const place = state.get("at") ?? location.hash.slice(1);
if (place && !place.includes("=")) show(place);
