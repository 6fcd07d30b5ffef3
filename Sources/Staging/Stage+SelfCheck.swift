extension Stage {
  /// Runs a scenario twice, each time on a new stage, and compares what the stages decided to do.
  ///
  /// Code that is the same every time makes the same decisions at the same instants. What differs
  /// first is close to the cause: a random number, the real clock, the order of a dictionary, a
  /// thread that the stage does not know of.
  ///
  /// - Parameters:
  ///   - order: which of several ready jobs runs first.
  ///   - scenario: puts work on the stage and drives it. It is called twice.
  /// - Returns: nil if nothing differed.
  /// - Throws: what the scenario throws, of the first run that does.
  public static func firstDivergence(
    order: Order = .firstInFirstOut,
    in scenario: (Stage) throws -> Void
  ) rethrows -> Divergence? {
    let runs = try (0..<2).map { _ in
      let stage = Stage(order: order, keepsDecisions: true)
      try scenario(stage)
      return stage.decisions
    }
    return Divergence(between: runs[0], and: runs[1])
  }

  /// The first decision in which two runs of one scenario differ.
  public struct Divergence: Sendable, Equatable, CustomStringConvertible {
    /// How many decisions came before, the same in both runs.
    public let position: Int
    /// What the first run decided; nil if it had ended.
    public let first: Decision?
    /// What the second run decided; nil if it had ended.
    public let second: Decision?

    package init?(between first: [Decision], and second: [Decision]) {
      let position = zip(first, second).prefix { $0 == $1 }.count
      self.position = position
      self.first = position < first.count ? first[position] : nil
      self.second = position < second.count ? second[position] : nil
      if self.first == nil, self.second == nil { return nil }
    }

    /// Where, and what either run did there: `decision 4: the first run …, the second …`.
    public var description: String {
      let first = first.map { "\($0)" } ?? "had ended"
      let second = second.map { "\($0)" } ?? "had ended"
      return "decision \(position + 1): the first run \(first), the second \(second)"
    }
  }
}
