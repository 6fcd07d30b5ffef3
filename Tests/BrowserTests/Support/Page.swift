import Foundation

/// A page in its own folder, with an additional script that tests it.
struct Page {
  let html: String

  /// The values that the script recorded, by name.
  typealias Seen = [String: String]

  /// Loads the page with `script` at its end and returns its values `seen.NAME = …` as text.
  ///
  /// `script` can wait with `await settled()` until the page is drawn and its address updated. It has
  /// `key(…)`, `wheel(…)`, `drag(…)`, `hover(…)`, `click(…)` and `sweep()`, which hovers over the
  /// whole picture. `seen.errors` has errors, policy violations and requests.
  func tried(
    _ script: String,
    fragment: String = "",
    dark: Bool = false
  ) throws -> Seen {
    var page = html.replacing("script-src 'sha256", with: "script-src 'nonce-test' 'sha256")
    let watch = "<script nonce=\"test\">\(Self.watching)</script>"
    page = page.replacing("<head>", with: "<head>" + watch, maxReplacements: 1)
    let test = "<script nonce=\"test\">\(Self.helping(script))</script>"
    page = page.replacing("</body>", with: test + "</body>")
    let document = try Self(html: page).loaded(fragment: fragment, dark: dark)
    guard let start = document.range(of: "<pre id=\"seen\">"),
      let end = document.range(of: "</pre>", range: start.upperBound..<document.endIndex)
    else { throw NothingSeen() }
    let text = document[start.upperBound..<end.lowerBound].removingPercentEncoding ?? ""
    return try JSONDecoder().decode(Seen.self, from: Data(text.utf8))
  }

  /// The script was not finished.
  struct NothingSeen: Error {}

  /// Returns the document after loading it without a script.
  func loaded(fragment: String = "", dark: Bool = false) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "rehearse-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "page.html")
    try Data(html.utf8).write(to: file)
    return try Browser().load(file, fragment: fragment, dark: dark)
  }

  /// In virtual time, the browser requests no frames, so a timer replaces them.
  private static let watching = """
    window.requestAnimationFrame = (frame) => setTimeout(() => frame(performance.now()), 16);
    const errors = [];
    addEventListener("error", (event) => errors.push(String(event.message)));
    addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
    document.addEventListener("securitypolicyviolation", (event) => errors.push("policy: " + event.violatedDirective));
    console.error = console.warn = (...words) => errors.push(words.join(" "));
    """

  private static func helping(_ script: String) -> String {
    """
    const seen = {};
    const $ = (id) => document.getElementById(id);
    const settled = () => new Promise((done) => setTimeout(done, 300));
    const box = () => $("canvas").getBoundingClientRect();
    const send = (kind, name, x, y, more = {}) => $("canvas").dispatchEvent(new kind(name,
      { clientX: box().left + x, clientY: box().top + y, bubbles: true, cancelable: true, pointerId: 1, button: 0, ...more }));
    const wheel = (x, y, more) => send(WheelEvent, "wheel", x, y, more);
    const hover = (x, y) => (send(PointerEvent, "pointermove", x, y), $("tip").hidden ? "" : [...$("tip").children].map((line) => line.textContent).join("|"));
    const drag = (from, to) => { send(PointerEvent, "pointerdown", ...from); send(PointerEvent, "pointermove", ...to); send(PointerEvent, "pointerup", ...to); };
    const click = (x, y) => drag([x, y], [x, y]);
    const key = (key, more = {}) => $("canvas").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
    const sweep = () => {
      const found = new Map();
      for (let y = 40; y < Math.min(600, box().height); y += 8) {
        for (let x = 100; x < box().width; x += 4) { const words = hover(x, y); if (words && !found.has(words)) found.set(words, [x, y]); }
      }
      return found;
    };
    const range = () => (new URLSearchParams(location.hash.slice(1)).get("v") ?? "").split(",").map(Number);
    (async () => {
      try { await settled(); \(script) } catch (error) { errors.push(String(error.stack ?? error)); }
      for (const { name } of performance.getEntriesByType("resource")) errors.push("fetched: " + name);
      seen.errors = errors.join("; ");
      for (const name of Object.keys(seen)) seen[name] = String(seen[name]);
      const pre = document.createElement("pre");
      pre.id = "seen";
      pre.textContent = encodeURIComponent(JSON.stringify(seen));
      document.body.prepend(pre);
    })();
    """
  }
}
