import Harness
import RehearsalBase
import Script

/// A reader that separates commands from output, line by line.
struct PasteReader {
  private(set) var parts: [ImportedPart] = []
  /// The lines of the fixture files at the end.
  private(set) var fixtures: [ImportedPart] = []
  private var fixtureNames: Set<String> = []

  private let lines: [PastedLines.Line]
  private let table: CommandTable
  private let prompts: PastedPrompts
  /// The terminal's width, as far as the lines show it.
  private let width: Int
  /// Whether the terminal may have wrapped lines.
  private let breaksLines: Bool
  /// The numbers of lines that lost an indentation of two blanks, if they are output.
  private let unindented: Set<Int>
  private var open: OpenCommand?
  private var hasCommand = false
  private var isOver = false
  /// Whether the fixture files at the end have begun.
  private var isInFiles = false
  /// Whether the current lines belong to a file that a transcript cannot have.
  private var isInRefusedFile = false
  /// The next line.
  private var next = ""
  /// The quotation depth of the previous line.
  private var depthAbove = 0

  /// Narrower terminals are not considered: short lines often have the same length.
  private static let narrowest = 40
  /// In narrower terminals, a single line of maximum length is probably a coincidence.
  private static let usual = 79

  init(_ pasted: PastedLines, table: CommandTable) {
    lines = pasted.lines
    self.table = table
    let widths = lines.map(\.text.widthInColumns)
    let widest = widths.max() ?? 0
    width = pasted.width ?? widest
    breaksLines =
      pasted.width == nil && widest >= Self.narrowest
      && (widest >= Self.usual || widths.count { $0 >= widest - 1 } > 1)
    prompts = PastedPrompts(lines, table: table)
    unindented = Self.unindented(lines, prompts)
  }

  /// Returns the numbers of lines that lost their indentation. If no line is indented, these are
  /// all lines. Otherwise, these are the lines that can only be output and, in an exchange without
  /// any indentation, the lines around them up to an empty line.
  private static func unindented(
    _ lines: [PastedLines.Line],
    _ prompts: PastedPrompts
  ) -> Set<Int> {
    var result = Set(lines.filter { isOutput($0.text) }.map(\.number))
    guard !result.isEmpty else { return [] }
    let isIndented = { (line: PastedLines.Line) in line.text.hasPrefix("  ") }
    guard lines.contains(where: isIndented) else { return Set(lines.map(\.number)) }
    for exchange in lines.split(whereSeparator: { prompts.typed(in: $0.text) != nil }) {
      let output = exchange.prefix { !$0.text.isEmpty }
      guard !output.contains(where: isIndented), output.contains(where: { isOutput($0.text) })
      else { continue }
      result.formUnion(output.map(\.number))
    }
    return result
  }

  mutating func read() {
    for index in lines.indices {
      next = index + 1 < lines.count ? lines[index + 1].text : ""
      take(lines[index])
      depthAbove = lines[index].depth
    }
  }

  private mutating func take(_ line: PastedLines.Line) {
    if line.isAfterFence { return add(.unknown, line, line.text) }
    if isInFiles { return take(file: line) }
    if isOver { return add(.unknown, line, line.text) }
    if let typed = prompts.typed(in: line.text) { return take(typed: typed, line) }
    if line.text.isEmpty, open == nil { return }
    if continueLast(line) { return }
    if hasCommand, Self.isFixture(line.text) {
      take(file: line)
    } else if line.text.hasPrefix("#") {
      add(.comment, line, line.text)
    } else if line.text.hasPrefix("  "), hasCommand {
      take(output: String(line.text.dropFirst(2)), line)
    } else if unindented.contains(line.number), hasCommand, !Self.isShellPrompt(line.text) {
      take(output: Self.padded(line.text), line)
      parts[parts.count - 1].hasGuessedIndentation = true
    } else if !Self.isBanner(line.text) {
      add(.unknown, line, line.text)
    }
  }

  private mutating func add(_ kind: ImportedPart.Kind, _ line: PastedLines.Line, _ text: String) {
    if kind == .unknown, text.isEmpty { return }
    let width = line.text.widthInColumns
    let part = ImportedPart(kind: kind, number: line.number, text: text, width: width)
    if kind == .fixture { fixtures.append(part) } else { parts.append(part) }
    if kind == .command { hasCommand = true }
  }

  // MARK: Commands

  private mutating func take(typed text: String, _ line: PastedLines.Line) {
    open = nil
    let text = Self.withoutBlanksAtEnd(text)
    if text.hasSuffix("^C") || text.hasSuffix("^D") {
      let rest = text.dropLast(2)
      if !rest.isEmpty { add(.comment, line, "# interrupted: \(rest)") }
    } else if case .nothing? = try? Script.read(text, table: table) {
      if !text.isEmpty { add(.comment, line, text) }
    } else {
      begin(text, line)
    }
  }

  private mutating func begin(_ text: String, _ line: PastedLines.Line) {
    let text = mended(text)
    add(.command, line, text)
    var command = OpenCommand(table: table)
    open = command.add(text) ? command : nil
    isOver = false
    if case .command(let command)? = try? Script.read(text, table: table) {
      isOver = command.effects.contains(.endsSession)
    }
  }

  /// Replaces the curly quotes of chats by straight ones.
  private func mended(_ text: String) -> String {
    let straight = String(text.map { "\u{201C}\u{201D}\u{201E}".contains($0) ? "\"" : $0 })
    guard straight != text, (try? Script.read(text, table: table)) == nil,
      (try? Script.read(straight, table: table)) != nil
    else { return text }
    return straight
  }

