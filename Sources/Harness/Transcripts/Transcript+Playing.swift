import Synchronization

extension Transcript {
  /// Plays the transcript in this process and returns what is wrong, in the order of the file.
  ///
  /// A performer that traps or never returns takes the process with it; `TranscriptRunner` isolates.
  package func replay(with makePerformer: PerformerFactory) -> [TranscriptFailure] {
    Replay(self, makePerformer).failures
  }

  /// Plays the transcript in this process, and says what an update would make of its file.
  ///
  /// - Returns: what is wrong, and the whole file with all that was printed accepted.
  package func update(
    with makePerformer: PerformerFactory
  ) -> (failures: [TranscriptFailure], bytes: [UInt8]) {
    let replay = Replay(self, makePerformer)
    return (replay.failures, TranscriptUpdate(self, replay.differences).bytes)
  }

  /// Says which commands were never performed, from one on; nil where there is none.
  func unreached(from block: Int) -> String? {
    guard blocks.indices.contains(block), let last = blocks.last else { return nil }
    let count = blocks.count - block
    let first = lineNumber(blocks[block].command)
    let end = lineNumber(max(last.end, last.commandEnd) - 1)
    let lines = first == end ? "line \(first)" : "lines \(first) to \(end)"
    return "never reached: \(count) \(count == 1 ? "command" : "commands"), \(lines)"
  }

  /// Says which commands stand below a line of the file, where the playing ended.
  func unreached(below line: Int) -> String? {
    let next = blocks.firstIndex { lineNumber($0.command) > line }
    return next.flatMap { unreached(from: $0) }
  }

  /// How many commands it has.
  package var commandCount: Int { blocks.count }

  /// The notes that were given out in this process.
  private static let known = Mutex<Set<String>>([])

  /// Returns the notes that nobody has asked for in this process, so that each is reported once, whichever transcripts of a
  /// folder are played.
  package func takeNotes() -> [String] {
    if notes.isEmpty { return [] }
    return Self.known.withLock { known in notes.filter { known.insert($0).inserted } }
  }
}
