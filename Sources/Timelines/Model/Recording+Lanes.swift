/// Decides which lanes a picture has, and their order.
extension Recording {
  /// Returns the lanes in drawing order: requests follow the member that sent them; requests
  /// without a member are last.
  ///
  /// Only members with these names are included, once each, in the order of the names; nil includes
  /// all.
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
  /// Whether the lane is an HTTP request and not a member.
  var isRequest: Bool { word == "request" }

  /// Whether the lane has the commands of scenes.
  var isCommands: Bool { word == Self.commandsWord }
}
