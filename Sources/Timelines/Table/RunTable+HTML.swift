import RehearsalBase

/// Writes the tables of steps as one HTML file that can be stepped through.
extension RunTables {
  /// The tables beside each other as one HTML file, without a network. Its own script, if it is allowed, goes through a run
  /// row by row, and shows what could have run instead.
  package var html: String {
    let title = failing.title.escapingMarkup
    let legend = legend.map { "<p><b>*</b> \($0)</p>\n" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'sha256-\(SHA256.base64(of: Self.style))'; script-src 'sha256-\(SHA256.base64(of: Self.script))'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      \(tables.map(\.html).joined())</main>
      \(legend)<nav id="walk" aria-label="Jobs" hidden>
      <button id="back" type="button">← Back</button>
      <button id="next" type="button">Step →</button>
      <span id="status" aria-live="polite"></span>
      <div id="instead" hidden>Could have run instead:<ol></ol></div>
      </nav>
      <script>\(Self.script)</script>
      </body>
      </html>

      """
  }

  private static let script: String = {
    let code = String(decoding: PackageResources.steps_js, as: UTF8.self)
    return "\n\"use strict\";\n{\n\(code)}\n"
  }()

  private static let style = """

    :root{\(Palette.light.variables)color-scheme:light dark}
    @media screen and (prefers-color-scheme:dark){:root{\(Palette.dark.variables)}}
    body{margin:1rem;background:var(--ground);color:var(--ink);font:14px/1.4 system-ui,sans-serif}
    main{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:flex-start}
    section{flex:1 1 30rem;overflow-x:auto}
    h1{font-size:1rem;overflow-wrap:anywhere}
    table{border-collapse:collapse;font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,\
    "DejaVu Sans Mono",monospace}
    th,td{padding:.1rem .6rem;text-align:start;vertical-align:top;border-inline-start:1px solid var(--grid)}
    thead th{border-bottom:1px solid var(--muted)}
    tbody th{font-weight:400;color:var(--muted)}
    .differs td:not(:empty){background:var(--band);color:var(--warn);font-weight:600}
    .differs td:not(:empty)::before{content:"* "}
    p{color:var(--muted)}
    tbody tr[aria-current]{outline:2px solid var(--bar-edge);outline-offset:-1px}
    nav{position:sticky;bottom:0;padding:.5rem 0;background:var(--ground);border-top:1px solid var(--edge)}
    nav[hidden],nav [hidden]{display:none}
    button{font:inherit;color:inherit;background:var(--band);border:1px solid var(--edge);border-radius:6px;\
    padding:.2rem .6rem;cursor:pointer}
    button:disabled{color:var(--muted);cursor:default}
    #instead{margin-top:.4rem}
    ol{margin:.2rem 0 0;padding-inline-start:2rem;max-height:8rem;overflow:auto}

    """
}

extension RunTable {
  fileprivate var html: String {
    let head = columns.map { "<th scope=\"col\">\($0.escapingMarkup)</th>" }.joined()
    let body = rows.map { row in
      let cells = columns.indices.map { column in
        "<td>\(column == row.column ? row.text.escapingMarkup : "")</td>"
      }
      let style = row.differs ? " class=\"differs\"" : ""
      let instead = row.alternatives.map(\.escapingMarkup).joined(separator: "&#10;")
      let data = instead.isEmpty ? "" : " data-instead=\"\(instead)\""
      return "<tr\(style)\(data)><th scope=\"row\">\(row.time.compact)</th>\(cells.joined())</tr>\n"
    }
    let note = note.map { "<p>\($0)</p>\n" } ?? ""
    return """
      <section>
      <h1>\(title.escapingMarkup)</h1>
      <table><thead><tr><th scope="col">Time</th>\(head)</tr></thead>
      <tbody>
      \(body.joined())</tbody></table>
      \(note)</section>

      """
  }
}
