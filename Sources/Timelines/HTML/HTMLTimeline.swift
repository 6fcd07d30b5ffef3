import RehearsalBase

/// A recording as one HTML file to explore: the picture with the transcript next to it.
///
/// The file needs no network: a content security policy blocks every request and every script
/// except the page's own. The page can be panned, zoomed and filtered, and works with the keyboard
/// alone. Its data is the recording as JSON, in the element `recording`, for other programs to
/// read.
public struct HTMLTimeline: Sendable {
  /// The title of the page.
  public let title: String
  /// Whether the events of one instant are kept apart, in their order. The time axis is not linear
  /// then.
  public var isWidened = false
  /// The events that share the position of the preceding event.
  var together: Set<Int> = []

  /// Creates a page with a title; an empty one becomes `Timeline`.
  public init(title: String = "") {
    self.title = title.isEmpty ? "Timeline" : title
  }

  /// Returns the complete page, which ends with a line end. The same recording gives the same
  /// bytes.
  public func text(
    of recording: Recording,
    _ excerpt: Excerpt = Excerpt(),
    pointingAt pointer: Pointer? = nil
  ) -> String {
    // The page shows each event, so no events share a moment.
    let model = TimelineModel(recording, excerpt, isWidened: true)
    return HTMLPage(
      title: title.escapingMarkup,
      recording: recording.json,
      picture: HTMLPicture(model, pointer: pointer, isWidened: isWidened, together: together)
        .json,
      isEmpty: model.lanes.isEmpty,
      note: model.note()
    ).text
  }
}

/// The markup around the data. `Page/` has the scripts and the style sheet.
struct HTMLPage {
  /// The title, already escaped.
  let title: String
  let recording: String
  let picture: String
  let isEmpty: Bool
  /// A note about events that are missing, or nil.
  var note: String?

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header>
    <h1>\(title)</h1>
    <span id="count"></span>
    <input id="filter" type="search" placeholder="Filter members" aria-label="Show only members with this in their name">
    <details><summary>Marks</summary><fieldset id="kinds" aria-label="Marks to show"></fieldset></details>
    <span role="group" aria-label="Steps">
    <button id="back" type="button" aria-label="Previous event">←</button>
    <button id="next" type="button" aria-label="Next event">→</button>
    </span>
    <span role="group" aria-label="Zoom">
    <button id="zoom-out" type="button" aria-label="Zoom out">−</button>
    <button id="fit" type="button">Fit</button>
    <button id="zoom-in" type="button" aria-label="Zoom in">+</button>
    </span>
    <button id="panel" type="button" aria-pressed="true">Transcript</button>
    </header>
    <main>
    <div id="scroller">
    <canvas id="canvas" tabindex="0" role="application" aria-label="Timeline" aria-describedby="keys"></canvas>
    <div id="spacer"></div>
    </div>
    <div id="tip" hidden></div>
    <p id="keys" class="unseen">Left and right go from mark to mark, up and down from member to member, \
    Enter goes to the command. Plus and minus zoom, 0 shows everything, Shift with left and right pans.</p>
    \(isEmpty ? "<p id=\"nothing\">Nothing to draw: no member.</p>" : "")
    <noscript><p>This page needs its own script, but scripts are disabled.</p></noscript>
    </main>
    <aside aria-label="Transcript">
    <h2>Transcript</h2>
    <p id="no-records" hidden>No command was kept.</p>
    <ol id="records"></ol>
    </aside>
    <footer>
    \(note.map { "<p id=\"omitted\">\($0)</p>\n" } ?? "")<p id="legend" aria-label="Lines and colours"></p>
    <details id="words"><summary>As a table</summary>
    <table><thead><tr><th>Time</th><th>Member</th><th>Attempt</th><th>What</th><th>Answer</th><th>State</th></tr></thead>
    <tbody id="rows"></tbody></table>
    <button id="more" type="button">More</button>
    </details>
    <div id="status" class="unseen" aria-live="polite"></div>
    </footer>
    <script type="application/json" id="recording">
    \(recording)</script>
    <script type="application/json" id="picture">
    \(picture)</script>
    <script>\(Self.script)</script>
    </body>
    </html>

    """
  }

  private static let policy =
    "default-src 'none'; style-src 'sha256-\(SHA256.base64(of: style))'; "
    + "script-src 'sha256-\(SHA256.base64(of: script))'; base-uri 'none'; form-action 'none'"

  /// The scripts, in the order of their dependencies.
  private static let script: String = {
    let parts = [
      PackageResources.recording_js, PackageResources.view_js, PackageResources.drawing_js,
      PackageResources.frame_js, PackageResources.pointing_js, PackageResources.transcript_js,
      PackageResources.controls_js,
    ]
    let code = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    return "\n\"use strict\";\n{\n\(code)}\n"
  }()

  private static let style: String = {
    let sheet = String(decoding: PackageResources.page_css, as: UTF8.self)
    let (light, dark) = (Palette.light.variables, Palette.dark.variables)
    return "\n:root{\(light)}\n@media screen and (prefers-color-scheme:dark){:root{\(dark)}}\n"
      + sheet
  }()
}
