// Filters of tables: what can be picked is read off the table, and stands in the address.
const state = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
const remember = (key, value, first = "") => {
  if (value !== first) state.set(key, value);
  else state.delete(key);
  history.replaceState(null, "", `#${state}`);
};
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
// One picture above the fold; without a script all of them stand there.
const answers = [...document.querySelectorAll(".answer")];
if (answers.length > 1) {
  const select = document.createElement("select");
  select.append(...answers.map((answer, at) => new Option(answer.dataset.name, String(at))));
  const show = () => answers.forEach((answer, at) => (answer.hidden = String(at) !== select.value));
  select.value = state.get("block") ?? "0";
  if (!select.value) select.value = "0";
  select.addEventListener("input", () => {
    remember("block", select.value);
    show();
  });
  const label = document.createElement("label");
  label.append("Block ", select);
  label.className = "filters";
  answers[0].before(label);
  show();
}