  /// Adds a line that continues the previous one: a command's, or one that the terminal wrapped.
  private mutating func continueLast(_ line: PastedLines.Line) -> Bool {
    guard let last = parts.last, last.kind != .unknown else { return false }
    let isTyped = last.kind == .command || last.kind == .continuation
    if isTyped, line.text == "." || line.text.hasPrefix(". ") {
      continueLast(with: String(line.text.dropFirst(2)), line)
    } else if isWrapped(line, behind: last) {
      parts[parts.count - 1].text =
        isTyped ? whole(last, line.text) : last.text + seam(last) + line.text
      parts[parts.count - 1].width = line.text.widthInColumns
      parts[parts.count - 1].number = line.number
      if isTyped { reopen() }
    } else if open != nil, !line.text.hasPrefix("  ") {
      continueLast(with: line.text, line)
    } else {
      return false
    }
    return true
  }

  private mutating func continueLast(with text: String, _ line: PastedLines.Line) {
    add(.continuation, line, text)
    if open?.add(text) == false { open = nil }
  }

  /// Returns whether the terminal wrapped the line. It wraps at any column; copying loses a blank
  /// there.
  private func isWrapped(_ line: PastedLines.Line, behind last: ImportedPart) -> Bool {
    guard breaksLines, last.width >= width - 1, !line.text.isEmpty,
      line.number == last.number + 1, line.depth == depthAbove
    else { return false }
    let isOther =
      Self.isShellPrompt(line.text) || Self.isFixture(line.text) || Self.isOutput(line.text)
    return !isOther && !line.text.hasPrefix("  ") && !line.text.hasPrefix("#")
  }

  /// Returns the text between two parts of a wrapped line.
  private func seam(_ last: ImportedPart) -> String { last.width == width ? "" : " " }

  /// Joins a wrapped command line. If only one of the two ways to join it can be parsed, uses that.
  private func whole(_ last: ImportedPart, _ rest: String) -> String {
    let likely = last.text + seam(last) + rest
    let other = last.text + (seam(last).isEmpty ? " " : "") + rest
    let isReadable = { (text: String) in (try? Script.read(text, table: table)) != nil }
    return !isReadable(likely) && isReadable(other) ? other : likely
  }

  /// Parses the last command again, because one of its lines became longer.
  private mutating func reopen() {
    guard let first = parts.lastIndex(where: { $0.kind == .command }) else { return }
    var command = OpenCommand(table: table)
    var isOpen = false
    for part in parts[first...] { isOpen = command.add(part.text) }
    open = isOpen ? command : nil
  }

  // MARK: Output

  private mutating func take(output text: String, _ line: PastedLines.Line) {
    if text.hasPrefix("  "), let last = parts.last, last.kind == .output,
      isBroken(last, before: text)
    {
      parts[parts.count - 1].text += " " + text.dropFirst(2)
      parts[parts.count - 1].width = line.text.widthInColumns
      parts[parts.count - 1].number = line.number
    } else {
      add(.output, line, text)
    }
  }

  /// Returns whether an error message continues here. The shell wraps it before a word that does
  /// not fit.
  private func isBroken(_ last: ImportedPart, before text: String) -> Bool {
    let isSentence = last.text.hasPrefix("error: ") || last.text.hasPrefix("hint: ")
    let isMarked = { (line: String) in !line.isEmpty && line.allSatisfy { " ^~".contains($0) } }
    let word = text.dropFirst(2).prefix { $0 != " " }
    guard isSentence, last.width >= Self.narrowest, !isMarked(text), !isMarked(next) else {
      return false
    }
    return last.text.widthInColumns + 1 + String(word).widthInColumns > width - 4
  }

  private static func isOutput(_ line: String) -> Bool {
    time(of: line) != nil || line.hasPrefix("error: ") || line.hasPrefix("hint: ")
  }

  /// Returns the instant at the beginning of a line, `1.000s`.
  private static func time(of line: String) -> Substring? {
    let time = line.prefix { $0 != " " }
    let digits = time.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let isTime = time.last == "s" && digits.count == 2 && digits[1].count == 3
    return isTime && time.dropLast().allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
      ? time : nil
  }

  /// Aligns instants at their ends, unless the line has nothing else, as in the output of `now`.
  private static func padded(_ line: String) -> String {
    guard let time = time(of: line), time.count < line.count else { return line }
    let missing = 9 - time.count
    return String(repeating: " ", count: max(0, missing)) + line
  }

  // MARK: Surroundings

  private static func isShellPrompt(_ line: String) -> Bool {
    ["$ ", "% ", "❯ "].contains { line.contains($0) }
      || ["$", "%", "❯"].contains { line.hasSuffix($0) }
  }

  /// Returns whether the line is the shell's greeting.
  private static func isBanner(_ line: String) -> Bool {
    line.hasSuffix("'help' lists the commands, Ctrl-D leaves.")
  }

  /// Reads a line of the fixture files at the end, or the line above them.
  private mutating func take(file line: PastedLines.Line) {
    isInFiles = true
    if Self.isFixture(line.text) {
      let name = Self.transcript(line.text).fixtures.names.first
      isInRefusedFile = name.map { !fixtureNames.insert($0).inserted } ?? true
    }
    add(isInRefusedFile ? .unknown : .fixture, line, line.text)
  }

  /// Returns whether a fixture file begins here, with a valid or an invalid name.
  private static func isFixture(_ line: String) -> Bool {
    line.hasPrefix("-- ") && transcript(line).lines.first?.kind == .fixture
  }

  /// Returns the line as a transcript.
  private static func transcript(_ line: String) -> Transcript {
    Transcript(path: "paste.transcript", bytes: Array(line.utf8))
  }

  private static func withoutBlanksAtEnd(_ text: String) -> String {
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
