extension Recording {
  /// The lanes in the order in which they are drawn: requests below the member that made them, those that
  /// nobody made at the end.
  ///
  /// Of members only those that bear these names, in the order of the names, each once; all if nil.
  func drawnLanes(named names: [String]?) -> [Int] {
    var requests: [Int: [Int]] = [:]
    var members: [Int] = []
    var strays: [Int] = []
    for (index, lane) in lanes.enumerated() {
      if let owner = lane.owner {
        requests[owner, default: []].append(index)
      } else if lane.isRequest {
        strays.append(index)
      } else {
        members.append(index)
      }
    }
    if let names {
      var byName = Dictionary(grouping: members + strays) { lanes[$0].name }
      members = names.flatMap { byName.removeValue(forKey: $0) ?? [] }
      strays = []
    }
    return members.flatMap { [$0] + (requests[$0] ?? []) } + strays
  }
}

extension Recording.Lane {
  /// Whether it is a request over HTTP, and not a member.
  var isRequest: Bool { word == "request" }
}
