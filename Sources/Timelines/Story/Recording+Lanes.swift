extension Recording {
  /// The lanes that bear these names, in the order of the names, each once; all lanes if nil. The requests
  /// that a member made follow it.
  func drawnLanes(named names: [String]?) -> [Int] {
    var requests: [Int: [Int]] = [:]
    var byName: [String: [Int]] = [:]
    for (index, lane) in lanes.enumerated() {
      if let owner = lane.owner {
        requests[owner, default: []].append(index)
      }
      byName[lane.name, default: []].append(index)
    }
    let chosen =
      names.map { $0.flatMap { byName.removeValue(forKey: $0) ?? [] } }
      ?? lanes.indices.filter { lanes[$0].owner == nil }
    var seen: Set<Int> = []
    return chosen.flatMap { [$0] + (requests[$0] ?? []) }.filter { seen.insert($0).inserted }
  }
}
