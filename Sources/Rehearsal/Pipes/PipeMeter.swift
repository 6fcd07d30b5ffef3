import RehearsalBase
import Script
import Staging

/// Counts the events of all pipes of a session, per command and instant. The limits of time and
/// jobs do not stop an endless pipe, because a single call of a publisher can cause any number of
/// events.
///
/// Unchecked: used only on the stage's thread.
final class PipeMeter: @unchecked Sendable {
  /// Maximum number of values and attempts.
  static let most = 100_000
  /// Number of events between two checks for an interruption of the stage.
  private static let stride = 1_000

  private let stage: Stage
  private var instant: StageInstant
  private var events = 0
  private var problem: PipeProblem?

  init(stage: Stage) {
    self.stage = stage
    instant = stage.now
  }

  /// Starts counting again. Called at the beginning of a command.
  func reset() {
    instant = stage.now
    events = 0
    problem = nil
  }

  /// Counts a value or an attempt.
  ///
  /// - Returns: the reason why no more events are allowed; the same until the next command or
  ///   instant.
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

/// The error of a pipe that would not end, or not fit into memory.
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

  /// Returns the value if its size is allowed. For stages that create values.
  func checkedForSize() throws(PipeProblem) -> JSONValue {
    if isTooLarge { throw .tooLarge }
    return self
  }
}
