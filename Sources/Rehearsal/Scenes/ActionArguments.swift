import Script

/// What somebody wrote behind an action's name, read as its parameters ask for it.
struct ActionArguments {
  private var texts: ArraySlice<Located<String>>
  /// Where something is shown that is missing.
  private let end: Int

  init(_ texts: [Located<String>], end: Int) {
    self.texts = texts[...]
    self.end = end
  }

  mutating func next<Value>(_ parameter: SceneParameter<Value>) throws(Diagnostic) -> Value {
    guard let text = texts.popFirst() else {
      throw Diagnostic(
        .expected(parameter.placeholder, found: nil),
        at: end..<end,
        hint: parameter.candidates.isEmpty
          ? nil : "one of " + parameter.candidates.joined(separator: ", ")
      )
    }
    var parser = Parser(text.value, table: ShellCommands.table)
    do throws(Diagnostic) {
      let value = try parameter.read(&parser)
      guard parser.isAtEnd else { throw parser.expected(parameter.placeholder) }
      return value
    } catch {
      throw error.moved(by: text.span.lowerBound)
    }
  }

  func requireEnd() throws(Diagnostic) {
    guard let text = texts.first else { return }
    throw Diagnostic(
      .unexpected(text.value.printable(atMost: 30)),
      at: text.span,
      hint: "'show' tells what a member can be told"
    )
  }
}

extension Diagnostic {
  /// The same mistake in a text that begins so many bytes earlier.
  fileprivate func moved(by offset: Int) -> Diagnostic {
    Diagnostic(
      problem,
      at: span.lowerBound + offset..<span.upperBound + offset,
      hint: hint
    )
  }
}

extension Slot where Value == Located<String> {
  /// One argument of an action, as it is written: a text in quotes, JSON in brackets, or anything up
  /// to a blank.
  static let actionArgument = Slot("argument", "ARGUMENT", expecting: [.argument]) {
    parser throws(Diagnostic) in
    let start = parser.position
    if parser.isNext(byte: UInt8(ascii: "[")) || parser.isNext(byte: UInt8(ascii: "{")) {
      _ = try parser.value()
    } else {
      _ = try parser.text("an argument", example: "\"text\"")
    }
    let span = start..<parser.endOfTaken
    return Located(parser.text(span), at: span)
  }
}
