import Harness
import Rehearsal
import Scenes
import Script

/// Whole sessions: their output must be a transcript that passes, except for unperformed commands
/// and checks.
struct SessionTarget: FuzzTarget {
  let name = "session"

  var words: [String] {
    CommandTarget().words + CommandGrammar.names + [
      "\nsettle", "\nwait 1s\n", "\nundo\n", "\nrewind 1s\n",
    ]
  }

  /// Maximum number of commands of one session.
  private static let mostCommands = 60

  func pieces(of golden: [UInt8]) -> [[UInt8]] { [golden] }

  func compose(_ random: inout Randomness) -> [UInt8]? {
    let grammar = CommandGrammar(table: ShellCommands.table)
    var lines = [
      "loadable a: Int", "loadable b: JSON = 1", "process c", "input d: String",
      "route GET /x 200 json {\"id\": 1} after 1s", "pipe e = d | debounce 1s",
    ]
    .filter { _ in !random.once(in: 4) }
    for _ in 0...random.below(10) { lines.append(grammar.command(&random)) }
    return Array(lines.joined(separator: "\n").utf8)
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    var text = ""
    let performer = Self.performer()
    for command in ScriptFile(bytes).commands.prefix(Self.mostCommands)
    where Self.isMeant(command.text) {
      text += TranscriptText.command(command.text)
      var odd: String?
      let continues = performer.perform(command.text) { line in
        text += "  " + line + "\n"
        if !Self.isPlain(line) { odd = line }
      }
      if let odd { throw Finding("'\(command.text)' printed \(Array(odd.utf8))") }
      if !continues { break }
    }
    performer.finish()
    try Self.replay(text)
  }

  /// Whether the command is suitable: `simulate` crashes and hangs on purpose, a scene with a crash
  /// is part of the zoo, `explore` has no time limit, and a transcript has no carriage returns.
  static func isMeant(_ command: String) -> Bool {
    !command.allSatisfy { $0 == " " || $0 == "\t" || $0 == "\n" } && !command.contains("simulate")
      && !command.utf8.contains(UInt8(ascii: "\r"))
      && !command.contains("explore") && !command.contains("zoo-playlist")
  }

  private static func performer() -> SessionPerformer {
    SessionPerformer(fixtures: Fixtures(), folder: "/nowhere", scenes: Scenes.all)
  }

  static func replay(_ text: String) throws(Finding) {
    let transcript = Transcript(path: "fuzz.transcript", bytes: Array(text.utf8))
    let failures = transcript.replay { _, _ in Self.performer() }.filter { failure in
      if case .unperformed = failure.problem { false } else { true }
    }
    guard let first = failures.first, first.problem != .noCommand else { return }
    let diff = first.diff.map { "\($0.mark) \($0.text)" }.joined(separator: "\n")
    throw Finding(
      "line \(first.line): \(first.message) \(first.command ?? "")\n\(diff)\nin\n\(text)"
    )
  }

  /// Whether a line is a single line without characters that control a terminal.
  private static func isPlain(_ line: String) -> Bool {
    line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
