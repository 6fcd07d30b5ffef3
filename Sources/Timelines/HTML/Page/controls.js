// The controls above the picture, and the view's state in the address.

const hidden = new Set();
const filter = byId("filter");

function applyFilter() {
  const words = filter.value.trim().toLowerCase();
  const fits = (about) => about.name.toLowerCase().includes(words) || about.word === words;
  for (const lane of lanes) {
    const owner = recording.lanes[lane.about.owner];
    lane.isShown = words === "" || fits(lane.about) || (owner !== undefined && fits(owner));
  }
  layLanes();
  changed();
}

// Adds a checkbox for each kind of mark in the recording.
function fillKinds() {
  const used = new Set(marks.map((mark) => mark.sign));
  [...used].sort((a, b) => a - b).filter((sign) => signs[sign].ground !== "start").forEach((sign) => {
    const box = element("input", { type: "checkbox", checked: true });
    box.dataset.sign = sign;
    box.addEventListener("change", () => {
      setHidden(sign, !box.checked);
      changed();
    });
    byId("kinds").append(element("label", {}, box, ` ${signs[sign].meaning}`));
  });
}

// Draws the legend of lines and colours.
function fillLegend() {
  for (const [kind, words] of picture.legend) byId("legend").append(element("span", {}, element("i", { className: kind }), words));
}

function setHidden(sign, isHidden) {
  if (isHidden === hidden.has(sign)) return;
  if (isHidden) hidden.add(sign); else hidden.delete(sign);
  for (const lane of lanes) for (const row of lane.rows) row.ranks = null;
}

let timer = 0;
function remember() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const parts = new URLSearchParams();
    if (view.from > 0 || view.to < picture.width) parts.set("v", `${view.from.toFixed(1)},${view.to.toFixed(1)}`);
    if (scroller.scrollTop > 0) parts.set("y", Math.round(scroller.scrollTop));
    if (filter.value) parts.set("q", filter.value);
    if (hidden.size) parts.set("h", [...hidden].map((sign) => signs[sign].name).join(","));
    if (view.record !== null) parts.set("c", view.record);
    const hash = parts.size ? `#${parts}` : "#";
    // Browsers may not let a page from disk change its address; the view is then not remembered.
    try { if (hash !== (location.hash || "#")) history.replaceState(null, "", hash); } catch { /* Nothing is lost. */ }
  }, 120);
}

function recall() {
  const parts = new URLSearchParams(location.hash.slice(1));
  filter.value = parts.get("q") ?? "";
  const names = new Set((parts.get("h") ?? "").split(","));
  for (const box of byId("kinds").querySelectorAll("input")) {
    const sign = Number(box.dataset.sign);
    box.checked = !names.has(signs[sign].name);
    setHidden(sign, !box.checked);
  }
  applyFilter();
  const [from, to] = (parts.get("v") ?? "").split(",").map(Number);
  if (Number.isFinite(from) && to > from) look(from, to); else look(0, picture.width);
  if (parts.has("c")) showRecord(Number(parts.get("c")), parts.has("v"));
  scroller.scrollTop = Number(parts.get("y") ?? scroller.scrollTop) || 0;
}

byId("back").addEventListener("click", () => walk(-1));
byId("next").addEventListener("click", () => walk(1));
byId("zoom-in").addEventListener("click", () => zoom(1 / 1.6));
byId("zoom-out").addEventListener("click", () => zoom(1.6));
byId("fit").addEventListener("click", () => look(0, picture.width));
byId("panel").addEventListener("click", (event) => {
  const isOpen = document.body.classList.toggle("without-transcript");
  event.currentTarget.setAttribute("aria-pressed", String(!isOpen));
  resize();
  changed();
});
byId("more").addEventListener("click", fillTable);
byId("words").addEventListener("toggle", () => { if (!byId("rows").children.length) fillTable(); });
filter.addEventListener("input", applyFilter);
scroller.addEventListener("scroll", changed);
window.addEventListener("hashchange", recall);

function start() {
  fillKinds();
  fillLegend();
  fillTranscript();
  readColours();
  resize();
  recall();
  draw();
  new ResizeObserver(() => { resize(); draw(); }).observe(scroller);
  const repaint = () => { readColours(); resize(); draw(); };
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", repaint);
}

start();
