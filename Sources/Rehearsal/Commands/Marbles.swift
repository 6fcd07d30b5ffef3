import Pipelines
import RehearsalBase
import Script

extension ShellCommand {
  static let marble = ShellCommand(
    definition: CommandDefinition(
      "marble",
      topic: .pipes,
      summary: "Sends a marble diagram into an input, or makes a source of it.",
      details: [
        "Every sign takes one tick, 100ms by default; 'tick D' changes it. A letter or a digit is a value, '-' is a tick without event, '|' is the end and '#' an error. Signs in parentheses happen in the same tick. Blanks have no meaning. By default a letter is its own text and a digit its own number; 'with' sets other values. 'fail ERROR' sets the error of '#'.",
        "If an input of the name exists, the values of the diagram go into it from now on. Otherwise the command creates a source, which sends the values from the beginning to each subscriber.",
      ],
      arguments: [
        .slot(diagram), .keyword("as"), .slot(target),
      ],
      clauses: [
        .sequence([.keyword("tick"), .slot(tick)]),
        .sequence([.keyword("with"), .slot(meanings)]),
        .sequence([.keyword("fail"), .slot(failure)]),
      ],
      meanings: [
        "as": "the name of the input or source", "tick": "the time of one sign",
        "with": "the values of the letters", "fail": "the error of '#'",
      ],
      examples: [
        """
        > input key
        > pipe quiet = key | debounce 250ms
        > marble "ab---c|" as key with c {"code": 99}
             0.000s  key  "a"
        > settle
             0.100s  key  "b"
             0.350s  quiet  "b"
             0.500s  key  {"code": 99}
             0.600s  key  finished
             0.600s  quiet  finished
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(target)
    let marble = arguments.required(diagram)
    let tick = try session.tick(arguments[tick])
    let letters = arguments[meanings] ?? []
    try marble.value.check(letters, failure: arguments[failure]?.span)
    let values = Dictionary(uniqueKeysWithValues: letters.map { ($0.letter.value, $0.value) })
    let error = arguments[failure]?.value ?? MarbleMember.usualError
    if session.members[name.value] != nil {
      let input = try session.input(name)
      return try input.play(marble, tick: tick, values: values, error: error)
    }
    session.members.add(
      MarbleMember(
        name: try ReservedWords.require(name, noneOf: ReservedWords.forMembers).value,
        marble: marble.value,
        tick: tick,
        values: values,
        error: error,
        session: session
      )
    )
  }

  private static let diagram = Slot<Located<Marble>>("diagram", "\"DIAGRAM\"") {
    parser throws(Diagnostic) in
    guard parser.isNext(byte: UInt8(ascii: "\"")) else {
      parser.expect(.sample("a marble diagram", example: "\"a-b--c|\""))
      throw parser.expected("a marble diagram", hint: "write it in quotes, as in \"a-b--c|\"")
    }
    return try parser.marble()
  }

  private static let target = Slot<Located<String>>("name", "NAME", expecting: [.input]) {
    parser throws(Diagnostic) in try parser.newName("a name")
  }

  private static let tick = Slot<Located<Duration>>.duration("tick")

  private static let failure = Slot<Located<ErrorSpec>>("failure", "ERROR") {
    parser throws(Diagnostic) in try parser.error()
  }

  private static let meanings = Slot<[MarbleLetter]>("meanings", "LETTER VALUE, …") {
    parser throws(Diagnostic) in
    var meanings: [MarbleLetter] = []
    repeat {
      let letter = try parser.marbleLetter()
      guard !meanings.contains(where: { $0.letter.value == letter.value }) else {
        throw Diagnostic(
          .repeatedLetter(letter.value),
          at: letter.span,
          hint: "give each letter one value"
        )
      }
      meanings.append(MarbleLetter(letter: letter, value: try parser.value().value))
    } while parser.accept(byte: UInt8(ascii: ","))
    return meanings
  }
}

/// A letter of a diagram with its value.
private struct MarbleLetter {
  let letter: Located<Character>
  let value: JSONValue
}

extension Marble {
  /// Throws an error if a letter that has a value, or the `#` that has an error, is not in the
  /// diagram.
  fileprivate func check(
    _ letters: [MarbleLetter],
    failure: Range<Int>?
  ) throws(Diagnostic) {
    let events = Set(moments.map(\.event))
    for letter in letters.map(\.letter) where !events.contains(.value(letter.value)) {
      throw Diagnostic(
        .notDrawn(letter.value),
        at: letter.span,
        hint: "remove it, or add it to the diagram"
      )
    }
    guard let failure, !events.contains(.failed) else { return }
    throw Diagnostic(.notDrawn("#"), at: failure, hint: "add '#' to the diagram where it fails")
  }
}

extension Parser {
  /// Reads a diagram. An error points to the sign in the command.
  fileprivate mutating func marble() throws(Diagnostic) -> Located<Marble> {
    let text = try text("a marble diagram", example: "\"a-b--c|\"")
    do throws(MarbleProblem) {
      return Located(try Marble(text.value), at: text.span)
    } catch {
      throw Diagnostic(
        .malformedMarble(error.description.printable(atMost: 100)),
        at: place(of: Self.sign(at: error.offset, of: text.value), inText: text.span),
        hint: "'help marble' explains the signs"
      )
    }
  }

  private static func sign(at offset: Int, of text: String) -> Range<Int> {
    let index = text.utf8.index(text.startIndex, offsetBy: offset)
    return offset..<offset + (index < text.endIndex ? text[index].utf8.count : 0)
  }

  fileprivate mutating func marbleLetter() throws(Diagnostic) -> Located<Character> {
    expect(.sample("a letter of the diagram", example: "a"))
    let hint = "as in 'with a 1, b {\"x\": 2}'"
    guard let range = wordRange(), range.count == 1, let letter = text(range).first else {
      throw expected("a letter of the diagram", hint: hint)
    }
    take(to: range.upperBound)
    return Located(letter, at: range)
  }
}

@MainActor extension Session {
  /// Returns the time of one sign; 100 ms by default.
  fileprivate func tick(_ tick: Located<Duration>?) throws(Diagnostic) -> Duration {
    guard let tick else { return .milliseconds(100) }
    guard tick.value > .zero else {
      throw Diagnostic(
        .numberOutOfRange(tick.value.compact, allowed: "longer than 0s"),
        at: tick.span,
        hint: "put signs of one instant into parentheses: \"(ab)\""
      )
    }
    return tick.value
  }
}
