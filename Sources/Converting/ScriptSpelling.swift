import Harness
import RehearsalBase
import Script

/// A script in canonical form: one command per line, at most one blank line in a row, no blanks at
/// line ends.
struct ScriptSpelling {
  /// The complete new file.
  private(set) var bytes: [UInt8] = []
  /// The lines with a character that looks like a line end but is not one. Such a script cannot be
  /// read.
  private(set) var strays: [(line: Int, problem: StrayLine)] = []

  private let table: CommandTable
  /// The number of lines before the next command.
  private var lineCount = 0
  private var isAfterBlank = false

  init(_ source: [UInt8], table: CommandTable) {
    self.table = table
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var open = OpenCommand(table: table)
    var isOpen = false
    for line in Self.lines(source.starts(with: mark) ? source.dropFirst(mark.count) : source[...]) {
      isOpen = open.add(line)
      if isOpen { continue }
      add(open.text)
      open = OpenCommand(table: table)
    }
    if isOpen { add(open.text) }
  }

  private static func lines(_ source: ArraySlice<UInt8>) -> [String] {
    var lines = source.split(separator: .lineFeed, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      String(decoding: line.last == .carriageReturn ? line.dropLast() : line, as: UTF8.self)
    }
  }

  private mutating func add(_ text: String) {
    noteHidden(in: text)
    let isBlank = text.utf8.allSatisfy(\.isBlank)
    if isBlank {
      isAfterBlank = !bytes.isEmpty
      return
    }
    if isAfterBlank { bytes.append(.lineFeed) }
    isAfterBlank = false
    let start = text.utf8.drop(while: \.isBlank)
    let isComment = start.first == UInt8(ascii: "#") && !text.utf8.contains(.lineFeed)
    let spelled =
      isComment ? Spelling.comment(Array(start)[...]) : Spelling(of: text, table: table).text
    bytes += Array(spelled.utf8) + [.lineFeed]
  }

  private mutating func noteHidden(in text: String) {
    let lineFeeds = { (part: Substring.UTF8View) in part.count { $0 == .lineFeed } }
    defer { lineCount += lineFeeds(text[...].utf8) + 1 }
    do throws(Diagnostic) {
      _ = try Script.read(text, table: table)
    } catch {
      let stray: StrayLine
      switch error.problem {
      case .lineEndLookalike(let lookalike): stray = .lookalike(lookalike)
      case .swiftExpectation: stray = .swiftExpectation
      default: return
      }
      let line = lineCount + lineFeeds(text[...].utf8.prefix(error.span.lowerBound)) + 1
      strays.append((line, stray))
    }
  }
}
