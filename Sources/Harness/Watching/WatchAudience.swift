/// The user interface of a watched run.
package protocol WatchAudience {
  /// Waits until a descriptor is readable, the limit is reached, or the user makes a request.
  ///
  /// - Parameters:
  ///   - descriptor: readable when a file may have changed; nil for none.
  ///   - limit: milliseconds of real time; nil for no limit.
  /// - Returns: what to do next.
  func wait(for descriptor: Int32?, withinMilliseconds limit: Int?) -> WatchRequest

  /// Announces the changes that the next report is about.
  func announce(_ changes: String)

  /// Shows the status between two runs.
  func tell(_ status: WatchStatus)

  /// Shows a note.
  func note(_ text: String)

  /// Replaces this process by a new start of the program. Returns only if that fails, with the reason.
  func restart() -> FileProblem
}

/// A request in a watched run.
package enum WatchRequest: Sendable {
  /// Files may have changed.
  case look
  case playAll
  case playFailed
  case quit
}

/// The status of a watched run.
package struct WatchStatus: Equatable, Sendable {
  /// Number of watched transcript files.
  package var transcripts: Int
  /// Number of other files that they read or looked for.
  package var others: Int
  /// Number of transcript files in which something failed when they were last played.
  package var failing: Int
  /// Number of transcript files with an unknown result, because a run ended early or was refused.
  package var notReplayed = 0
  /// Number of named files and folders that no longer exist.
  package var missing = 0
}
