import RehearsalBase

/// The roles of the parts of an output line: of its label, or else derived from its text.
struct OutputColours {
  private(set) var colours: SessionPicture.Colours = []

  init(_ line: String, _ label: OutputLine.Label?) {
    let characters = Array(line)
    if let label, let role = Self.role(of: label.kind) {
      colours = [(label.range, role)]
    } else if line == "ok" {
      colours = [(0..<2, .succeeded)]
    } else if characters.allSatisfy({ " ^~".contains($0) }) {
      colours = [(0..<characters.count, .mistake)]
    } else {
      addSigns(of: characters)
      addWords(of: characters)
      addTime(of: characters)
    }
  }

  private static func role(of label: OutputLine.Kind) -> SessionPicture.Role? {
    switch label {
    case .error: .mistake
    case .hint: .verb
    case .note: nil
    }
  }

  // MARK: Parts

  /// Colours the instant and the name at the beginning: `     1.000s  profile`. A line of instants
  /// is an axis.
  private mutating func addTime(of line: [Character]) {
    let words = Self.words(of: line)
    let isInstant = words.map { word in
      line[word.lowerBound].isNumber && (line[word].last == "s" || line[word].contains(":"))
    }
    guard isInstant.first == true else { return }
    for (range, isInstant) in zip(words, isInstant).prefix(while: \.1) where isInstant {
      colours.append((range, .dim))
    }
    let isEvent = words.count > 2 && !isInstant[1] && words[1].lowerBound - words[0].upperBound == 2
    if isEvent { colours.append((words[1], .name)) }
  }

  private static func words(of line: [Character]) -> [Range<Int>] {
    line.indices.split { line[$0] == " " }.map { $0.startIndex..<$0.endIndex }
  }

  /// Colours the symbols of pictures and arrows.
  private mutating func addSigns(of line: [Character]) {
    for (index, character) in line.enumerated() {
      guard let role = Self.signs[character] else { continue }
      colours.append((index..<index + 1, role))
    }
  }

  private static let signs: [Character: SessionPicture.Role] = [
    "→": .dim, "┈": .dim, "┄": .dim, "○": .dim, "├": .dim, "─": .dim, "┼": .dim, "┤": .dim,
    "═": .dim,
    "│": .dim, "┣": .inFlight, "━": .inFlight, "┫": .inFlight, "╋": .inFlight, "●": .inFlight,
    "↻": .inFlight,
    "✓": .succeeded, "✗": .failed,
  ]

  /// Colours quoted texts and the names of states.
  private mutating func addWords(of line: [Character]) {
    var index = 0
    while index < line.count {
      let start = index
      if line[index] == "\"" {
        index = Self.endOfText(in: line, from: index)
        colours.append((start..<index, .string))
      } else if line[index].isLetter {
        while index < line.count, line[index].isLetter || line[index].isNumber { index += 1 }
        if let role = Self.states[String(line[start..<index])] {
          colours.append((start..<index, role))
        }
      } else {
        index += 1
      }
    }
  }

  private static func endOfText(in line: [Character], from quote: Int) -> Int {
    var index = quote + 1
    while index < line.count, line[index] != "\"" { index += line[index] == "\\" ? 2 : 1 }
    return min(index + 1, line.count)
  }

  private static let states: [String: SessionPicture.Role] = [
    "absent": .resting, "idle": .resting, "loading": .inFlight, "running": .inFlight,
    "loaded": .succeeded, "finished": .succeeded, "error": .failed, "failed": .failed,
  ]
}
