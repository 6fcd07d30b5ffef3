import Script

/// A picture of a session as a terminal shows it: each command with its output, as SVG.
///
/// The file stands alone: no font, no script, no address in it. Every word is placed by itself and
/// says how wide it is, so that columns stay columns in whichever monospaced font is there. Screen
/// readers get the session as text.
public struct SessionPicture: Sendable {
  /// What text means, and so which colour it has.
  public enum Role: String, Sendable, CaseIterable {
    case plain, prompt, verb, name, keyword, string, number, comment, mistake
    case dim, resting, inFlight, succeeded, failed
  }

  /// Which characters of a line have a role, counted from its beginning.
  public typealias Colours = [(range: Range<Int>, role: Role)]

  /// The background it is made for; `auto` follows the reader's preference.
  public enum Theme: String, Sendable, CaseIterable {
    case light, dark, auto
  }

  private let title: String
  private let theme: Theme
  private let columns: Int
  private let colours: @Sendable (String) -> Colours

  /// The longest session that is drawn, in rows; what comes after is told as a number.
  public static let mostRows = 1000

  /// A picture with `title` in its bar. Lines break at `columns`; `colours` says what the parts of a
  /// command mean.
  ///
  /// - Precondition: `columns` is at least 20.
  public init(
    title: String,
    theme: Theme = .auto,
    columns: Int = 100,
    colours: @escaping @Sendable (String) -> Colours = { _ in [] }
  ) {
    precondition(columns >= 20, "A terminal of less than 20 columns shows nothing.")
    self.title = title
    self.theme = theme
    self.columns = columns
    self.colours = colours
  }

  /// The picture of what a session was told and what it printed.
  public func text(of passages: [Recording.Passage]) -> String {
    var rows = passages.flatMap { commandRows($0.command) + $0.output.flatMap(outputRows) }
    let hidden = rows.count - Self.mostRows
    if hidden > 0 {
      rows.removeLast(hidden)
      rows += TerminalRow("… \(hidden) more rows", []).broken(atColumn: columns)
    }
    return TerminalDrawing(rows: rows, title: title, theme: theme).text
  }

  private func commandRows(_ command: String) -> [TerminalRow] {
    let colours = colours(command)
    var rows: [TerminalRow] = []
    var start = 0
    for line in command.split(separator: "\n", omittingEmptySubsequences: false) {
      let inLine = colours.map { (range: $0.range.moved(by: -start), role: $0.role) }
      var row = TerminalRow(rows.isEmpty ? "> " : ". ", [(range: 0..<2, role: .prompt)])
      row.append(TerminalRow(String(line), inLine))
      rows.append(row)
      start += line.count + 1
    }
    return rows.flatMap { $0.broken(atColumn: columns) }
  }

  private func outputRows(_ line: String) -> [TerminalRow] {
    var row = TerminalRow("  ", [])
    row.append(TerminalRow(line, OutputColours(line).colours))
    return row.broken(atColumn: columns)
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range {
    let lower = Swift.max(0, lowerBound + distance)
    return lower..<Swift.max(lower, upperBound + distance)
  }
}
