/// A rule that is checked in every run of a script without being asked for: it holds for everything that loads.
package enum BuiltInCheck: String, Sendable, CaseIterable, Codable {
  /// An attempt that was replaced, cancelled or reset away changes nothing any more.
  case superseded
  /// An attempt does not change its outcome.
  case settled
  /// The value that is shown at the end belongs to the last start.
  case lastAsked = "last-asked"
  /// At the end no attempt that still counts is in flight.
  case stuck
  /// At the end no superseded work still runs, and no task of a scene waits.
  case leftOver = "left-over"

  /// Whether it can be checked only when nothing is left to do.
  package var isAboutTheEnd: Bool {
    switch self {
    case .superseded, .settled: false
    case .lastAsked, .stuck, .leftOver: true
    }
  }
}
