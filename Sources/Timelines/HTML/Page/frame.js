// One frame: the layer under the lanes, the lanes, and around them the names and the time axis.

function resize() {
  const ratio = devicePixelRatio || 1;
  view.width = scroller.clientWidth;
  view.height = scroller.clientHeight;
  canvas.width = Math.round(view.width * ratio);
  canvas.height = Math.round(view.height * ratio);
  canvas.style.width = `${view.width}px`;
  canvas.style.height = `${view.height}px`;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const widest = lanes.reduce((most, lane) => Math.max(most, lane.name.length + (lane.isOwned ? 2 : 0), Math.min(36, lane.state.length)), 4);
  view.names = Math.min(widest * 7.3 + 26, view.width * 0.32);
  layLanes();
}

function draw() {
  pen.fillStyle = view.colours.ground;
  pen.fillRect(0, 0, view.width, view.height);
  view.folds = folds();
  drawGround();
  const seen = lanesSeen();
  for (const lane of seen) {
    eachRow(lane, drawBars);
    if (!lane.isRequest && lane.phase) drawRibbon(lane, axisHeight + lane.top - scroller.scrollTop + lane.height - 4);
  }
  drawFolds();
  for (const lane of seen) eachRow(lane, drawMarks);
  drawHighlights();
  drawNames();
  drawPointer();
  drawAxis();
}

function lanesSeen() {
  const end = firstFrom(shown.length, (n) => shown[n].top < scroller.scrollTop + view.height);
  return shown.slice(firstVisible(), end);
}

function drawGround() {
  const { instants } = picture;
  const least = (view.to - view.from) / plotWidth();
  for (let n = firstFrom(instants.length, (n) => instants[n][2] < view.from); n < instants.length && instants[n][1] <= view.to; n += 1) {
    const [, first, last] = instants[n];
    if (last - first < 8 * least) continue;
    pen.fillStyle = view.colours.band;
    pen.fillRect(x(first) - 8, axisHeight, x(last) - x(first) + 16, view.height);
  }
  line("grid", 1);
  pen.beginPath();
  for (const { at } of ticks()) { pen.moveTo(Math.round(at) + 0.5, axisLine); pen.lineTo(Math.round(at) + 0.5, view.height); }
  for (let n = firstVisible(); n < shown.length && shown[n].top < scroller.scrollTop + view.height; n += 1) {
    const y = Math.round(axisHeight + shown[n].top - scroller.scrollTop) + 0.5;
    if (!shown[n].isOwned && n > 0) { pen.moveTo(0, y); pen.lineTo(view.width, y); }
  }
  pen.stroke();
}

// Round times that are far enough apart.
function ticks() {
  const { instants } = picture, found = [];
  let seen = 0;
  const first = Math.max(1, firstFrom(instants.length, (n) => instants[n][1] < view.from));
  let end = first;
  for (; end < instants.length && instants[end - 1][2] < view.to; end += 1) {
    if (!instants[end - 1][3]) seen += visibleTime(end);
  }
  const step = roundStep(seen / Math.max(1, plotWidth() / 110));
  let last = -Infinity;
  const add = (time, place) => {
    const at = x(place);
    if (at - last < 70 || at < view.names || at > view.width - 8) return;
    found.push({ time, at });
    last = at;
  };
  if (instants.length) add(instants[0][0], instants[0][1]);
  for (let n = first; n < end && found.length < 200; n += 1) {
    const [t0, , u0, isFolded] = instants[n - 1], [t1, u1] = instants[n];
    if (isFolded) { add(t1, u1); continue; }
    const per = (u1 - u0) / (t1 - t0);
    let k = Math.ceil(Math.max(t0, t0 + (view.from - u0) / per) / step - 1e-9);
    const to = Math.min(t1, t0 + (view.to - u0) / per);
    for (let count = 0; k * step <= to + step * 1e-9 && count < 100; k += 1, count += 1) {
      // The label of an instant with a width is where the instant begins.
      const isInstant = k * step <= t0;
      add(Number((k * step).toPrecision(15)), isInstant ? instants[n - 1][1] : u0 + (k * step - t0) * per);
    }
  }
  return found;
}

function visibleTime(n) {
  const [t0, , u0] = picture.instants[n - 1], [t1, u1] = picture.instants[n];
  const part = (Math.min(u1, view.to) - Math.max(u0, view.from)) / (u1 - u0);
  return Math.max(0, part) * (t1 - t0);
}

const roundSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

function roundStep(least) {
  if (least > 1 && least <= 86400) return roundSteps.find((step) => step >= least * 0.999);
  const unit = least > 1 ? 86400 : 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(least / unit, 1e-18)));
  return unit * power * [1, 2, 5, 10].find((n) => n * power * unit >= least * 0.999);
}

