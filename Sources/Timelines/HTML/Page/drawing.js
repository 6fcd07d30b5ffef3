// Draws the lanes with their words on the canvas, and only the visible part: the cost of a frame
// depends on the canvas, not on the recording.

const font = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
let sprites = new Map();

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of picture.colours) view.colours[name] = style.getPropertyValue(`--${name}`).trim();
  sprites = new Map();
}

function line(colour, width, dash = []) {
  pen.strokeStyle = view.colours[colour];
  pen.lineWidth = width;
  pen.setLineDash(dash);
}

function write(text, colour, at, y, room = Infinity, size = 12, weight = 400) {
  pen.font = `${weight} ${size}px ${font}`;
  const letters = Math.floor(room / (size * 0.605));
  if (letters < Math.min(3, text.length)) return;
  let end = text;
  if (room < Infinity && text.length > letters) end = [...text].slice(0, Math.max(1, letters - 1)).join("") + "…";
  pen.fillStyle = view.colours[colour];
  pen.fillText(end, at, y);
}

function paintSign(sign, tone, pen) {
  const { ground } = sign, { colours } = view;
  pen.lineCap = pen.lineJoin = "round";
  pen.lineWidth = 1.5;
  pen.fillStyle = ground === "hollow" ? colours.ground : colours[tone];
  pen.strokeStyle = ground === "hollow" ? colours[tone] : colours.ground;
  if (ground !== "none") { pen.fill(sign.shape); pen.stroke(sign.shape); }
  pen.lineWidth = 1.8;
  pen.strokeStyle = ground === "full" ? colours.ground : colours[tone];
  pen.stroke(sign.strokes);
}

// Paints each symbol once per tone; drawing copies it.
function sprite(index, tone = signs[index].tone) {
  const key = `${index} ${tone}`;
  if (!sprites.has(key)) {
    const made = document.createElement("canvas");
    const ratio = devicePixelRatio || 1;
    made.width = made.height = Math.ceil(24 * ratio);
    const pen = made.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 12 * ratio, 12 * ratio);
    paintSign(signs[index], tone, pen);
    sprites.set(key, made);
  }
  return sprites.get(key);
}

function drawBar(bar, y, thickness) {
  const last = bar.end === null ? picture.width : places[bar.end];
  for (let n = 0; n < bar.strokes.length; n += 1) {
    const [moment, stroke] = bar.strokes[n];
    const from = Math.max(view.names - 20, x(places[moment]));
    const to = Math.min(view.width + 20, x(n + 1 < bar.strokes.length ? places[bar.strokes[n + 1][0]] : last));
    if (to < from) continue;
    const height = stroke === "silent" ? 5 : stroke === "released" ? 7 : thickness;
    pen.beginPath();
    if (stroke === "waiting") {
      line("calm", 2, [1, 4]);
      pen.moveTo(from, y);
      pen.lineTo(to, y);
    } else {
      pen.roundRect(from, y - height / 2, Math.max(1, to - from), height, Math.min(3, (to - from) / 2));
      pen.fillStyle = view.colours[stroke === "visible" ? "bar" : "ground"];
      pen.fill();
      line(stroke === "released" ? "calm" : "bar-edge", 1, stroke === "released" ? [3, 3] : []);
    }
    pen.stroke();
  }
  pen.setLineDash([]);
}

// Bars narrower than a point are merged.
function drawBars(row, y, thickness) {
  const point = (view.to - view.from) / plotWidth();
  const ends = (bar) => (bar.end === null ? picture.width : places[bar.end]);
  let n = firstFrom(row.bars.length, (n) => ends(row.bars[n]) < view.from);
  while (n < row.bars.length && places[row.bars[n].start] <= view.to) {
    const bar = row.bars[n];
    if (ends(bar) - places[bar.start] >= 3 * point) {
      drawBar(bar, y, thickness);
      n += 1;
      continue;
    }
    const from = places[bar.start];
    let to = ends(bar);
    while (++n < row.bars.length && ends(row.bars[n]) - to < 2 * point && ends(row.bars[n]) - places[row.bars[n].start] < 3 * point) to = ends(row.bars[n]);
    pen.fillStyle = view.colours["bar-edge"];
    pen.fillRect(x(from), y - thickness / 2, Math.max(1, x(to) - x(from)), thickness);
  }
}

// Marks that are too close to separate become one, in the tone of the most important one.
function drawMarks(row, y) {
  const step = ((view.to - view.from) / plotWidth()) * 9;
  const { marks } = row;
  let n = firstFrom(marks.length, (n) => marks[n].place < view.from - step);
  // Where the words of the mark before end.
  let written = view.names;
  while (n < marks.length && marks[n].place <= view.to + step) {
    let next = n + 1;
    if (next < marks.length && marks[next].place - marks[n].place < step) {
      next = firstFrom(marks.length, (m) => marks[m].place < marks[n].place + step);
    }
    const { count, worst } = crowd(row, n, next);
    const one = next === n + 1 ? n : count === 1 ? worst : null;
    const before = Math.max(written, n > 0 ? x(marks[n - 1].place) : view.names);
    const placeAfter = (n) => (n + 1 < marks.length ? x(marks[n + 1].place) : Infinity);
    if (one !== null) written = drawMark(marks[one], y, placeAfter(one), before);
    else if (count > 1) pen.drawImage(sprite(picture.several, signs[marks[worst].sign].tone), x(marks[n].place) - 12, y - 12, 24, 24);
    // A bar that begins here still shows its number.
    if (next - 1 !== one && signs[marks[next - 1].sign].ground === "start") drawWords(marks[next - 1], x(marks[next - 1].place), y, placeAfter(next - 1));
    n = next;
  }
}

