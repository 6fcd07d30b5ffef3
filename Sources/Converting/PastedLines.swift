/// The lines of something copied out of a terminal, a chat or a recording of a terminal, without what was put
/// around them on the way: escape sequences, marks of quotation, fences, a common indentation.
struct PastedLines {
  struct Line: Equatable {
    /// The line in what was pasted, from 1.
    let number: Int
    var text: String
    /// How many marks of quotation stood before it.
    var depth = 0
    /// Whether it stands behind the fence that ends the session.
    var isBehindFence = false
  }

  private(set) var lines: [Line] = []
  /// How wide the terminal was, where a recording says it: then no line of it is broken any more.
  let width: Int?
  /// The lines of a terminal's recording that cannot be read, from 1.
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
    markWhatIsBehindFences()
    lines.removeAll { Self.isFrame($0.text) }
    removeIndentation()
  }

  /// What the first line of `script` says of the terminal, `[… COLUMNS="80" …]`.
  private static func width(ofScript text: String) -> Int? {
    let head = text.prefix { !$0.isNewline }
    guard isFrame(String(head)), let columns = head.firstRange(of: "COLUMNS=\"")
    else { return nil }
    return Int(head[columns.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  /// What a terminal types around a paste, where a program printed it in words.
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

  /// What follows on the last of two fences is prose, unless there is a prompt in it.
  private mutating func markWhatIsBehindFences() {
    let fences = lines.indices.filter { Self.isFence(lines[$0].text) }
    guard let last = fences.last, fences.count.isMultiple(of: 2),
      lines[..<last].contains(where: { $0.text.hasPrefix("> ") }),
      !lines[last...].contains(where: { $0.text.hasPrefix("> ") || $0.text.hasPrefix("-- ") })
    else { return }
    for index in lines.indices[last...] { lines[index].isBehindFence = true }
  }

  /// In mail and chats each line begins with `>`, maybe several times, those of commands with one more.
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

  /// Whether one mark more stands before each line than the session had. What somebody wrote around it is
  /// not indented, as output is.
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

  /// Removes what all lines are indented by, and then what all prompts are: the prose around a session may stand at the
  /// left edge.
  private mutating func removeIndentation() {
    unindent { !$0.isEmpty }
    unindent(where: PastedPrompts.isPrompt)
  }

  /// Removes what such lines are all indented by. What is indented less is beside them, and no output.
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
