// The visible part of the picture. Positions range from 0 to `picture.width`; x and y are points on
// the canvas.

const canvas = byId("canvas");
const scroller = byId("scroller");
const pen = canvas.getContext("2d", { alpha: false });
const axisLine = 28;
const axisHeight = picture.pointer ? 52 : 34;
const view = { from: 0, to: picture.width, width: 800, height: 400, names: 120, colours: {}, folds: [], selected: null, record: null };
const plotWidth = () => Math.max(40, view.width - view.names - 48);
const x = (place) => view.names + 8 + ((place - view.from) / (view.to - view.from)) * plotWidth();
const placeAt = (x) => view.from + ((x - view.names - 8) / plotWidth()) * (view.to - view.from);

// Shows `from` to `to` within the picture's bounds; the zoom stops at a few marks.
function look(from, to) {
  const span = Math.min(picture.width, Math.max(40, to - from));
  const first = Math.max(0, Math.min(picture.width - span, from + (to - from - span) / 2));
  view.from = first;
  view.to = first + span;
  tip.hidden = true;
  changed();
}

function zoom(factor, at = view.names + 8 + plotWidth() / 2) {
  const place = placeAt(at);
  const span = Math.min(picture.width, Math.max(40, (view.to - view.from) * factor));
  const part = (place - view.from) / (view.to - view.from);
  look(place - part * span, place - part * span + span);
}

const pan = (points) => {
  const by = (points / plotWidth()) * (view.to - view.from);
  const first = Math.max(0, Math.min(picture.width - (view.to - view.from), view.from + by));
  look(first, first + view.to - view.from);
};

// Returns the position of a time.
function placeOf(seconds) {
  const { instants } = picture;
  const after = firstFrom(instants.length, (n) => instants[n][0] < seconds);
  if (after === instants.length) return instants.length ? instants[after - 1][2] : 0;
  const [time, first] = instants[after];
  if (after === 0 || time === seconds) return first;
  const [before, , last] = instants[after - 1];
  return last + ((seconds - before) / (time - before)) * (first - last);
}

// Places the visible lanes one below the other, from `top`.
let shown = [];
const pitch = (lane) => (lane.isRequest ? 20 : 24);
function layLanes() {
  shown = lanes.filter((lane) => lane.isShown);
  let top = 4;
  for (const lane of shown) {
    lane.top = top;
    lane.height = lane.rows.length * pitch(lane) + (lane.isRequest ? 4 : 14);
    top += lane.height;
  }
  byId("spacer").style.height = `${Math.max(0, top + axisHeight + 8 - view.height)}px`;
  byId("count").textContent = shown.length === lanes.length ? "" : `${shown.length} of ${lanes.length} lanes`;
}

const rowMiddle = (lane, index) =>
  axisHeight + lane.top - scroller.scrollTop + (lane.isRequest ? 2 : 5) + pitch(lane) * (index + 0.5);
const firstVisible = () => firstFrom(shown.length, (n) => shown[n].top + shown[n].height < scroller.scrollTop);

// Scrolls a mark into view, no further than necessary.
function reveal(place, lane) {
  const at = x(place);
  if (at < view.names + 20 || at > view.width - 30) {
    const span = view.to - view.from;
    look(place - span / 2, place + span / 2);
  }
  if (!lane?.isShown) return;
  const above = lane.top - 10, below = lane.top + lane.height + axisHeight + 10 - view.height;
  if (scroller.scrollTop > above) scroller.scrollTop = above;
  else if (scroller.scrollTop < below) scroller.scrollTop = Math.min(above, below);
}

let isDue = false;
function changed() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; draw(); remember(); });
}
