/// A scene that is set up, with everything that is removed with it.
struct StandingScene {
  let name: String
  private(set) var members: Set<ObjectIdentifier>
  /// The numbers of its routes.
  let routes: [Int]
  /// The commands that a search may generate; empty for all.
  let rules: [GenerationRule]
  /// The comparison with the model; nil without a model, or if nothing is compared.
  let comparison: (any ComparesScene)?
  let hasModel: Bool

  @MainActor init(
    name: String,
    members: [any Member],
    routes: [Int],
    rules: [GenerationRule],
    comparison: (any ComparesScene)?,
    hasModel: Bool
  ) {
    self.comparison = comparison
    self.hasModel = hasModel
    self.name = name
    self.rules = rules
    self.members = Set(members.map { ObjectIdentifier($0) })
    self.routes = routes
  }

  @MainActor func owns(_ member: any Member) -> Bool {
    members.contains(ObjectIdentifier(member))
  }

  /// Removes members; returns true if the last one was removed.
  mutating func lose(_ gone: Set<ObjectIdentifier>) -> Bool {
    let hadMembers = !members.isEmpty
    members.subtract(gone)
    return hadMembers && members.isEmpty
  }
}
