import LibC

/// Measures the frame times of a page in a headless browser.
enum PageFrames {
  /// The milliseconds of each frame; nil if there is no Chromium.
  static func milliseconds(of page: String) -> [Double]? {
    let folder = "/tmp/rehearse-frames-\(getpid())"
    mkdir(folder, 0o700)
    let (file, output) = (folder + "/page.html", folder + "/seen.html")
    write(with(page), to: file)
    let options =
      "--headless --no-sandbox --disable-gpu --window-size=1400,900 --user-data-dir=\(folder)/profile"
    let script = """
      for name in chromium-headless-shell chromium google-chrome; do
        if command -v $name >/dev/null; then
          timeout 120 $name \(options) --dump-dom file://\(file) >\(output) 2>/dev/null
          exit $?
        fi
      done
      exit 9
      """
    let end = ChildProcess.run(["bash", "-c", script])
    let seen = end?.status == 0 ? read(output) : nil
    _ = ChildProcess.run(["rm", "-rf", folder])
    return seen.map { $0.split(separator: " ").compactMap { Double($0) } }
  }

  /// Adds a script to the page that requests the frames itself, one after another.
  private static func with(_ page: String) -> String {
    let marks = ("<head>", "</body>")
    let head =
      "<script nonce=\"bench\">let due = null; requestAnimationFrame = (frame) => { due = frame; };</script>"
    let script = """
      <script nonce="bench">{
      const canvas = document.getElementById("canvas");
      const pen = canvas.getContext("2d"), spans = [];
      const frame = (act) => {
        act();
        const start = performance.now();
        due?.();
        due = null;
        pen.getImageData(0, 0, 1, 1);
        spans.push(performance.now() - start);
      };
      const key = (key, shiftKey = false) => () => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
      for (let n = 0; n < 20; n += 1) frame(key("+"));
      for (let n = 0; n < 40; n += 1) frame(key("ArrowRight", true));
      for (let n = 0; n < 20; n += 1) frame(key("-"));
      const pre = document.createElement("pre");
      pre.id = "seen";
      pre.textContent = spans.slice(1).join(" ");
      document.body.prepend(pre);
      }</script>
      """
    var text = page
    for (mark, added) in [(marks.0, marks.0 + head), (marks.1, script + marks.1)] {
      guard let place = text.firstRange(of: mark) else { continue }
      text.replaceSubrange(place, with: added)
    }
    if let place = text.firstRange(of: "script-src 'sha256") {
      text.replaceSubrange(place, with: "script-src 'nonce-bench' 'sha256")
    }
    return text
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  /// The text that the script wrote at the beginning of the document's body.
  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 24)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let start = text.firstRange(of: "<pre id=\"seen\">"),
      let end = text[start.upperBound...].firstRange(of: "</pre>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}
