/// A lane that two recordings share. Lanes match if they have the same name, belong to the same
/// member (for requests), and are equally often preceded by a lane of that name.
struct LanePair {
  let name: String
  /// The index of the lane in each recording, nil if that recording lacks it.
  let lanes: (a: Int?, b: Int?)
  /// Whether the lane has the same events in both recordings.
  fileprivate(set) var isSame = false
  /// The final state in each recording.
  fileprivate(set) var ends: (a: String?, b: String?) = (nil, nil)

  /// Returns the lanes of both recordings: all of the first, in its order, then the lanes that only
  /// the second one has.
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

  /// The identity of a lane within a recording.
  private struct Key: Hashable {
    /// Compares bytes, as does `owner`: equal characters may have different encodings.
    let name: [UInt8]
    /// The member that sent the request, nil for other lanes.
    let owner: [UInt8]?
    let isRequest: Bool
    /// The number of earlier lanes with the same name and owner.
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
  /// Returns whether another recording's lane begins in the same way.
  fileprivate func isLike(_ other: Self) -> Bool {
    word == other.word && isSameText(initial, other.initial)
      && isSameText(machine, other.machine) && sent == other.sent
  }
}

extension Recording.Event {
  /// Returns whether two events are the same, whatever command caused them.
  func isLike(_ other: Self) -> Bool {
    time == other.time && attempt == other.attempt && kind == other.kind
      && isSameText(state, other.state) && isSameText(answer, other.answer)
      && isSameText(process, other.process)
  }
}

/// Returns whether two texts have the same bytes. `é` has two encodings that `==` considers equal.
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
