import LibC
import Rehearsal

/// A temporary folder of transcripts that pass.
struct TranscriptFolder {
  let path: String
  let count: Int

  /// Plays and writes a number of transcripts; nil if they cannot be written.
  init?(count: Int) {
    guard let folder = TemporaryName.folder() else { return nil }
    path = folder
    self.count = count
    for index in 0..<count {
      guard let file = fopen(filePath(index), "w") else { return nil }
      defer { fclose(file) }
      fputs(Self.transcript(index), file)
    }
    // Pending disk writes must not influence the figures.
    sync()
  }

  func remove() {
    for index in 0..<count { unlink(filePath(index)) }
    rmdir(path)
  }

  func filePath(_ index: Int) -> String { "\(path)/\(index).transcript" }

  /// The six commands of a transcript: a load that is cancelled or replaced before its end.
  static func commands(_ index: Int) -> [String] {
    let isReplaced = index.isMultiple(of: 2)
    return [
      "loadable profile: String",
      "load profile \"old \(index)\" after 3s",
      "wait \(1 + index % 2)s",
      isReplaced ? "load profile \"new \(index)\" after 1s" : "cancel profile",
      "settle",
      isReplaced ? "expect profile loaded \"new \(index)\"" : "expect profile absent",
    ]
  }

  /// Plays the commands in a new session; `output` receives its lines.
  static func play(_ commands: [String], output: @escaping @MainActor (String) -> Void) {
    let host = SessionHost(files: MemoryFiles(), keepsLog: false, output: output)
    for command in commands {
      host.perform(command)
      precondition(!host.hasFailed, "The commands of a benchmark succeed.")
    }
    host.end()
  }

  /// The commands of a transcript with their output.
  static func exchanges(_ index: Int) -> [Exchange] {
    let played = PlayedExchanges()
    let output = { @MainActor (line: String) in played.add(line) }
    let host = SessionHost(files: MemoryFiles(), keepsLog: false, output: output)
    for command in commands(index) {
      played.exchanges.append(Exchange(command: command))
      host.perform(command)
    }
    host.end()
    return played.exchanges
  }

  private static func transcript(_ index: Int) -> String {
    var text = "# A load that is disturbed, for the benchmark.\n"
    for exchange in exchanges(index) {
      text += TranscriptText.command(exchange.command)
      for line in exchange.output { text += "  \(line)\n" }
    }
    return text
  }
}

/// A command and the lines that it prints.
struct Exchange {
  let command: String
  var output: [String] = []
}

/// The transcript that is being played. Confined to the thread that plays the session.
private final class PlayedExchanges: @unchecked Sendable {
  var exchanges: [Exchange] = []

  func add(_ line: String) { exchanges[exchanges.count - 1].output.append(line) }
}
