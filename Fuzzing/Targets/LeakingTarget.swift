import CHeap
import Rehearsal
import Scenes

/// Whole sessions, repeated many times. Each must release its memory.
struct LeakingTarget: FuzzTarget {
  let name = "leaking"
  let isAlone = true

  var words: [String] { SessionTarget().words + PruningTarget().words }

  private static let mostCommands = 20
  /// Minimum size of a leak per session, in bytes. A single task is larger.
  private static let bytesOfOne = 100

  func pieces(of golden: [UInt8]) -> [[UInt8]] { [golden] }

  func compose(_ random: inout Randomness) -> [UInt8]? {
    switch random.below(4) {
    case 0: SessionTarget().compose(&random)
    case 1: ExploringTarget().compose(&random)
    case 2: AssertionTarget().compose(&random)
    default: PruningTarget().compose(&random)
    }
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    let commands = ScriptFile(bytes).commands.map(\.text).filter(Self.isMeant)
      .prefix(Self.mostCommands)
    guard !commands.isEmpty else { return }
    try require(Self.bytesInUse > 0, "this C library does not report the memory in use")
    Self.play(commands, times: 3)
    // A cache does not grow in each of several rounds, and neither does a table that grows in
    // steps. Free memory that the C library keeps counts as used, but is small compared to many
    // sessions.
    let turns = [4, 8, 40, 40]
    var before = Self.bytesInUse
    var least = Int.max
    for times in turns {
      Self.play(commands, times: times)
      let now = Self.bytesInUse
      least = min(least, (now - before) / times)
      before = now
      if least < Self.bytesOfOne { return }
    }
    let text = commands.map(TranscriptText.command).joined()
    throw Finding("each time it is played \(least) B are left in use:\n\(text)")
  }

  /// Whether the command is suitable. A scene whose `flatMap` ends with an inner failure is not,
  /// because OpenCombine then never releases the upstream.
  private static func isMeant(_ command: String) -> Bool {
    SessionTarget.isMeant(command) && !command.contains("movies-models")
  }

  private static func play(_ commands: ArraySlice<String>, times: Int) {
    for _ in 0..<times {
      let performer = SessionPerformer(fixtures: Fixtures(), folder: "/nowhere", scenes: Scenes.all)
      for command in commands where !performer.perform(command, output: { _ in }) { break }
      performer.finish()
    }
  }

  private static var bytesInUse: Int { chp_bytes_in_use() }
}
