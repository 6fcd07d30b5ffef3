import CHeap
import Rehearsal
import Scenes

/// Whole sessions, played again and again: what one has taken of the memory it gives back.
struct LeakingTarget: FuzzTarget {
  let name = "leaking"
  let isAlone = true

  var words: [String] { SessionTarget().words + PruningTarget().words }

  private static let mostCommands = 20
  /// A session that leaves anything leaves more than this, since a task alone is larger.
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
    try require(Self.bytesInUse > 0, "this C library does not tell what is in use")
    Self.play(commands, times: 3)
    // What is kept once, or grows by leaps, as tables do, does not grow in each of several turns; what the C library
    // keeps at hand counts as used, too, but hardly matters in many.
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

  /// Whether somebody would try it, and it is ours to mend: of a `flatMap` that a failure within has ended OpenCombine
  /// holds what comes in for good.
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
