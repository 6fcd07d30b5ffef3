import RehearsalBase
import Timelines

/// The screen of a review: one command with its difference, and the keys.
package struct ReviewPicture {
  /// Which side of the difference is shown.
  package enum Side: Sendable, Equatable {
    case old, new, both
  }

  /// The content below the difference.
  package enum Foot: Sendable, Equatable {
    case keys
    case help
    /// The question which items a decision applies to.
    case allOf(PendingDecision)
    case message(String)
  }

  package var side = Side.both
  package var foot = Foot.keys
  /// The number of rows that are scrolled out at the top.
  package var scrolled = 0

  private let columns: Int
  private let rows: Int
  private let colour: Bool

  /// - Parameters:
  ///   - columns: the width of the terminal; at least one column stays empty.
  ///   - rows: the height of the terminal.
  ///   - colour: whether marks are coloured by escape sequences.
  package init(columns: Int, rows: Int, colour: Bool) {
    self.columns = max(8, columns - 1)
    self.rows = max(6, rows - 1)
    self.colour = colour
  }

  /// Returns the rows of the screen, each narrower than the terminal.
  package func lines(_ review: Review) -> [String] {
    let head = head(review)
    let foot = footLines(review)
    let body = body(review.hunk)
    let room = max(1, rows - head.count - foot.count - 2)
    let all = head + [""] + shown(body, room) + [""] + foot
    if all.count <= rows { return all }
    let below = foot.prefix(rows - 1)
    let above = head.prefix(max(1, rows - below.count - 1))
    return Array(above) + body.prefix(rows - above.count - below.count) + below
  }

  /// Returns the maximum value of `scrolled`.
  package func scrollLimit(_ review: Review) -> Int {
    let room = max(1, rows - head(review).count - footLines(review).count - 2)
    return max(0, body(review.hunk).count - room)
  }

  /// Returns the number of visible rows of the difference.
  package func page(_ review: Review) -> Int {
    max(1, rows - head(review).count - footLines(review).count - 3)
  }

  // MARK: Header

  private func head(_ review: Review) -> [String] {
    let hunk = review.hunk
    let item = review.items[review.cursor]
    let state =
      switch item.decision {
      case .accept: ", accepted"
      case .reject: ", rejected"
      case nil: item.isLost ? ", lost" : item.isSkipped ? ", skipped" : ""
      }
    let count = "\(review.cursor + 1) of \(review.items.count)\(state)"
    let place = "\(FailureText.visible(review.path)):\(hunk.line)"
    let room = columns - count.widthInColumns - 2
    let isWide = place.widthInColumns <= room
    let gap = String(repeating: " ", count: isWide ? room - place.widthInColumns + 2 : 0)
    var lines =
      isWide
      ? [bold(place) + gap + count]
      : [bold(place.cutAtStart(toColumns: columns)), count.cut(toColumns: columns, ellipsis: "…")]
    let command = hunk.command.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in command.prefix(5).enumerated() {
      let text = (index == 0 ? "> " : ". ") + String(line).escapingControls
      lines.append(text.cut(toColumns: columns, ellipsis: "…"))
    }
    for note in hunk.notes { lines.append(note.cut(toColumns: columns, ellipsis: "…")) }
    return lines
  }

  // MARK: The difference

  private func body(_ hunk: PendingHunk) -> [String] {
    let words = ChangedWords(hunk.diff).lines
    var result: [String] = []
    for (line, parts) in zip(hunk.diff, words) {
      switch (line.mark, side) {
      case (.expected, .new), (.actual, .old): continue
      default: result += rows(of: line.mark, parts)
      }
    }
    return result.isEmpty ? ["  (no output)"] : result
  }

  /// Returns the rows for a line of the difference, wrapped.
  private func rows(of mark: TranscriptFailure.DiffLine.Mark, _ parts: [ChangedWords.Part])
    -> [String]
  {
    let (sign, code) =
      switch mark {
      case .same: (" ", "")
      case .expected: ("-", "31")
      case .actual: ("+", "32")
      }
    var rows: [[ChangedWords.Part]] = [[]]
    var room = columns - 3
    for part in parts {
      for character in part.text.escapingControls {
        if character.widthInColumns > room {
          rows.append([])
          room = columns - 3
        }
        room -= character.widthInColumns
        rows[rows.count - 1].add(character, part.isChanged)
      }
    }
    return rows.enumerated().flatMap { index, row in
      painted(index == 0 ? "\(sign)  " : "\(sign)… ", row, code)
    }
  }

  /// Marks the changed words in a row: by colour, or else by a row of signs below it.
  private func painted(_ front: String, _ parts: [ChangedWords.Part], _ code: String) -> [String] {
    let text = front + parts.map(\.text).joined()
    guard colour else {
      let isMarked = parts.contains(where: \.isChanged) && side == .both
      let marks = parts.map { part in
        String(repeating: part.isChanged ? "^" : " ", count: part.text.widthInColumns)
      }.joined()
      let row = String(repeating: " ", count: front.widthInColumns) + marks
      return isMarked ? [text, row.trimmingBlanksAtEnd] : [text]
    }
    if code.isEmpty { return [text] }
    let inner = parts.map { part in
      part.isChanged ? "\u{1B}[1;4;\(code)m\(part.text)\u{1B}[0;\(code)m" : part.text
    }
    return ["\u{1B}[\(code)m\(front)\(inner.joined())\u{1B}[0m"]
  }

  private func shown(_ body: [String], _ room: Int) -> [String] {
    if body.count <= room { return body }
    let start = min(scrolled, max(0, body.count - room))
    var rows = Array(body[start..<min(start + room, body.count)])
    let below = body.count - start - room
    if below > 0, rows.count > 1 {
      rows[rows.count - 1] =
        "… \(below + 1) more rows, shown by the space bar".cut(toColumns: columns, ellipsis: "…")
    }
    return rows
  }

  // MARK: Footer

  private func footLines(_ review: Review) -> [String] {
    let lines =
      switch foot {
      case .keys: [ReviewKeys.line.widest(in: columns)]
      case .help: ReviewKeys.wideHelp.allSatisfy(fits) ? ReviewKeys.wideHelp : ReviewKeys.narrowHelp
      case .allOf(let decision): [ReviewKeys.all(decision).widest(in: columns)]
      case .message(let text): text.escapingControls.wrapped(toColumns: columns)
      }
    return lines.map { dim($0.cut(toColumns: columns, ellipsis: "…")) }
  }

  private func fits(_ line: String) -> Bool { line.widthInColumns <= columns }

  private func bold(_ text: String) -> String { colour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  private func dim(_ text: String) -> String { colour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}

extension [ChangedWords.Part] {
  fileprivate mutating func add(_ character: Character, _ isChanged: Bool) {
    if let last = indices.last, self[last].isChanged == isChanged {
      self[last].text.append(character)
    } else {
      append(ChangedWords.Part(text: String(character), isChanged: isChanged))
    }
  }
}

extension String {
  fileprivate var trimmingBlanksAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Cuts the beginning of a text that is too wide. The end of a path identifies it best.
  fileprivate func cutAtStart(toColumns columns: Int) -> String {
    guard widthInColumns > columns else { return self }
    var text = self
    while text.widthInColumns > columns - 1, !text.isEmpty { text.removeFirst() }
    return "…" + text
  }
}
