import RehearsalBase
package import Script

/// A value of an option: reads it from text, and refuses invalid ones.
package struct OptionValue: Sendable {
  package let option: SessionOption
  /// The value as in a command.
  package let text: String

  /// Reads the value of an option from a text.
  ///
  /// - Throws: a `Diagnostic` if the option cannot have that value.
  package init(_ option: SessionOption, _ text: String) throws(Diagnostic) {
    var parser = Parser(text, table: .empty)
    self = try parser.value(of: option)
    guard parser.isAtEnd else {
      throw Diagnostic(
        .unexpected(parser.text(parser.nextSpan).printable(atMost: 30)),
        at: parser.nextSpan
      )
    }
  }

  fileprivate init(_ option: SessionOption, checked text: String) {
    self.option = option
    self.text = text
  }

  /// The command that sets the value.
  package var command: String { "set \(option.name) \(text)" }

  func apply(to settings: inout Settings) {
    var parser = Parser(text, table: .empty)
    // The text was read before, so reading cannot fail.
    try? option.read(&settings, &parser)
  }
}

extension Parser {
  /// Reads the value of an option, after its name.
  mutating func value(of option: SessionOption) throws(Diagnostic) -> OptionValue {
    var settings = Settings()
    try option.read(&settings, &self)
    return OptionValue(option, checked: option.text(settings))
  }

  /// Reads the name of an option.
  mutating func option() throws(Diagnostic) -> SessionOption {
    let name = try word("an option")
    guard let option = SessionOption.named(name.value) else {
      let names = SessionOption.all.map(\.name)
      throw Diagnostic(
        .unknownOption(name.value.printable(atMost: 30)),
        at: name.span,
        hint: Suggestion.hint(for: name.value, in: names)
          ?? "the options are \(names.joined(separator: ", "))"
      )
    }
    return option
  }
}
