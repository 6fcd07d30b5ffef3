/// A lane in two recordings: the same name, of the same member's requests if it is one, and as often used
/// before.
struct LanePair {
  let name: String
  /// The lane in each recording; nil where it is in the other only.
  let lanes: (a: Int?, b: Int?)
  /// Whether the same happens in both.
  fileprivate(set) var isSame = false
  /// The state that it is left in.
  fileprivate(set) var ends: (a: String?, b: String?) = (nil, nil)

  /// All lanes of both, in the order of the first, then those that only the second one has.
  static func pairs(of a: Recording, _ b: Recording) -> [LanePair] {
    let keys = (a: Key.all(of: a), b: Key.all(of: b))
    let found = Dictionary(uniqueKeysWithValues: keys.b.enumerated().map { ($1, $0) })
    let known = Set(keys.a)
    let histories = (a: Self.histories(of: a), b: Self.histories(of: b))
    let pairs =
      keys.a.enumerated().map { LanePair(name: a.lanes[$0].name, lanes: ($0, found[$1])) }
      + keys.b.enumerated().filter { !known.contains($1) }
      .map { LanePair(name: b.lanes[$0.offset].name, lanes: (nil, $0.offset)) }
    return pairs.map { pair in
      var pair = pair
      if let first = pair.lanes.a, let second = pair.lanes.b {
        pair.isSame =
          a.lanes[first].isLike(b.lanes[second])
          && histories.a[first].elementsEqual(histories.b[second]) { $0.isLike($1) }
      }
      pair.ends = (
        pair.lanes.a.map { histories.a[$0].lastState ?? a.lanes[$0].initial },
        pair.lanes.b.map { histories.b[$0].lastState ?? b.lanes[$0].initial }
      )
      return pair
    }
  }

  private static func histories(of recording: Recording) -> [[Recording.Event]] {
    var histories = [[Recording.Event]](repeating: [], count: recording.lanes.count)
    for event in recording.events { histories[event.lane].append(event) }
    return histories
  }

  /// What tells lanes apart within a recording.
  private struct Key: Hashable {
    /// As bytes, like `owner`, because texts of the same characters may differ.
    let name: [UInt8]
    /// The member that made it, if it is a request.
    let owner: [UInt8]?
    let isRequest: Bool
    /// How many like it are before it.
    var turn = 0

    static func all(of recording: Recording) -> [Key] {
      var turns: [Key: Int] = [:]
      return recording.lanes.map { lane in
        let owner = lane.owner.map { Array(recording.lanes[$0].name.utf8) }
        var key = Key(name: Array(lane.name.utf8), owner: owner, isRequest: lane.isRequest)
        let turn = turns[key] ?? 0
        turns[key] = turn + 1
        key.turn = turn
        return key
      }
    }
  }
}

extension Recording.Lane {
  /// Whether another recording's lane begins in the same way.
  fileprivate func isLike(_ other: Self) -> Bool {
    word == other.word && isSameText(initial, other.initial)
      && isSameText(machine, other.machine) && sent == other.sent
  }
}

extension Recording.Event {
  /// Whether the same happened in another recording, whoever brought it about.
  func isLike(_ other: Self) -> Bool {
    time == other.time && attempt == other.attempt && kind == other.kind
      && isSameText(state, other.state) && isSameText(answer, other.answer)
      && isSameText(process, other.process)
  }
}

/// Whether texts have the same bytes. `é` can be written in two ways, which `==` takes for equal.
private func isSameText(_ a: String?, _ b: String?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.utf8.elementsEqual(b.utf8)
}

extension [Recording.Event] {
  fileprivate var lastState: String? {
    if last?.kind == .forgotten { return TimelineModel.forgotten }
    return last { $0.state != nil }?.state
  }
}
