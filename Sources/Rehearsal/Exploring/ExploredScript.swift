package import Exploring
import Script
import Staging

/// Commands that are performed again and again, each time in a session of its own and by another schedule.
package struct ExploredScript: Sendable {
  /// A command and, of a transcript, nothing else.
  package let commands: [String]
  private let makeFiles: @Sendable () -> any SessionFiles
  private let scenes: [Scene]
  /// Commands that fail in plain order, by their places: a transcript may show failures.
  private let failing: Set<Int>

  /// What keeps a script from being explored: a command that fails already in plain order, or that chooses an
  /// order itself.
  package struct Refusal: Error {
    package let command: String
    package let lines: [String]
  }

  /// - Throws: `Refusal` where a command of a script fails in plain order.
  package init(_ file: Playable, scenes: [Scene]) throws(Refusal) {
    commands = file.commands.filter { !CommandText.isBlank($0) }
    makeFiles = { file.files }
    self.scenes = scenes
    let plain = Self.perform(commands, makeFiles(), scenes, ListedDecisions(Schedule())) { _, _ in
      true
    }
    failing = Set(plain.indices.filter { plain[$0].hasFailed })
    if file.stopsAtFailure, let first = failing.min() {
      throw Refusal(command: commands[first], lines: plain[first].lines)
    }
  }

  /// One run.
  package func play(_ decisions: Decisions) -> RunOutcome {
    var failure: RunFailure?
    let passages = Self.perform(commands, makeFiles(), scenes, decisions) {
      [failing] place, passage in
      guard passage.hasFailed, !failing.contains(place) else { return true }
      failure = RunFailure(rule: "'\(commands[place])'", what: passage.lines.first ?? "it failed")
      return false
    }
    return RunOutcome(
      seen: passages.flatMap(\.lines),
      counted: passages.flatMap { Self.counted($0.lines) },
      failure: failure
    )
  }

  /// A run by a schedule, as a transcript has it: the schedule comes first.
  package func passages(by schedule: Schedule) -> [Passage] {
    let decisions = ListedDecisions(schedule)
    let passages = Self.perform(commands, makeFiles(), scenes, decisions) {
      [failing] place, passage in
      !passage.hasFailed || failing.contains(place)
    }
    if schedule.isPlain { return passages }
    return [Passage(command: "schedule \(schedule)", lines: [], hasFailed: false)] + passages
  }

  // MARK: Performing

  /// A command and its output.
  package struct Passage: Sendable {
    package let command: String
    package let lines: [String]
    package let hasFailed: Bool
  }

  /// Performs the commands, as long as `goesOn` says so.
  private static func perform(
    _ commands: [String],
    _ files: any SessionFiles,
    _ scenes: [Scene],
    _ decisions: Decisions,
    _ goesOn: (Int, Passage) -> Bool
  ) -> [Passage] {
    nonisolated(unsafe) var lines: [String] = []  // Only this thread performs.
    let host = SessionHost(files: files, scenes: scenes, keepsLog: false) { lines.append($0) }
    defer { host.end() }
    host.decide(by: decisions)
    var passages: [Passage] = []
    for (place, command) in commands.enumerated() {
      let isLast = !host.perform(command)
      passages.append(Passage(command: command, lines: lines, hasFailed: host.hasFailed))
      lines.removeAll()
      if !goesOn(place, passages[place]) || isLast { break }
    }
    return passages
  }

  /// What counts of a command's output: of what happened at one instant, in one order.
  ///
  /// That two members changed at the same instant nobody can tell apart from that they did so in the other
  /// order. Each line says from which state to which, so that orders that do matter still differ.
  private static func counted(_ lines: [String]) -> [String] {
    var counted: [String] = []
    var start = 0
    while start < lines.count {
      guard let instant = instant(of: lines[start]) else {
        counted.append(lines[start])
        start += 1
        continue
      }
      let end = lines[start...].firstIndex { Self.instant(of: $0) != instant } ?? lines.count
      counted += lines[start..<end].sorted()
      start = end
    }
    return counted
  }

  /// The instant that a line begins with; nil where it begins with something else.
  private static func instant(of line: String) -> Substring? {
    guard let word = line.split(separator: " ", maxSplits: 1).first, line.first == " ",
      word.utf8.first?.isDigit == true, word.utf8.last == UInt8(ascii: "s")
    else { return nil }
    return word
  }
}
