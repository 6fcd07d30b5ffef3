/// The commands of two runs in one list. Commands that both runs begin with appear once; the others
/// are ordered by time and carry the name of their run.
struct MergedCommandRecords {
  private(set) var list: [CommandRecord] = []
  /// The position of each run's commands in the merged list.
  private(set) var places: (a: [Int], b: [Int]) = ([], [])

  struct CommandRecord {
    let record: Recording.CommandRecord
    /// The text for the reader: `a: load profile 1`.
    let command: String
    /// Whether `firstEvent` refers to the first run.
    let isOfFirst: Bool
  }

  init(_ a: Recording, _ b: Recording) {
    let (a, b) = (a.records, b.records)
    let common = zip(a, b).prefix { $0 == $1 }.count
    for record in a[..<common] {
      places.a.append(list.count)
      places.b.append(list.count)
      list.append(CommandRecord(record: record, command: record.command, isOfFirst: true))
    }
    let turns = (a: a.map(\.time).turns, b: b.map(\.time).turns)
    var next = common
    for (index, record) in a.enumerated().dropFirst(common) {
      while next < b.count, (b[next].time, turns.b[next]) < (record.time, turns.a[index]) {
        addSecond(b[next])
        next += 1
      }
      places.a.append(list.count)
      list.append(CommandRecord(record: record, command: "a: " + record.command, isOfFirst: true))
    }
    for record in b[next...] { addSecond(record) }
  }

  private mutating func addSecond(_ record: Recording.CommandRecord) {
    places.b.append(list.count)
    list.append(CommandRecord(record: record, command: "b: " + record.command, isOfFirst: false))
  }
}

extension [Duration] {
  /// For each command, the number of earlier commands at the same instant.
  var turns: [Int] {
    var turns: [Int] = []
    for (index, time) in enumerated() {
      let isFirst = index == 0 || self[index - 1] < time
      turns.append(isFirst ? 0 : turns[index - 1] + 1)
    }
    return turns
  }
}

extension Recording {
  /// For each event, the command that caused it or that began its attempt; nil if there is none.
  var origins: [Int?] {
    var begun = [[Int: Int]](repeating: [:], count: lanes.count)
    return events.map { event in
      guard let attempt = event.attempt else { return event.cause }
      let origin = event.cause ?? begun[event.lane][attempt]
      begun[event.lane][attempt] = origin
      return origin
    }
  }
}
