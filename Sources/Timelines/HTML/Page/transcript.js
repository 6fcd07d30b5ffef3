// The transcript next to the picture: a command leads to its moment, a mark leads back to its
// command.

const list = byId("records");
const marksOfRecord = new Map();
for (const mark of marks) {
  const { cause } = eventOf(mark);
  if (cause === undefined || signs[mark.sign].name === "entered") continue;
  if (!marksOfRecord.has(cause)) marksOfRecord.set(cause, []);
  marksOfRecord.get(cause).push(mark);
}
const effects = (record) => marksOfRecord.get(record) ?? [];

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function fillTranscript() {
  recording.records.forEach(({ command, time, output }, index) => {
    const link = element("a", { href: `#c=${index}`, textContent: command.split("\n").map(show).join("\n") });
    link.addEventListener("click", (event) => { event.preventDefault(); showRecord(index, false); });
    const item = element("li", { id: `command-${index}` }, element("span", { className: "time", textContent: duration(time) }), link);
    if (output?.length) item.append(element("pre", { textContent: output.map(show).join("\n") }));
    list.append(item);
  });
  byId("no-records").hidden = recording.records.length > 0;
}

// Selects a command and shows its moment; coming from a mark, selects only the command.
function showRecord(index, isFromMark) {
  if (!recording.records[index]) return;
  const before = list.querySelector("[aria-current]");
  before?.removeAttribute("aria-current");
  view.record = index;
  const item = byId(`command-${index}`);
  item.setAttribute("aria-current", "true");
  if (isFromMark) item.scrollIntoView({ block: "nearest" });
  else {
    tip.hidden = true;
    const first = effects(index)[0];
    reveal(first ? first.place : placeOf(recording.records[index].time), first?.lane);
    say(`${show(recording.records[index].command)}: ${effects(index).length} events`);
  }
  changed();
}

function choose(mark) {
  view.selected = mark;
  if (mark) {
    say(describe(mark).join(", "));
    showRecord(recordOf(mark), true);
  } else {
    view.record = null;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  }
  changed();
}

const say = (words) => { byId("status").textContent = words; };

// The recording as a table, built when it is opened, in steps of some hundred rows.
function fillTable() {
  const body = byId("rows");
  const from = body.children.length;
  for (const mark of marks.slice(from, from + 300)) {
    const { time, state, answer } = signs[mark.sign].name === "entered" ? { time: timeOf(mark.moment) } : eventOf(mark);
    const cells = [duration(time), mark.lane.name, mark.bar.longTag, signs[mark.sign].meaning || "start", show(answer ?? ""), show(state ?? "")];
    body.append(element("tr", {}, ...cells.map((textContent) => element("td", { textContent }))));
  }
  byId("more").hidden = body.children.length >= marks.length;
}