// Returns an instant as an axis label, largest unit first: `500ms`, `1m20s`, `2d12h`.
function instantLabel(seconds) {
  if (seconds > 0 && seconds < 0.001) {
    const nanoseconds = Number((seconds * 1e9).toPrecision(12));
    return nanoseconds % 1000 === 0 ? `${nanoseconds / 1000}us` : `${nanoseconds}ns`;
  }
  let text = "", rest = seconds;
  for (const [unit, name] of [[86400, "d"], [3600, "h"], [60, "m"]]) {
    if (rest < unit) continue;
    text += `${Math.floor(rest / unit)}${name}`;
    rest = Number((rest % unit).toPrecision(12));
  }
  return rest === 0 && text ? text : text + duration(rest);
}

function drawAxis() {
  pen.fillStyle = view.colours.ground;
  pen.fillRect(0, 0, view.width, axisLine);
  line("muted", 1);
  pen.beginPath();
  pen.moveTo(view.names, axisLine - 0.5);
  pen.lineTo(Math.min(view.width, x(picture.width)), axisLine - 0.5);
  pen.stroke();
  pen.textAlign = "center";
  const gaps = view.folds;
  for (const { at, label } of gaps) write(label, "muted", at, 18, Infinity, 11, 600);
  for (const { time, at } of ticks()) {
    const hasRoom = gaps.every((gap) => Math.abs(gap.at - at) > 58);
    if (hasRoom) write(instantLabel(time), "muted", Math.max(view.names + 12, at), 18, Infinity, 11);
  }
  pen.textAlign = "start";
}

// Folded gaps: their position, half width and duration.
function folds() {
  const { instants } = picture, found = [];
  for (let n = firstFrom(instants.length, (n) => instants[n][2] < view.from); n + 1 < instants.length && instants[n][2] < view.to; n += 1) {
    if (!instants[n][3]) continue;
    const from = x(instants[n][2]), to = x(instants[n + 1][1]), at = (from + to) / 2;
    const gap = Number((instants[n + 1][0] - instants[n][0]).toPrecision(12));
    if (at > view.names && at < view.width) found.push({ at, reach: Math.max(1, Math.min(5, (to - from) / 2 - 8)), label: `+${instantLabel(gap)}` });
  }
  return found;
}

function drawFolds() {
  for (const { at, reach } of view.folds) {
    pen.fillStyle = view.colours.ground;
    pen.fillRect(at - reach, axisLine, 2 * reach, view.height);
    line("edge", 1, [2, 2]);
    pen.strokeRect(at - reach + 0.5, axisLine, 2 * reach - 1, view.height + 20);
  }
  pen.setLineDash([]);
}

// A line through all lanes, with its label between the axis and the lanes.
function drawPointer() {
  const { pointer } = picture;
  if (!pointer) return;
  pen.fillStyle = view.colours.ground;
  pen.fillRect(0, axisLine, view.width, axisHeight - axisLine);
  const at = x(pointer.place);
  if (at < view.names || at > view.width) return;
  line("warn", 1.5, [4, 3]);
  pen.beginPath();
  pen.moveTo(at, axisLine);
  pen.lineTo(at, view.height);
  pen.stroke();
  pen.setLineDash([]);
  const fits = at + 6 + pointer.words.length * 6.7 < view.width;
  pen.textAlign = fits ? "start" : "end";
  write(pointer.words, "warn", fits ? at + 6 : at - 6, axisLine + 13, Infinity, 11, 600);
  pen.textAlign = "start";
}

function drawNames() {
  pen.fillStyle = view.colours.ground;
  pen.fillRect(0, 0, view.names - 8, view.height);
  for (const lane of lanesSeen()) {
    const y = rowMiddle(lane, 0);
    const indent = lane.isOwned ? 26 : 12;
    write(lane.name, lane.isRequest ? "muted" : "ink", indent, y + (lane.isRequest ? 4 : 1), view.names - indent - 12, lane.isRequest ? 11 : 12, lane.isRequest ? 400 : 600);
    if (!lane.isRequest) write(lane.state, "muted", indent, y + 14, view.names - indent - 12, 10);
  }
}

// Rings around the marks of the selected command and around the selected mark.
function drawHighlights() {
  if (view.record !== null) {
    const at = x(placeOf(recording.records[view.record].time));
    line("hand", 1.5, [4, 3]);
    pen.beginPath();
    pen.moveTo(at, axisLine);
    pen.lineTo(at, view.height);
    pen.stroke();
    for (const mark of effects(view.record)) ring(mark, "hand", 9);
  }
  if (view.selected) ring(view.selected, "ink", 11);
}

function ring(mark, colour, radius) {
  const at = x(mark.place);
  if (!mark.lane.isShown || at < view.names || at > view.width) return;
  line(colour, 2);
  pen.beginPath();
  pen.arc(at, rowMiddle(mark.lane, mark.lane.rows.indexOf(mark.row)), radius, 0, 7);
  pen.stroke();
}
