import LibC
import Workers

/// Why and where a run ends before everything is played.
struct RunEnd {
  enum Cause: Equatable {
    /// It has taken as long as it may, in milliseconds of real time.
    case time(limitInMilliseconds: Int)
    /// Somebody wants it to end.
    case signal(Int32)
  }

  let cause: Cause
  /// How many places were begun.
  let place: Int
  /// The files that were under way when somebody ended it, in no order.
  var underWay: [Int] = []

  /// Why a file was not played.
  var reason: String {
    switch cause {
    case .time: "the run had taken as long as it may"
    case .signal: Self.stopped
    }
  }

  /// Why a file was not played where somebody wanted no more of them.
  static let stopped = "the run was stopped"

  /// How the program ends, where that follows from this alone.
  var exit: ProgramExit? {
    switch cause {
    case .time: nil
    case .signal(let number): StopSignals.exit(of: number)
    }
  }
}
