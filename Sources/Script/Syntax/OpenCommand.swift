/// A command that is read line by line, and knows after each line whether it continues in the next.
///
/// It agrees with `Script.isUnfinished` about the text so far, in time proportional to the text: it
/// parses the command again only if the open value may have ended.
package struct OpenCommand {
  /// The lines so far, separated by line breaks.
  package private(set) var text = ""

  private let table: CommandTable
  private var hasLines = false
  /// The JSON value at the end of the text, if there is one.
  private var value: OpenValue?
  /// The size at which a command that is open elsewhere is parsed again.
  private var nextParse = 0
  /// Whether it is open between two words of a pipe, which has a limited number of words.
  private var isInPipe = false

  /// The maximum size of an open shape that is parsed with every line, to find mistakes at once.
  private static let smallText = 4096

  package init(table: CommandTable) {
    self.table = table
  }

  /// Adds a line. Returns whether a bracket or a quote is open after it.
  package mutating func add(_ line: String) -> Bool {
    let piece = hasLines ? "\n" + line : line
    text += piece
    hasLines = true
    guard text.utf8.count <= Script.longestCommand else { return false }
    if value != nil {
      if value?.read(Array(piece.utf8)[...]) == .open { return true }
    } else if isInPipe, Self.saysNothing(line) {
      return true
    } else if text.utf8.count < nextParse, !line.utf8.contains(UInt8(ascii: "}")) {
      return true
    }
    return parse()
  }

  private mutating func parse() -> Bool {
    value = nil
    nextParse = 0
    isInPipe = false
    switch Script.openPlace(in: text, table: table) {
    case nil: return false
    case .value(let start):
      value = OpenValue()
      _ = value?.read(Array(text.utf8)[start...])
    case .pipe: isInPipe = true
    case .elsewhere:
      let size = text.utf8.count
      if size > Self.smallText { nextParse = 2 * size }
    }
    return true
  }

  /// Whether a line is blank or a comment.
  private static func saysNothing(_ line: String) -> Bool {
    guard let first = line.utf8.first(where: { $0 > 0x20 }) else { return true }
    return first == UInt8(ascii: "#") && Parser(line, table: .empty).isAtEnd
  }
}
