@testable import Script

/// A shell of one command, `pipe = PIPE`.
enum PipeScript {
  static let slot = Slot<PipeSpec>("pipe", "PIPE") { parser throws(Diagnostic) in
    try parser.pipe()
  }

  static let table = CommandTable([
    CommandDefinition(
      "pipe",
      topic: .members,
      summary: "Makes a pipe.",
      arguments: [.slot(slot)],
      examples: []
    )
  ])

  static func spec(_ text: String) throws -> PipeSpec? {
    guard case .command(let command) = try Script.read("pipe " + text, table: table) else {
      return nil
    }
    return command.arguments[slot]
  }

  /// Returns the mistake in a pipe: the words at its place, the message and the hint.
  static func mistake(in text: String) -> [String]? {
    let text = "pipe " + text
    do {
      guard case .unfinished(let diagnostic) = try Script.read(text, table: table) else {
        return nil
      }
      return words(of: diagnostic, in: text)
    } catch {
      return words(of: error, in: text)
    }
  }

  private static func words(of diagnostic: Diagnostic, in text: String) -> [String] {
    let bytes = Array(text.utf8)[diagnostic.span]
    return [
      String(decoding: bytes, as: UTF8.self), diagnostic.problem.sentence, diagnostic.hint ?? "",
    ]
  }
}
