// The page's data: the recording as `docs/timelines.md` describes it, and the layout of its
// picture. Neither is parsed as markup: text enters the page by textContent or a canvas.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const recording = read("recording");
const picture = read("picture");
const byId = (id) => document.getElementById(id);

// Spells out characters that could move, reorder or hide text.
const show = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu, (sign) =>
    sign === "\u200d" || sign === "\u200c" ? sign
      : sign === "\n" ? "\\n" : sign === "\t" ? "\\t" : sign === "\r" ? "\\r"
      : `\\u{${sign.codePointAt(0).toString(16).toUpperCase()}}`);

// Returns the shortest form that the command language reads back.
function duration(seconds) {
  if (seconds === 0) return "0s";
  if (Number.isInteger(seconds / 3600)) return `${seconds / 3600}h`;
  if (Number.isInteger(seconds / 60)) return `${seconds / 60}m`;
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(12))}ms` : `${Number(seconds.toPrecision(15))}s`;
}

const places = Float64Array.from(picture.places);
const signs = picture.signs.map((sign) => ({ ...sign, shape: new Path2D(sign.shape), strokes: new Path2D(sign.strokes) }));

// Returns the index of the first element that is not before the target, by binary search.
function firstFrom(count, isBefore) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1; else high = middle;
  }
  return low;
}

// Bars that overlap have separate rows, and so have marks without an attempt at one position.
const mostRows = 8;
function layRows(lane) {
  const rows = [];
  for (const bar of lane.bars) {
    const end = bar.end ?? Infinity;
    const isMark = bar.number === null && !bar.isValue;
    const isAfter = (row) => !isMark || rows.length === mostRows || row.place < places[bar.start];
    let row = rows.find((row) => (row.end < bar.start && isAfter(row)) || (bar.isValue && row.isOfValues && row.end === bar.start));
    if (!row) rows.push(row = { bars: [], marks: [] });
    row.bars.push(bar);
    row.end = end;
    row.place = places[bar.start];
    row.isOfValues = bar.isValue;
    for (const [moment, sign, label] of bar.marks) {
      row.marks.push({ moment, place: places[moment], sign, label, bar, lane, row });
    }
  }
  for (const row of rows) row.marks.sort((a, b) => a.moment - b.moment);
  return rows.length ? rows : [{ bars: [], marks: [] }];
}

const lanes = picture.lanes.map((drawn, index) => {
  const about = recording.lanes[drawn.lane];
  const lane = { index, about, name: show(about.name), state: show(drawn.state), phase: drawn.phase, phases: drawn.phases };
  lane.isRequest = about.word === "request";
  lane.isOwned = about.owner !== undefined;
  lane.bars = drawn.bars.map(([number, start, end, marks, strokes, process]) => {
    const tag = number === null ? "" : `#${number}`;
    const longTag = [tag, process ? show(process) : ""].filter(Boolean).join(" ");
    return { lane, number, start, end, marks, strokes, tag, longTag, isValue: number === null && strokes.length > 0 };
  });
  lane.rows = layRows(lane);
  lane.isShown = true;
  return lane;
});

// Every mark in the order of events.
const marks = lanes.flatMap((lane) => lane.rows.flatMap((row) => row.marks)).sort((a, b) => a.moment - b.moment);
const eventOf = (mark) => recording.events[picture.events[mark.moment]];

// Returns the command that caused a mark, or during which it happened.
function recordOf(mark) {
  const index = picture.events[mark.moment];
  const { cause } = recording.events[index];
  return cause ?? firstFrom(recording.records.length, (n) => recording.records[n].firstEvent <= index) - 1;
}

// Returns the time of a moment by its position. If the event is older than the picture, it is the
// time of the left edge.
function timeOf(moment) {
  const { instants } = picture;
  return instants[Math.min(instants.length - 1, firstFrom(instants.length, (n) => instants[n][2] + 0.06 < places[moment]))][0];
}

function describe(mark) {
  if (signs[mark.sign].name === "entered") return [`${mark.lane.name} ${mark.bar.longTag}`.trim(), "began earlier"];
  const { time, state, answer, cause } = eventOf(mark);
  const lines = [`${duration(time)}  ${mark.lane.name} ${mark.bar.longTag}`.trim(), signs[mark.sign].meaning || (signs[mark.sign].name === "left" ? "end" : "start")];
  if (answer !== undefined) lines.push(show(answer));
  if (state !== undefined) lines.push(`→ ${show(state)}`);
  if (cause !== undefined) lines.push(`by: ${show(recording.records[cause].command)}`);
  return lines;
}
