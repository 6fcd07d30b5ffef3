/// Runs a scenario twice, and finds the first step that differs.
extension Stage {
  /// Runs a scenario twice, each time on a new stage, and compares the steps of the two stages.
  ///
  /// Deterministic code takes the same steps at the same instants. The first difference is close to
  /// its cause: state that outlives a run, the order of memory addresses, or a thread that the stage
  /// does not know.
  ///
  /// - Parameters:
  ///   - order: the order of ready jobs.
  ///   - scenario: puts work on the stage and drives it. It is called twice.
  /// - Returns: nil if all steps are equal.
  /// - Throws: the error of the first run that throws.
  public static func firstDivergence(
    order: Order = .firstInFirstOut,
    in scenario: (Stage) throws -> Void
  ) rethrows -> Divergence? {
    let runs = try (0..<2).map { _ in
      let stage = Stage(order: order, keepsTrace: true)
      try scenario(stage)
      return stage.trace
    }
    return Divergence(between: runs[0], and: runs[1])
  }

  /// The first step that differs between two runs of one scenario.
  public struct Divergence: Sendable, Equatable, CustomStringConvertible {
    /// Number of equal steps before it.
    public let position: Int
    /// The step of the first run; nil if that run had ended.
    public let first: ExecutionStep?
    /// The step of the second run; nil if that run had ended.
    public let second: ExecutionStep?

    package init?(between first: [ExecutionStep], and second: [ExecutionStep]) {
      let position = zip(first, second).prefix { $0 == $1 }.count
      self.position = position
      self.first = position < first.count ? first[position] : nil
      self.second = position < second.count ? second[position] : nil
      if self.first == nil, self.second == nil { return nil }
    }

    /// The position, and the steps of both runs: `job 4: the first run …, the second …`.
    public var description: String {
      let first = first.map { "\($0)" } ?? "had ended"
      let second = second.map { "\($0)" } ?? "had ended"
      return "job \(position + 1): the first run \(first), the second \(second)"
    }
  }
}
