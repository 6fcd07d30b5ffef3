package import Testing

/// An operator with the rules that it must keep.
package struct Operator: Sendable {
  /// A known leak.
  package struct Leak: Sendable {
    let circumstance: String
    let known: [String]
    let avoid: @Sendable (inout SessionShape) -> Void

    /// - Parameters:
    ///   - circumstance: when tasks of the operator wait forever.
    ///   - known: the rules that sessions without the circumstance are known to break.
    ///   - avoid: changes a shape, so that its sessions avoid the circumstance. They must not leak.
    package init(
      after circumstance: String,
      known: [String] = [],
      avoid: @escaping @Sendable (inout SessionShape) -> Void
    ) {
      self.circumstance = circumstance
      self.known = known
      self.avoid = avoid
    }

    package static let afterDrop = Leak(after: "drop") { $0.takes = [nil] }
  }

  package var name: String
  package var shape: SessionShape
  /// The rules that are known to be broken. They do not fail the search.
  package var known: [String]
  /// When tasks of the operator are known to wait forever. Other leaks still fail the search.
  package var leak: Leak?
  let make: @Sendable ([Source]) -> any AsyncSequence<String, any Error> & Sendable
  let rules: @Sendable (SessionLog.Content) -> [BrokenRule]

  package init(
    _ name: String,
    _ shape: SessionShape = SessionShape(),
    known: [String] = [],
    leak: Leak? = nil,
    _ make: @escaping @Sendable ([Source]) -> any AsyncSequence<String, any Error> & Sendable,
    rules: @escaping @Sendable (SessionLog.Content) -> [BrokenRule]
  ) {
    self.name = name
    self.shape = shape
    self.known = known
    self.leak = leak
    self.make = make
    self.rules = rules
  }

  /// Searches generated sessions for a broken rule.
  package func search(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    guard let leak else { return try await search(name, shape, sourceLocation: sourceLocation) }
    try await search(
      "\(name), leaks allowed",
      shape,
      mayLeaveWork: true,
      sourceLocation: sourceLocation
    )
    var rest = self
    rest.known = leak.known
    rest.leak = nil
    leak.avoid(&rest.shape)
    try await rest.search(
      "\(name), without \(leak.circumstance)",
      rest.shape,
      sourceLocation: sourceLocation
    )
    rest = self
    rest.known = []
    try await withKnownIssue(sourceLocation: sourceLocation) {
      try await rest.search(
        "\(name), known leak",
        shape,
        checksRules: false,
        sourceLocation: sourceLocation
      )
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("no work is left at the end") }
    }
  }

  private func search(
    _ name: String,
    _ shape: SessionShape,
    mayLeaveWork: Bool = false,
    checksRules: Bool = true,
    sourceLocation: SourceLocation
  ) async throws {
    let (make, rules) = (make, rules)
    try await Sessions.search(
      name,
      known: known,
      mayLeaveWork: mayLeaveWork,
      sourceLocation: sourceLocation
    ) { run in
      let broken = await perform(run, shape, make, rules)
      return checksRules ? broken : []
    }
  }
}
