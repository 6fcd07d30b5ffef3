import Harness
import RehearsalBase
import Script

/// Tells apart, line by line, what was typed and what was printed.
struct PasteReader {
  private(set) var parts: [ImportedPart] = []
  /// The lines of its files, which stand at the end.
  private(set) var fixtures: [ImportedPart] = []
  private var fixtureNames: Set<String> = []

  private let lines: [PastedLines.Line]
  private let table: CommandTable
  private let prompts: PastedPrompts
  /// How wide the terminal was, as far as its lines tell.
  private let width: Int
  /// Whether it may have broken lines.
  private let breaksLines: Bool
  /// The lines before which two blanks were lost on the way, if they are output.
  private let unindented: Set<Int>
  private var open: OpenCommand?
  private var hasCommand = false
  private var isOver = false
  /// Whether the files at the end have begun.
  private var isInFiles = false
  /// Whether what stands here belongs to a file that a transcript cannot have.
  private var isInRefusedFile = false
  /// The line below the one that is taken.
  private var next = ""
  /// How deeply the line above it was quoted.
  private var depthAbove = 0

  /// Narrower terminals are not thought of: what fills a short line is chance.
  private static let narrowest = 40
  /// In narrower ones a single line that is as long as can be is chance, too.
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

  /// The numbers of lines that lost their indentation: all where no line has any, or else those of an exchange,
  /// down to an empty line. What can only be output lost it, whatever stands around it.
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
    if line.isBehindFence { return add(.unknown, line, line.text) }
    if isInFiles { return take(file: line) }
    if isOver { return add(.unknown, line, line.text) }
    if let typed = prompts.typed(in: line.text) { return take(typed: typed, line) }
    if line.text.isEmpty, open == nil { return }
    if goOn(line) { return }
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

  // MARK: What was typed

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

  /// A chat may have made the quotes of texts round.
  private func mended(_ text: String) -> String {
    let straight = String(text.map { "\u{201C}\u{201D}\u{201E}".contains($0) ? "\"" : $0 })
    guard straight != text, (try? Script.read(text, table: table)) == nil,
      (try? Script.read(straight, table: table)) != nil
    else { return text }
    return straight
  }

  /// Takes a line that goes on with the one before: of a command, or behind the right end of the terminal.
  private mutating func goOn(_ line: PastedLines.Line) -> Bool {
    guard let last = parts.last, last.kind != .unknown else { return false }
    let isTyped = last.kind == .command || last.kind == .continuation
    if isTyped, line.text == "." || line.text.hasPrefix(". ") {
      goOn(with: String(line.text.dropFirst(2)), line)
    } else if isWrapped(line, behind: last) {
      parts[parts.count - 1].text =
        isTyped ? whole(last, line.text) : last.text + seam(last) + line.text
      parts[parts.count - 1].width = line.text.widthInColumns
      parts[parts.count - 1].number = line.number
      if isTyped { reopen() }
    } else if open != nil, !line.text.hasPrefix("  ") {
      goOn(with: line.text, line)
    } else {
      return false
    }
    return true
  }

  private mutating func goOn(with text: String, _ line: PastedLines.Line) {
    add(.continuation, line, text)
    if open?.add(text) == false { open = nil }
  }

  /// A terminal breaks what does not fit wherever it ends; a blank there is not copied.
  private func isWrapped(_ line: PastedLines.Line, behind last: ImportedPart) -> Bool {
    guard breaksLines, last.width >= width - 1, !line.text.isEmpty,
      line.number == last.number + 1, line.depth == depthAbove
    else { return false }
    let isOther =
      Self.isShellPrompt(line.text) || Self.isFixture(line.text) || Self.isOutput(line.text)
    return !isOther && !line.text.hasPrefix("  ") && !line.text.hasPrefix("#")
  }

  /// What stood between two parts of a broken line.
  private func seam(_ last: ImportedPart) -> String { last.width == width ? "" : " " }

  /// A broken line of a command; where only one of both ways to join it can be read, joined that way.
  private func whole(_ last: ImportedPart, _ rest: String) -> String {
    let likely = last.text + seam(last) + rest
    let other = last.text + (seam(last).isEmpty ? " " : "") + rest
    let isReadable = { (text: String) in (try? Script.read(text, table: table)) != nil }
    return !isReadable(likely) && isReadable(other) ? other : likely
  }

  /// Reads the command at the end once more: a line of it has become longer.
  private mutating func reopen() {
    guard let first = parts.lastIndex(where: { $0.kind == .command }) else { return }
    var command = OpenCommand(table: table)
    var isOpen = false
    for part in parts[first...] { isOpen = command.add(part.text) }
    open = isOpen ? command : nil
  }

  // MARK: What was printed

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

  /// Whether a sentence about a mistake goes on here: the shell breaks it where the next word does not fit.
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

  /// The instant that a line begins with, `1.000s`.
  private static func time(of line: String) -> Substring? {
    let time = line.prefix { $0 != " " }
    let digits = time.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let isTime = time.last == "s" && digits.count == 2 && digits[1].count == 3
    return isTime && time.dropLast().allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
      ? time : nil
  }

  /// Instants stand one below the other by their ends, unless nothing follows, as 'now' prints them.
  private static func padded(_ line: String) -> String {
    guard let time = time(of: line), time.count < line.count else { return line }
    let missing = 9 - time.count
    return String(repeating: " ", count: max(0, missing)) + line
  }

  // MARK: What is around it

  private static func isShellPrompt(_ line: String) -> Bool {
    ["$ ", "% ", "❯ "].contains { line.contains($0) }
      || ["$", "%", "❯"].contains { line.hasSuffix($0) }
  }

  /// The greeting of the shell.
  private static func isBanner(_ line: String) -> Bool {
    line.hasSuffix("'help' lists the commands, Ctrl-D leaves.")
  }

  /// Takes a line of the files at the end, or the one above them.
  private mutating func take(file line: PastedLines.Line) {
    isInFiles = true
    if Self.isFixture(line.text) {
      let name = Self.transcript(line.text).fixtures.names.first
      isInRefusedFile = name.map { !fixtureNames.insert($0).inserted } ?? true
    }
    add(isInRefusedFile ? .unknown : .fixture, line, line.text)
  }

  /// Whether a file of the transcript begins here, or would if it could have that name.
  private static func isFixture(_ line: String) -> Bool {
    line.hasPrefix("-- ") && transcript(line).lines.first?.kind == .fixture
  }

  /// What a transcript makes of a line.
  private static func transcript(_ line: String) -> Transcript {
    Transcript(path: "paste.transcript", bytes: Array(line.utf8))
  }

  private static func withoutBlanksAtEnd(_ text: String) -> String {
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
