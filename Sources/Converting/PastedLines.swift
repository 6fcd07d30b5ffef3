/// The lines of a copied session, without additions from the terminal, chat or mail: escape
/// sequences, quote marks (`>`), fences and common indentation.
struct PastedLines {
  struct Line: Equatable {
    /// The number of the line in the pasted text, from 1.
    let number: Int
    var text: String
    /// The number of quote marks (`>`) before it.
    var depth = 0
    /// Whether it follows the fence that ends the session.
    var isAfterFence = false
  }

  private(set) var lines: [Line] = []
  /// The terminal's width if a recording states it; its lines are already unwrapped.
  let width: Int?
  /// The numbers of unreadable lines in a terminal recording, from 1.
  let damagedLines: [Int]

  init(_ bytes: [UInt8]) {
    let recording = Asciicast(bytes)
    damagedLines = recording?.damagedLines ?? []
    var text = recording?.output ?? String(decoding: bytes, as: UTF8.self)
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    width = recording == nil ? Self.width(ofScript: text) : recording?.width
    lines = TerminalText(Self.withoutPasteMarks(text), width: width).lines.enumerated()
      .map { Line(number: $0 + 1, text: $1) }
    removeQuotation()
    markProseAfterFences()
    lines.removeAll { Self.isFrame($0.text) }
    removeIndentation()
  }

  /// Returns the width in the first line of `script`, `[… COLUMNS="80" …]`.
  private static func width(ofScript text: String) -> Int? {
    let head = text.prefix { !$0.isNewline }
    guard isFrame(String(head)), let columns = head.firstRange(of: "COLUMNS=\"")
    else { return nil }
    return Int(head[columns.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  /// Removes the marks of bracketed paste, if a program printed them as text.
  private static func withoutPasteMarks(_ text: String) -> String {
    guard text.contains("^[[20") else { return text }
    return text.split(separator: "^[[200~", omittingEmptySubsequences: false).joined()
      .split(separator: "^[[201~", omittingEmptySubsequences: false).joined()
  }

  private static func isFrame(_ line: String) -> Bool {
    isFence(line)
      || ["Script started on ", "Script done on "].contains { line.hasPrefix($0) }
  }

  private static func isFence(_ line: String) -> Bool {
    line.hasPrefix("```") || line.hasPrefix("~~~")
  }

  /// Marks the lines after the last of two fences as prose, unless they contain a prompt.
  private mutating func markProseAfterFences() {
    let fences = lines.indices.filter { Self.isFence(lines[$0].text) }
    guard let last = fences.last, fences.count.isMultiple(of: 2),
      lines[..<last].contains(where: { $0.text.hasPrefix("> ") }),
      !lines[last...].contains(where: { $0.text.hasPrefix("> ") || $0.text.hasPrefix("-- ") })
    else { return }
    for index in lines.indices[last...] { lines[index].isAfterFence = true }
  }

  /// Removes quote marks. In mail and chats, each line begins with one or more `>`, and command
  /// lines with one more.
  private mutating func removeQuotation() {
    for _ in 0..<Self.deepestQuotation where isQuoted {
      for index in lines.indices where lines[index].text.hasPrefix(">") {
        let text = lines[index].text.dropFirst()
        lines[index].text = String(text.hasPrefix(" ") ? text.dropFirst() : text)
        lines[index].depth += 1
      }
    }
  }

  private static let deepestQuotation = 20

  /// Whether every line has one more mark than in the session. Prose around a session is not
  /// indented, but output is.
  private var isQuoted: Bool {
    let isMarked = { (marks: [String]) in
      lines.contains { line in marks.contains(where: line.text.hasPrefix) }
    }
    if isMarked([">>", "> >"]) { return !isMarked(["  "]) }
    return isMarked([">   "])
      && lines.allSatisfy { line in
        line.text.isEmpty || line.text.hasPrefix(">") || Self.isFrame(line.text)
      }
  }

  /// Removes the common indentation of all lines, then that of all prompts: the prose around a
  /// session may have no indentation.
  private mutating func removeIndentation() {
    unindent { !$0.isEmpty }
    unindent(where: PastedPrompts.isPrompt)
  }

  /// Removes the common indentation of these lines. Lines with less indentation are not output.
  private mutating func unindent(where isMeant: (Substring) -> Bool) {
    let depths = lines.map { $0.text.prefix { $0 == " " }.count }
    let depth = zip(lines, depths)
      .filter { isMeant($0.text.dropFirst($1)) }.map(\.1).min()
    guard let depth, depth > 0 else { return }
    for index in lines.indices {
      lines[index].text = String(lines[index].text.dropFirst(min(depth, depths[index])))
    }
  }
}
