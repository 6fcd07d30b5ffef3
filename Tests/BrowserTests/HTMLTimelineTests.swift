import Testing
import Timelines

/// The page in a browser.
@Suite(.serialized) struct HTMLTimelineTests {
  private let page = Page(html: HTMLTimeline(title: "A session").text(of: .session))

  @Test func `a page draws itself and loads nothing from the network`() throws {
    let seen = try page.tried(
      """
      const pixels = $("canvas").getContext("2d").getImageData(0, 0, 600, 160).data;
      const colours = new Set();
      for (let n = 0; n < pixels.length; n += 4) colours.add(pixels[n] * 65536 + pixels[n + 1] * 256 + pixels[n + 2]);
      seen.isDrawn = colours.size > 20;
      seen.heading = document.querySelector("h1").textContent;
      seen.commands = document.querySelectorAll("#records li").length;
      """
    )
    #expect(
      seen == ["errors": "", "isDrawn": "true", "heading": "A session", "commands": "5"]
    )
  }

  @Test func `the policy of a page allows its own script only`() throws {
    let strange = "<script>document.title = 'strange'</script></body>"
    let document = try Page(html: page.html.replacing("</body>", with: strange)).loaded()
    #expect(document.contains("id=\"command-4\""))
    #expect(document.contains("<title>A session</title>"))
  }

  @Test func `malicious names, values and commands are shown and never run`() throws {
    let html = HTMLTimeline(title: "<script>evil()</script>").text(of: .mischief)
    let seen = try Page(html: html).tried(
      """
      $("words").open = true;
      await settled();
      seen.evil = typeof window.evil;
      seen.images = document.images.length;
      seen.scripts = document.scripts.length;
      seen.heading = document.querySelector("h1").textContent;
      seen.name = $("rows").rows[0].cells[1].textContent;
      seen.output = document.querySelector("#records pre").textContent.split("\\n")[0];
      seen.reversed = document.body.innerText.includes("\\u202e");
      seen.tips = [...sweep().keys()].some((tip) => tip.includes("<img src=x onerror="));
      """
    )
    let script = "</script><script>window.evil = 1</script><img src=x onerror=evil()>"
    #expect(
      seen == [
        "errors": "", "evil": "undefined", "images": "0", "scripts": "5",
        "heading": "<script>evil()</script>", "name": script, "output": script, "reversed": "false",
        "tips": "true",
      ]
    )
  }

  @Test func `the wheel zooms around the pointer, and buttons and keys zoom too`() throws {
    let seen = try page.tried(
      """
      wheel(700, 100, { deltaY: -400 }); await settled();
      const [from, to] = range();
      seen.wheel = to - from < 500 && from > 300;
      key("0"); await settled();
      seen.all = location.hash;
      key("+"); await settled();
      seen.key = range()[1] - range()[0] < 800;
      $("fit").click(); await settled();
      $("zoom-in").click(); $("zoom-in").click(); $("zoom-out").click(); await settled();
      seen.button = range()[1] - range()[0] < 700;
      """
    )
    #expect(seen == ["errors": "", "wheel": "true", "all": "", "key": "true", "button": "true"])
  }

  @Test func `dragging and the arrow keys pan within the picture`() throws {
    let seen = try page.tried(
      """
      for (let n = 0; n < 4; n += 1) key("+");
      await settled();
      const [start] = range();
      drag([600, 100], [500, 100]); await settled();
      seen.drag = range()[0] > start;
      const [dragged] = range();
      key("ArrowRight", { shiftKey: true }); await settled();
      seen.key = range()[0] > dragged;
      for (let n = 0; n < 60; n += 1) key("ArrowLeft", { shiftKey: true });
      await settled();
      seen.edge = range()[0];
      """
    )
    #expect(seen == ["errors": "", "drag": "true", "key": "true", "edge": "0"])
  }

  @Test func `buttons and arrows outside of the picture go from event to event, in all lanes`()
    throws
  {
    let seen = try page.tried(
      """
      const say = () => $("status").textContent;
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      $("next").click(); await settled();
      const first = say();
      const told = new Set([first]);
      for (let n = 0; n < 40; n += 1) { press("ArrowRight"); told.add(say()); }
      seen.lanes = new Set([...told].map((words) => words.split("  ")[1].split(" ")[0])).size > 1;
      seen.times = [...told].map((words) => parseFloat(words)).every((time, n, all) => n === 0 || time >= 0);
      for (let n = 0; n < 40; n += 1) $("back").click();
      seen.back = say() === first;
      """
    )
    #expect(seen == ["errors": "", "lanes": "true", "times": "true", "back": "true"])
  }

  @Test func `two fingers zoom, and hiding the transcript widens the page`() throws {
    let seen = try page.tried(
      """
      send(PointerEvent, "pointerdown", 400, 100, { pointerId: 1 });
      send(PointerEvent, "pointerdown", 500, 100, { pointerId: 2 });
      send(PointerEvent, "pointermove", 700, 100, { pointerId: 2 });
      send(PointerEvent, "pointerup", 700, 100, { pointerId: 2 });
      send(PointerEvent, "pointerup", 400, 100, { pointerId: 1 });
      await settled();
      seen.isPinched = range()[1] - range()[0] < 500;
      const { width } = box();
      $("panel").click(); await settled();
      seen.isWider = box().width > width + 100;
      seen.panel = $("panel").getAttribute("aria-pressed");
      """
    )
    #expect(seen == ["errors": "", "isPinched": "true", "isWider": "true", "panel": "false"])
  }

  @Test func `the page has its data as a table`() throws {
    let seen = try page.tried(
      """
      $("words").open = true; await settled();
      seen.rows = $("rows").rows.length;
      seen.last = [...$("rows").rows].at(-1).textContent;
      seen.more = $("more").hidden;
      """
    )
    #expect(
      seen == [
        "errors": "", "rows": "8", "last": "2sprofile#2errortimeouterror timeout", "more": "true",
      ]
    )
  }

  @Test func `a tooltip explains the mark under the pointer`() throws {
    let seen = try page.tried(
      """
      const tips = [...sweep().keys()];
      seen.answer = tips.find((tip) => tip.includes("Ada") && tip.includes("answer"));
      seen.start = tips.find((tip) => tip.includes("feed") && tip.includes("by: "));
      seen.bar = tips.find((tip) => tip.startsWith("profile #2|from"));
      """
    )
    #expect(
      seen == [
        "errors": "", "answer": "700ms  profile #1|answer|\"Ada\"|→ loaded \"Ada\"",
        "start": "0s  feed #1|start|→ loading #1|by: load feed [1]",
        "bar": "profile #2|from 1s to 2s",
      ]
    )
  }

  @Test func `keys move from mark to mark, announce each, and lead to its command`() throws {
    let seen = try page.tried(
      """
      key("ArrowRight"); seen.first = $("status").textContent;
      key("ArrowRight"); seen.second = $("status").textContent;
      key("ArrowDown"); seen.below = $("status").textContent;
      key("Enter"); await settled();
      seen.command = document.querySelector("[aria-current] a").textContent;
      key("Escape"); await settled();
      seen.none = document.querySelector("[aria-current]");
      """
    )
    #expect(
      seen == [
        "errors": "",
        "first": "0s  profile #1, start, → loading #1, by: load profile from GET /users/1",
        "second": "700ms  profile #1, answer, \"Ada\", → loaded \"Ada\"",
        "below": "700ms  GET /users/1 #1, answer, 200, → loaded 200",
        "command": "settle", "none": "null",
      ]
    )
  }

  @Test func `a filter keeps members with their requests, and kinds of marks can be hidden`()
    throws
  {
    let seen = try page.tried(
      """
      $("filter").value = "PROF"; $("filter").dispatchEvent(new Event("input")); await settled();
      seen.count = $("count").textContent;
      seen.tips = [...sweep().keys()].some((tip) => tip.includes("feed"));
      seen.isAnswerSeen = [...sweep().keys()].some((tip) => tip.includes("error"));
      const box = [...document.querySelectorAll("#kinds label")].find((label) => label.textContent.includes("error")).firstChild;
      box.click(); await settled();
      seen.hash = location.hash;
      """
    )
    #expect(
      seen == [
        "errors": "", "count": "2 of 3 lanes", "tips": "false", "isAnswerSeen": "true",
        "hash": "#q=PROF&h=failed",
      ]
    )
  }

  @Test func `a command leads to its moment, and a mark back to its command`() throws {
    let seen = try page.tried(
      """
      const spot = [...sweep()].find(([tip]) => tip.includes("profile #2") && tip.includes("start"))[1];
      click(...spot); await settled();
      seen.command = document.querySelector("[aria-current]").id;
      key("End"); for (let n = 0; n < 8; n += 1) { key("+"); key("End"); }
      await settled();
      const [far] = range();
      document.querySelector("#command-1 a").click(); await settled();
      seen.isNear = range()[0] < far && range()[0] < 100;
      seen.hash = new URLSearchParams(location.hash.slice(1)).get("c");
      seen.said = $("status").textContent;
      """
    )
    #expect(
      seen == [
        "errors": "", "command": "command-3", "isNear": "true", "hash": "1",
        "said": "load feed [1]: 1 events",
      ]
    )
  }

  @Test func `labels avoid a fold, and lines and colours are explained`() throws {
    let seen = try Page(html: HTMLTimeline().text(of: .folded)).tried(
      """
      const words = [], folds = [], { prototype } = CanvasRenderingContext2D;
      const { fillText, strokeRect } = prototype;
      prototype.fillText = function (text, x, y) { words.push([text, x, y]); fillText.apply(this, arguments); };
      prototype.strokeRect = function (x) { folds.push(x); strokeRect.apply(this, arguments); };
      key("0"); await settled();
      const inLanes = words.filter(([, , y]) => y > 40);
      const isUnder = ([text, x]) => folds.some((fold) => x < fold + 9 && x + text.length * 6.6 > fold);
      seen.folds = folds.length;
      seen.under = inLanes.filter(isUnder).join(";");
      seen.numbers = inLanes.map(([text]) => text).filter((text) => text.startsWith("#")).join(";");
      seen.legend = [...$("legend").children].map((entry) => entry.textContent).join(";");
      """
    )
    #expect(
      seen == [
        "errors": "", "folds": "1", "under": "", "numbers": "#1;#2 2;#3",
        "legend": "at rest;in flight;succeeded;failed",
      ]
    )
  }

  @Test func `the value of a change does not cross that of the change before`() throws {
    let seen = try Page(html: HTMLTimeline().text(of: .changes)).tried(
      """
      const words = [], { prototype } = CanvasRenderingContext2D, { fillText } = prototype;
      prototype.fillText = function (text, x, y) { words.push([text, x, y]); fillText.apply(this, arguments); };
      key("0"); await settled();
      const inLanes = words.filter(([, , y]) => y > 40);
      const crosses = ([a, x, y], [b, x2, y2]) => y === y2 && x < x2 && x + a.length * 6 > x2;
      seen.first = inLanes.some(([text]) => text === "first");
      seen.crossing = inLanes.filter((one) => inLanes.some((other) => crosses(one, other))).join(";");
      """
    )
    #expect(seen == ["errors": "", "first": "true", "crossing": ""])
  }

  @Test func `a page without members says so visibly`() throws {
    let seen = try Page(html: HTMLTimeline().text(of: Recording())).tried(
      """
      const { left, top } = $("nothing").getBoundingClientRect();
      seen.above = document.elementFromPoint(left + 5, top + 5).textContent;
      """
    )
    #expect(seen == ["errors": "", "above": "Nothing to draw: no member."])
  }

  @Test func `bars show the kind of process, and axes use units that divide each other`()
    throws
  {
    let seen = try Page(html: HTMLTimeline().text(of: .processes)).tried(
      """
      const words = [], { prototype } = CanvasRenderingContext2D, { fillText } = prototype;
      prototype.fillText = function (text, x, y) { words.push([text, y]); fillText.apply(this, arguments); };
      key("0"); await settled();
      // On a busy machine, the browser may draw again.
      const last = (list) => list.slice(list.lastIndexOf(list[0]));
      seen.axis = last(words.filter(([, y]) => y === 18).map(([text]) => text)).join(" ");
      seen.bars = last(words.filter(([text]) => text.startsWith("#")).map(([text]) => text)).join(";");
      seen.tip = [...sweep().keys()].some((tip) => tip.startsWith("saver #2 delete|from"));
      $("filter").value = "pro"; $("filter").dispatchEvent(new Event("input")); await settled();
      seen.count = $("count").textContent;
      """
    )
    #expect(
      seen == [
        "errors": "", "axis": "0s 30s 1m 1m30s 2m", "bars": "#1 save;#2 delete",
        "tip": "true", "count": "0 of 1 lanes",
      ]
    )
  }

  @Test func `a page points at the first difference of two runs and has both transcripts`() throws {
    let difference = RecordingDifference(.session, .folded)
    let pointer = try #require(difference.pointer)
    let page = HTMLTimeline().text(of: difference.overlaid, pointingAt: pointer)
    let seen = try Page(html: page).tried(
      """
      const words = [], { prototype } = CanvasRenderingContext2D, { fillText } = prototype;
      prototype.fillText = function (text) { words.push(text); fillText.apply(this, arguments); };
      key("0"); await settled();
      seen.pointed = words.includes("first difference");
      seen.first = document.querySelector("#records a").textContent;
      """
    )
    #expect(
      seen == ["errors": "", "pointed": "true", "first": "a: load profile from GET /users/1"]
    )
  }

  @Test func `the address restores a view`() throws {
    let seen = try page.tried(
      """
      seen.range = range();
      seen.filter = $("filter").value;
      seen.count = $("count").textContent;
      seen.command = document.querySelector("[aria-current]").id;
      """,
      fragment: "#v=100.0%2C400.0&q=feed&c=2"
    )
    #expect(
      seen == [
        "errors": "", "range": "100,400", "filter": "feed", "count": "1 of 3 lanes",
        "command": "command-2",
      ]
    )
  }

  @Test(arguments: [Recording(), .crowd(10_000), .crowd(4000, lanes: 1000), .pile(500), .year])
  func `empty, crowded, large and long recordings are drawn`(recording: Recording)
    throws
  {
    let seen = try Page(html: HTMLTimeline().text(of: recording)).tried(
      """
      for (const name of ["+", "+", "-", "0", "PageDown", "PageUp", "ArrowRight", "ArrowDown", "Home", "End"]) key(name);
      await settled();
      """
    )
    #expect(seen == ["errors": ""])
  }

  @Test func `a page follows its reader's colour scheme`() throws {
    let script = "seen.ground = $('canvas').getContext('2d').getImageData(3, 3, 1, 1).data.join()"
    #expect(try page.tried(script) == ["errors": "", "ground": "255,255,255,255"])
    #expect(try page.tried(script, dark: true) == ["errors": "", "ground": "13,17,23,255"])
  }
}
