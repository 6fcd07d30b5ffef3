import Synchronization

extension Transcript {
  /// The notes that were given out in this process.
  private static let known = Mutex<Set<String>>([])

  /// Returns the notes that nobody has asked for in this process, so that each is reported once, whichever transcripts of a
  /// folder are played.
  package func takeNotes() -> [String] {
    if notes.isEmpty { return [] }
    return Self.known.withLock { known in notes.filter { known.insert($0).inserted } }
  }
}
