import LibC
import Workers

/// Why and where a run ended early, at its time limit or by a signal, and the exit code for it.
struct RunEnd {
  enum Cause: Equatable {
    /// The time limit, in milliseconds of real time.
    case time(limitInMilliseconds: Int)
    /// A signal.
    case signal(Int32)
  }

  let cause: Cause
  /// The number of started plays.
  let place: Int
  /// The files that were being played when a signal ended the run, unordered.
  var underWay: [(file: Int, activity: [String])] = []

  /// Why a file was not played.
  var reason: String {
    switch cause {
    case .time: "the run reached its time limit"
    case .signal: Self.stopped
    }
  }

  /// Why a file was not played after the user stopped the run.
  static let stopped = "the run was stopped"

  /// The exit code, if the kind of end determines it.
  var exit: ProgramExit? {
    switch cause {
    case .time: nil
    case .signal(let number): StopSignals.exit(of: number)
    }
  }
}
