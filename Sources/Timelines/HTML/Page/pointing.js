// Input from the pointer and the keyboard on the canvas.

const tip = byId("tip");
const pointers = new Map();
let moved = 0;

// Returns the visible mark or bar at a point; if there are several marks, the nearest.
function at(px, py) {
  if (px < view.names || py < axisHeight) return null;
  const lane = shown[firstFrom(shown.length, (n) => shown[n].top + shown[n].height < py - axisHeight + scroller.scrollTop)];
  if (!lane) return null;
  const index = lane.rows.findIndex((_, index) => Math.abs(rowMiddle(lane, index) - py) <= pitch(lane) / 2);
  if (index < 0) return null;
  const row = lane.rows[index], place = placeAt(px);
  const reach = ((view.to - view.from) / plotWidth()) * 9;
  const near = row.marks.slice(firstFrom(row.marks.length, (n) => row.marks[n].place < place - reach),
    firstFrom(row.marks.length, (n) => row.marks[n].place <= place + reach));
  const mark = near.sort((a, b) => Math.abs(a.place - place) - Math.abs(b.place - place))[0];
  if (mark) return { mark, lines: describe(mark), others: near.length - 1 };
  const bar = row.bars.findLast((bar) => places[bar.start] <= place);
  const isOn = bar && (bar.end === null || places[bar.end] >= place);
  return isOn ? { lines: describeBar(bar) } : null;
}

function describeBar(bar) {
  const end = bar.end === null ? "still going on" : `to ${duration(timeOf(bar.end))}`;
  const hasEntered = bar.marks.length > 0 && signs[bar.marks[0][1]].name === "entered";
  const start = hasEntered ? "began earlier," : `from ${duration(timeOf(bar.start))}`;
  const lines = [`${bar.lane.name} ${bar.longTag}`.trim(), `${start} ${end}`];
  const released = bar.strokes.find(([, stroke]) => stroke === "released");
  if (released && released[0] !== bar.end) lines.push(`no longer counts after ${duration(timeOf(released[0]))}`);
  return lines;
}

function hint(found, px, py) {
  tip.hidden = !found;
  if (!found) return;
  const lines = [...found.lines];
  if (found.others > 0) lines.push(`and ${found.others} more here`);
  tip.replaceChildren(...lines.map((text) => Object.assign(document.createElement("div"), { textContent: text })));
  tip.style.left = `${Math.max(0, Math.min(px + 14, view.width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${Math.max(0, py + 18 + tip.offsetHeight > view.height ? py - tip.offsetHeight - 8 : py + 18)}px`;
}

const point = (event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  try { canvas.setPointerCapture(event.pointerId); } catch { /* It is gone already. */ }
  pointers.set(event.pointerId, point(event));
  moved = 0;
});

canvas.addEventListener("pointermove", (event) => {
  const [px, py] = point(event), before = pointers.get(event.pointerId);
  if (!before) return hint(at(px, py), px, py);
  const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
  if (others.length) {
    const distance = (a) => Math.hypot(a[0] - others[0][0], a[1] - others[0][1]) || 1;
    zoom(distance(before) / distance([px, py]), (px + others[0][0]) / 2);
  } else {
    pan(before[0] - px);
    scroller.scrollTop += before[1] - py;
  }
  moved += Math.abs(before[0] - px) + Math.abs(before[1] - py);
  pointers.set(event.pointerId, [px, py]);
  tip.hidden = true;
});

for (const name of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(name, (event) => {
    const isClick = pointers.delete(event.pointerId) && name === "pointerup" && moved < 5;
    if (isClick) choose(at(...point(event))?.mark ?? null);
  });
}
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });

canvas.addEventListener("wheel", (event) => {
  const [px] = point(event);
  if (px < view.names && !event.ctrlKey) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : 1;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX || event.deltaY) * unit);
  else zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)))), px);
}, { passive: false });

const visibleMarks = () => marks.filter((mark) => mark.lane.isShown && !hidden.has(mark.sign));

// Goes to the next or the previous event of the run, in any lane.
function walk(by) {
  const all = visibleMarks();
  step(all[view.selected ? all.indexOf(view.selected) + by : by > 0 ? 0 : all.length - 1]);
}

// Returns the next visible mark, in time or in the lanes.
function neighbour(step, isInLane) {
  const all = visibleMarks();
  if (!view.selected) return all.find((mark) => mark.place >= view.from);
  if (isInLane) {
    const own = all.filter((mark) => mark.lane === view.selected.lane);
    return own[own.indexOf(view.selected) + step];
  }
  const lane = shown[shown.indexOf(view.selected.lane) + step];
  const own = lane ? all.filter((mark) => mark.lane === lane) : [];
  return own.find((mark) => mark.place >= view.selected.place) ?? own[own.length - 1];
}

// Returns the position of the selected mark if it is visible.
function zoomByKey(factor) {
  const at = view.selected ? x(view.selected.place) : -1;
  if (at < view.names || at > view.width) zoom(factor); else zoom(factor, at);
}

const keys = {
  "+": () => zoomByKey(1 / 1.4), "=": () => zoomByKey(1 / 1.4), "-": () => zoomByKey(1.4), "0": () => look(0, picture.width),
  ArrowLeft: (event) => (event.shiftKey ? pan(-80) : step(neighbour(-1, true))),
  ArrowRight: (event) => (event.shiftKey ? pan(80) : step(neighbour(1, true))),
  ArrowUp: () => step(neighbour(-1, false)), ArrowDown: () => step(neighbour(1, false)),
  PageUp: () => { scroller.scrollTop -= view.height * 0.8; }, PageDown: () => { scroller.scrollTop += view.height * 0.8; },
  Home: () => look(0, view.to - view.from), End: () => look(picture.width - (view.to - view.from), picture.width),
  Enter: () => { if (view.selected) showRecord(recordOf(view.selected), true); },
  Escape: () => { choose(null); tip.hidden = true; },
};

canvas.addEventListener("keydown", (event) => {
  if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key](event);
});

// Outside of the picture and of inputs, the arrows go through the run.
document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === canvas || event.target.closest?.("input")) return;
  event.preventDefault();
  walk(by);
});

// Selects a mark by key: scrolls it into view and announces it.
function step(mark) {
  if (!mark) return;
  reveal(mark.place, mark.lane);
  choose(mark);
  hint({ lines: describe(mark) }, x(mark.place), rowMiddle(mark.lane, mark.lane.rows.indexOf(mark.row)));
}
