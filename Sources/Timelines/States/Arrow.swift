/// One way through a state machine: where it stood, what happened, where that took it.
public struct Arrow: Sendable, Hashable {
  /// The phase before; nil where it makes no difference: what is set by hand goes anywhere.
  public let from: Recording.Phase?
  /// What happened.
  public let cause: Cause
  /// The phase after.
  public let to: Recording.Phase

  /// The arrow between two phases.
  public init(from: Recording.Phase?, cause: Cause, to: Recording.Phase) {
    self.from = from
    self.cause = cause
    self.to = to
  }

  /// What a machine is moved by. What moves nothing, such as a try that fails, is no arrow.
  public enum Cause: String, Sendable, CaseIterable {
    /// An attempt began; silently, where that does not show.
    case start
    /// An attempt began and replaced the one in flight.
    case restart
    /// A start has to wait for its turn.
    case queue
    /// A start did nothing, or shared the attempt in flight.
    case refuse
    /// The block handed over a state and went on.
    case yield
    /// The block returned a value.
    case value
    /// The block threw an error.
    case error
    /// The block ended without either: cancelled, or after its yields.
    case end
    /// The block, or an interrupt, asked for a reset.
    case resetting
    /// An interrupt ended the attempt with an error, as a timeout does.
    case timeout
    /// An attempt that was replaced or cancelled wrote the state all the same.
    case late
    /// What an attempt delivered was too late, and changed nothing.
    case dropped
    /// Cancelled from outside.
    case cancel
    /// Reset from outside.
    case reset
    /// Written by hand.
    case set
  }
}

extension Arrow: Comparable {
  /// By where they begin, where they lead, and what happens, each in the order in which it is declared.
  public static func < (left: Self, right: Self) -> Bool { left.code < right.code }

  /// The arrow as a number of its own, in the order of arrows.
  package var code: Int {
    let phases = Recording.Phase.allCases
    let from = from.flatMap(phases.firstIndex) ?? phases.count
    let cause = Cause.allCases.firstIndex(of: cause) ?? 0
    return (from * phases.count + (phases.firstIndex(of: to) ?? 0)) * Cause.allCases.count + cause
  }

  /// The arrow of that number; nil where there is none.
  package init?(code: Int) {
    let (phases, causes) = (Recording.Phase.allCases, Cause.allCases)
    guard code >= 0, code < (phases.count + 1) * phases.count * causes.count else { return nil }
    let from = code / causes.count / phases.count
    self.init(
      from: from < phases.count ? phases[from] : nil,
      cause: causes[code % causes.count],
      to: phases[code / causes.count % phases.count]
    )
  }
}
