/// A scene that stands on the stage: what of the session goes when it goes.
struct StandingScene {
  let name: String
  private(set) var members: Set<ObjectIdentifier>
  /// The numbers of its routes.
  let routes: [Int]

  @MainActor init(name: String, members: [any Member], routes: [Int]) {
    self.name = name
    self.members = Set(members.map { ObjectIdentifier($0) })
    self.routes = routes
  }

  @MainActor func owns(_ member: any Member) -> Bool {
    members.contains(ObjectIdentifier(member))
  }

  /// Lets members go; true where the last of them went.
  mutating func lose(_ gone: Set<ObjectIdentifier>) -> Bool {
    let hadMembers = !members.isEmpty
    members.subtract(gone)
    return hadMembers && members.isEmpty
  }
}
