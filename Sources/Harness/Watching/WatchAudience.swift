/// Whoever looks at a watched run, and may want something of it.
package protocol WatchAudience {
  /// Waits until a descriptor is readable, for so long at most, or until somebody wants something.
  ///
  /// - Parameters:
  ///   - descriptor: readable when a file may have changed, if there is one.
  ///   - limit: milliseconds of real time; nil for as long as it takes.
  /// - Returns: what comes next.
  func wait(for descriptor: Int32?, withinMilliseconds limit: Int?) -> WatchRequest

  /// Says what the next report is about.
  func announce(_ changes: String)

  /// Says how things stand, between two runs.
  func tell(_ status: WatchStatus)

  /// Says something worth knowing.
  func note(_ text: String)

  /// Starts the program anew, in the place of this one; returns only where that is not possible, with
  /// the reason.
  func restart() -> FileProblem
}

/// What comes next in a watched run.
package enum WatchRequest: Sendable {
  /// Files may have changed.
  case look
  case playAll
  case playFailed
  case quit
}

/// How a watched run stands.
package struct WatchStatus: Equatable, Sendable {
  /// Transcript files that are watched.
  package var transcripts: Int
  /// Other files that they read, or looked for.
  package var others: Int
  /// Transcript files of which something failed when they were played last.
  package var failing: Int
  /// Transcript files of which something has no result, because a run ended before or was refused.
  package var notPlayed = 0
  /// Files and folders that were asked for by name, and are there no more.
  package var missing = 0
}
