import RehearsalBase

extension RunTables {
  /// The tables beside each other as one HTML file, without scripts and without a network.
  package var html: String {
    let title = failing.title.escapingMarkup
    let legend = legend.map { "<p><b>*</b> \($0)</p>\n" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'sha256-\(SHA256.base64(of: Self.style))'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      \(tables.map(\.html).joined())</main>
      \(legend)</body>
      </html>

      """
  }

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
      return "<tr\(style)><th scope=\"row\">\(row.time.compact)</th>\(cells.joined())</tr>\n"
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
