import RehearsalBase
import Script
import Staging

/// Counts what all pipes of a session do in one command at one instant, where time and jobs cannot end what
/// goes on for ever: one call of a publisher's may bring any number of values and attempts.
///
/// Unchecked: only the stage's thread touches it.
final class PipeMeter: @unchecked Sendable {
  /// How many values and attempts there may be.
  static let most = 100_000
  /// How often it is asked whether somebody has interrupted the stage.
  private static let stride = 1_000

  private let stage: Stage
  private var instant: StageInstant
  private var events = 0
  private var problem: PipeProblem?

  init(stage: Stage) {
    self.stage = stage
    instant = stage.now
  }

  /// Begins anew, with a command.
  func reset() {
    instant = stage.now
    events = 0
    problem = nil
  }

  /// Counts a value or an attempt.
  ///
  /// - Returns: why there can be none; the same until a command or time has passed.
  func count() -> PipeProblem? {
    if stage.now != instant { reset() }
    if problem != nil { return problem }
    events += 1
    if events > Self.most {
      problem = .endless(at: instant)
    } else if events.isMultiple(of: Self.stride), stage.isInterrupted {
      problem = .interrupted(at: instant)
    }
    return problem
  }
}

/// How a pipe fails that would not end, or not fit into memory.
enum PipeProblem: Error, Equatable, CustomStringConvertible {
  case endless(at: StageInstant)
  case interrupted(at: StageInstant)
  case tooLarge

  var description: String {
    switch self {
    case .endless(let instant): "more than \(PipeMeter.most) values and attempts at \(instant)"
    case .interrupted(let instant): "interrupted at \(instant)"
    case .tooLarge: "a value of more than \(JSONValue.largest) bytes"
    }
  }
}

extension JSONValue {
  var isTooLarge: Bool { size(upTo: Self.largest) > Self.largest }

  /// The value, for what has made it.
  func checkedForSize() throws(PipeProblem) -> JSONValue {
    if isTooLarge { throw .tooLarge }
    return self
  }
}
