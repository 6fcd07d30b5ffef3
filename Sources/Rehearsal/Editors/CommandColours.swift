import Script
package import Timelines

/// What the parts of a command mean to the eye, found word by word, so that a mistake in it changes
/// nothing about the rest.
package struct CommandColours {
  /// The parts, by their characters.
  package private(set) var colours: SessionPicture.Colours = []
  private let characters: [Character]
  private var isVerbNext = true
  private var wordsOfCommand = 0

  /// The parts of a command, which may have several lines.
  package init(_ command: String) {
    characters = Array(command)
    var index = 0
    while index < characters.count { index = addPart(from: index) }
  }

  /// Adds what begins at a place, and returns where it ends.
  private mutating func addPart(from start: Int) -> Int {
    switch characters[start] {
    case "\"": return add(.string, from: start, to: endOfText(from: start))
    case "#":
      let isNumber = start + 1 < characters.count && characters[start + 1].isNumber
      return isNumber
        ? add(.number, from: start, to: endOfWord(from: start + 1))
        : add(.comment, from: start, to: endOfLine(from: start))
    case let first where Self.isOfWords(first): return addWord(from: start)
    case "|":
      isVerbNext = false
      return add(.keyword, from: start, to: start + 1)
    case "/": return endOfPath(from: start)
    default: return start + 1
    }
  }

  private mutating func addWord(from start: Int) -> Int {
    let end = endOfWord(from: start)
    let word = String(characters[start..<end])
    wordsOfCommand += 1
    if isVerbNext {
      isVerbNext = false
      wordsOfCommand = 1
      return add(Self.verbs.contains(word) ? .verb : .plain, from: start, to: end)
    }
    if characters[start].isNumber {
      isVerbNext = isLater && wordsOfCommand == 2
      return add(.number, from: start, to: end)
    }
    if word == "do" { isVerbNext = true }
    if Self.literals.contains(word) { return add(.number, from: start, to: end) }
    guard Self.keywords.contains(word) else {
      return wordsOfCommand == 2 ? add(.name, from: start, to: end) : end
    }
    return add(.keyword, from: start, to: end)
  }

  /// Whether the command is `in D …` or `at T …`, and so holds another one.
  private var isLater: Bool {
    guard let verb = colours.last(where: { $0.role == .verb })?.range else { return false }
    return ["in", "at"].contains(String(characters[verb]))
  }

  private mutating func add(_ role: SessionPicture.Role, from start: Int, to end: Int) -> Int {
    colours.append((start..<end, role))
    return end
  }

  // MARK: Where things end

  private func endOfText(from quote: Int) -> Int {
    var index = quote + 1
    while index < characters.count, characters[index] != "\"" {
      index += characters[index] == "\\" ? 2 : 1
    }
    return min(index + 1, characters.count)
  }

  private func endOfWord(from start: Int) -> Int {
    characters[start...].firstIndex { !Self.isOfWords($0) } ?? characters.count
  }

  private func endOfLine(from start: Int) -> Int {
    characters[start...].firstIndex(of: "\n") ?? characters.count
  }

  private func endOfPath(from start: Int) -> Int {
    characters[start...].firstIndex { $0 == " " || $0 == "\n" } ?? characters.count
  }

  private static func isOfWords(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_-.".contains(character)
  }

  private static let verbs = Set(Vocabulary.shell.verbs)
  private static let literals: Set<String> = ["true", "false", "null"]
  private static let keywords = Set(
    Vocabulary.shell.keywords + Vocabulary.shell.operators + Vocabulary.shell.states
      + Vocabulary.shell.methods
  )
}
