import RehearsalBase
import Synchronization

/// Plays or updates one transcript in this process; says which commands were not reached, and reports each note once.
extension Transcript {
  /// Plays the transcript in this process and returns the failures, in the order of the file.
  ///
  /// A performer that traps or hangs takes this process with it. `TranscriptRunner` is crash-isolated.
  package func replay(with makePerformer: PerformerFactory) -> [TranscriptFailure] {
    Replay(self, makePerformer).failures
  }

  /// Plays the transcript in this process and returns the content of its file after an update.
  ///
  /// - Returns: the failures, and the whole file with all printed output accepted.
  package func update(
    with makePerformer: PerformerFactory
  ) -> (failures: [TranscriptFailure], bytes: [UInt8]) {
    let replay = Replay(self, makePerformer)
    return (replay.failures, TranscriptUpdate(self, replay.differences).bytes)
  }

  /// Describes the commands from an index on, which were not performed; nil if there are none.
  func unreached(from block: Int) -> String? {
    guard blocks.indices.contains(block), let last = blocks.last else { return nil }
    let count = blocks.count - block
    let first = lineNumber(blocks[block].command)
    let end = lineNumber(max(last.end, last.commandEnd) - 1)
    let lines = first == end ? "line \(first)" : "lines \(first) to \(end)"
    return "never reached: \("command".counted(count)), \(lines)"
  }

  /// Describes the commands below a line of the file, at which the play ended.
  func unreached(below line: Int) -> String? {
    let next = blocks.firstIndex { lineNumber($0.command) > line }
    return next.flatMap { unreached(from: $0) }
  }

  /// The number of its commands.
  package var commandCount: Int { blocks.count }

  /// The notes that were already reported in this process.
  private static let known = Mutex<Set<String>>([])

  /// Returns the notes that were not yet reported in this process, so that each is reported once, whichever transcripts of
  /// a folder are played.
  package func takeNotes() -> [String] {
    if notes.isEmpty { return [] }
    return Self.known.withLock { known in notes.filter { known.insert($0).inserted } }
  }
}
