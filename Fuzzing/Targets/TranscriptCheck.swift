import Harness

/// Plays transcripts against a program that prints the words of the commands, and updates them.
struct TranscriptCheck {
  let path: String
  /// The output of every command; nil if each command prints its own words.
  var printed: [String]?

  static let words = [
    "\n> ", "\n. ", "\n  ", "\n# ", "\n-- f --\n", "...", "[..]", "{{", "}}", "{{a:", "{{a}}",
    "[0-9]+",
    "(a|b)*", ".*", "\\d", "\r\n", "\t", "\n<<<<<<< x\n", "\n=======\n", "\u{FEFF}", "  ", "é",
  ]

  func check(_ bytes: [UInt8]) throws(Finding) {
    guard FileBytes.firstLineNotUTF8(bytes) == nil else { return }
    var bytes = bytes
    let count = transcripts(bytes).count
    for index in 0..<count {
      bytes = try update(bytes, index)
      try require(
        transcripts(bytes).count == count,
        "another number of transcripts after the update"
      )
    }
    for transcript in transcripts(bytes) {
      let failures = transcript.replay(with: performer)
      // If the update is not possible, for example because of commands after the end of the
      // session, the file must not change.
      guard failures.allSatisfy(\.isAcceptable) else { continue }
      try require(failures.isEmpty, "updated, and fails: \(failures) in\n\(Self.text(bytes))")
    }
  }

  private func transcripts(_ bytes: [UInt8]) -> [Transcript] {
    Transcripts.parse(path, bytes, for: "rehearse")
  }

  /// Accepts the output of one of the transcripts.
  private func update(_ bytes: [UInt8], _ index: Int) throws(Finding) -> [UInt8] {
    let transcript = transcripts(bytes)[index]
    let (failures, updated) = transcript.update(with: performer)
    try require(failures == transcript.replay(with: performer), "plays differently")
    let lines = Self.lineCount(bytes)
    for failure in failures {
      try require((0...lines).contains(failure.line), "line \(failure.line) of \(lines)")
    }
    guard failures.allSatisfy(\.isAcceptable) else { return bytes }
    try require(!failures.isEmpty || updated == bytes, "it passes, and the update changes it")
    return updated
  }

  /// The number of lines. In Markdown a carriage return ends a line, too, if no line feed follows.
  private static func lineCount(_ bytes: [UInt8]) -> Int {
    let isLoneReturn = { bytes[$0] == 0x0D && bytes.dropFirst($0 + 1).first != 0x0A }
    return 1 + bytes.indices.count { bytes[$0] == 0x0A || isLoneReturn($0) }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private var performer: PerformerFactory { { _, _ in Parrot(printed: printed) } }
}

/// A performer that prints the words of a command, one line per comma; `quit` ends the session.
private final class Parrot: CommandPerformer {
  private let printed: [String]?

  init(printed: [String]?) {
    self.printed = printed
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    for line in printed ?? words(of: command) { output(line) }
    return command != "quit"
  }

  private func words(of command: String) -> [String] {
    command.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D })
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func finish() {}
}