// Returns the number of visible marks between two of a row's marks, and the most important one.
function crowd(row, from, to) {
  row.ranks ??= byRank(row.marks);
  let count = 0, worst = null;
  for (const indices of row.ranks) {
    const first = firstFrom(indices.length, (n) => indices[n] < from);
    const last = firstFrom(indices.length, (n) => indices[n] < to);
    count += last - first;
    if (last > first) worst = indices[first];
  }
  return { count, worst };
}

function byRank(marks) {
  const ranks = [[], [], [], [], [], []];
  marks.forEach(({ sign }, index) => { if (isVisibleSign(sign)) ranks[signs[sign].rank].push(index); });
  return ranks;
}

// Returns the right end of its words.
function drawMark(mark, y, next, before) {
  if (isVisibleSign(mark.sign)) pen.drawImage(sprite(mark.sign), x(mark.place) - 12, y - 12, 24, 24);
  return drawWords(mark, x(mark.place), y, next, before);
}

const isVisibleSign = (sign) => signs[sign].ground !== "start" && !hidden.has(sign);

function drawWords(mark, at, y, next, before = Infinity) {
  const { bar } = mark;
  const isInside = bar.end === null || mark.moment < bar.end;
  const isOnBar = isInside && bar.strokes.findLast(([moment]) => moment <= mark.moment)?.[1] === "visible";
  const colour = isOnBar ? "bar-ink" : "muted";
  // Above a thin bar, which would otherwise cross out the text.
  const base = isInside && !isOnBar ? y - 6 : y + 4;
  const inside = [bar.longTag, bar.tag].find((tag) => tagPlace(bar, tag) !== null);
  if (signs[mark.sign].ground === "start") {
    if (inside) write(inside, colour, tagPlace(bar, inside) + 5, base, Infinity, 11);
    return at;
  }
  const tag = isInside || inside ? "" : bar.longTag;
  const label = hidden.has(mark.sign) ? "" : show(mark.label ?? "");
  const fold = view.folds.find((fold) => fold.at > at);
  const room = Math.min(next - 12, fold ? fold.at - fold.reach - 1 : Infinity, view.width - 8) - at - 10;
  const words = [tag, label].filter(Boolean).join(" ");
  const width = words.length * 6.7;
  // To the left of a mark without a bar, if there is no room to its right.
  if (width > room && bar.strokes.length === 0 && at - width - 22 > before) write(words, colour, at - 10 - width, base, Infinity, 11);
  else if (room >= 13) {
    write(words, colour, at + 10, base, room, 11);
    return at + 10 + Math.min(width, room);
  }
  return at;
}

// Returns the position of a bar's number: before its next mark and not under a fold. Null if there
// is no room.
function tagPlace(bar, tag) {
  const start = bar.strokes.find(([, stroke]) => stroke === "visible" || stroke === "silent")?.[0];
  if (start === undefined || !tag) return null;
  const next = bar.marks.find(([moment]) => moment > start)?.[0] ?? bar.end;
  const end = next === null ? x(picture.width) : x(places[next]) - 9;
  const width = tag.length * 6.7 + 5;
  let place = x(places[start]);
  for (const fold of view.folds) {
    if (fold.at < place || fold.at > end) continue;
    if (fold.at - fold.reach - place >= width) return place;
    place = fold.at + fold.reach;
  }
  return end - place >= width ? place : null;
}

function eachRow(lane, drawRow) {
  lane.rows.forEach((row, index) => {
    const y = rowMiddle(lane, index);
    if (y < axisHeight - 20 || y > view.height + 20) return;
    drawRow(row, y, lane.isRequest ? 10 : 14);
  });
}

// Draws the lane's phases.
function drawRibbon(lane, y) {
  const colours = { resting: "edge", inFlight: "bar-edge", succeeded: "good", failed: "bad" };
  const { phases } = lane;
  let n = Math.max(0, firstFrom(phases.length, (n) => places[phases[n][0]] < view.from) - 1);
  const start = phases.length && places[phases[0][0]] <= view.from ? -1 : 0;
  const stretch = (phase, from, to) => {
    pen.fillStyle = view.colours[colours[phase]];
    pen.fillRect(from, y, to - from, 3);
  };
  if (start === 0) stretch(lane.phase, x(Math.max(0, view.from)), phases.length ? x(places[phases[0][0]]) : x(view.to));
  for (let drawn = -Infinity; n < phases.length && places[phases[n][0]] <= view.to; n += 1) {
    const from = Math.max(view.names, x(places[phases[n][0]]));
    const to = Math.min(view.width, n + 1 < phases.length ? x(places[phases[n + 1][0]]) : Math.max(x(picture.width), from + 6));
    if (to - drawn < 1) continue;
    stretch(phases[n][1], from, Math.max(from + 1, to));
    drawn = to;
  }
}
