// Goes through the rows of a table of steps, by buttons, by the left and right arrow, or by a click on a row.

const byId = (id) => document.getElementById(id);
const tables = [...document.querySelectorAll("section")].map((section) => [...section.querySelectorAll("tbody tr")]);
let rows = tables[0];
let place = -1;

function show(next) {
  if (!rows[next]) return;
  document.querySelector("tr[aria-current]")?.removeAttribute("aria-current");
  place = next;
  const row = rows[place];
  row.setAttribute("aria-current", "step");
  const instead = row.dataset.instead?.split("\n") ?? [];
  byId("instead").hidden = instead.length === 0;
  byId("instead").querySelector("ol").replaceChildren(...instead.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
  update();
  (row.querySelector("td:not(:empty)") ?? row).scrollIntoView({ block: "center", inline: "nearest" });
}

function update() {
  const run = tables.length > 1 && rows === tables[1] ? "the run that passes" : "this run";
  byId("status").textContent = `${place < 0 ? "" : `${place + 1} of `}${rows.length} rows of ${run}`;
  byId("back").disabled = place <= 0;
  byId("next").disabled = place + 1 >= rows.length;
}

byId("back").addEventListener("click", () => show(place - 1));
byId("next").addEventListener("click", () => show(place + 1));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  show(place + by);
});
for (const table of tables) {
  table.forEach((row, index) => row.addEventListener("click", () => {
    rows = table;
    show(index);
  }));
}
update();
byId("walk").hidden = false;
