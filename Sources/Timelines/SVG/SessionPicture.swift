import RehearsalBase

/// A session as a terminal shows it: each command with its output, as SVG.
///
/// The file needs no font, script or link. Every word has its own position and width, so that
/// columns stay aligned in any monospaced font. Screen readers get the session as text.
public struct SessionPicture: Sendable {
  /// The meaning of a part of a text, which decides its colour.
  public enum Role: String, Sendable, CaseIterable {
    case plain, prompt, verb, name, keyword, string, number, comment, mistake
    case dim, resting, inFlight, succeeded, failed
  }

  /// The roles of parts of a text. Ranges count Unicode scalars.
  public typealias Colours = [(range: Range<Int>, role: Role)]

  /// The colour theme.
  public typealias Theme = SVGTimeline.Theme

  private let title: String
  private let theme: Theme
  private let columns: Int

  /// The maximum number of rows. A last row gives the number of those left out.
  public static let mostRows = 1000

  /// Creates a picture with `title` in its title bar. Lines wrap at `columns`.
  ///
  /// - Precondition: `columns` is at least 20.
  public init(
    title: String,
    theme: Theme = .auto,
    columns: Int = 100
  ) {
    precondition(columns >= 20, "A terminal picture needs at least 20 columns.")
    self.title = title
    self.theme = theme
    self.columns = columns
  }

  /// Returns the picture of the commands and their output. `colours` has the roles of each
  /// command's text, command by command.
  public func text(of records: [Recording.CommandRecord], colours: [Colours] = []) -> String {
    var rows = records.indices.flatMap { index in
      let parts = colours.indices.contains(index) ? colours[index] : []
      return commandRows(records[index].command, parts)
        + records[index].output.enumerated()
        .flatMap { outputRows($0.element, records[index].labels[$0.offset]) }
    }
    let hidden = rows.count - Self.mostRows
    if hidden > 0 {
      rows.removeLast(hidden)
      rows += TerminalRow("… \(hidden) more rows", []).broken(atColumn: columns)
    }
    return TerminalDrawing(rows: rows, title: title, theme: theme).text
  }

  private func commandRows(_ command: String, _ colours: Colours) -> [TerminalRow] {
    let colours = colours.map { (range: command.characters(in: $0.range), role: $0.role) }
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

  private func outputRows(_ line: String, _ label: OutputLine.Label?) -> [TerminalRow] {
    var row = TerminalRow("  ", [])
    row.append(TerminalRow(line, OutputColours(line, label).colours))
    return row.broken(atColumn: columns)
  }
}

extension String {
  /// Returns the characters that begin within a range of scalars.
  fileprivate func characters(in scalars: Range<Int>) -> Range<Int> {
    var count = 0
    let starts = map { character in
      defer { count += character.unicodeScalars.count }
      return count
    }
    let first = starts.firstIndex { $0 >= scalars.lowerBound } ?? starts.count
    let end = starts.firstIndex { $0 >= scalars.upperBound } ?? starts.count
    return first..<Swift.max(first, end)
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range {
    let lower = Swift.max(0, lowerBound + distance)
    return lower..<Swift.max(lower, upperBound + distance)
  }
}
