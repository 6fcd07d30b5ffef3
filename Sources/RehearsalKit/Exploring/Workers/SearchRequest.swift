import Exploring
import Harness

/// What a worker of a search is asked.
enum SearchRequest {
  /// To do the plain run.
  case plain
  /// To do the runs of some seeds; `length` is that of the plain run, in decisions.
  case seeds(Range<UInt64>, length: Int, keeping: Bool)
  /// To go on among all schedules, for so many runs.
  case tree(TreePlace, runs: Int, keeping: Bool)
  /// To do a run by a schedule.
  case replay(Schedule)
  /// To do a run of other commands by a schedule.
  case perform([String], Schedule)

  var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .plain: writer.write(0)
    case .seeds(let seeds, let length, let keeping):
      writer.write(1)
      writer.write(Int(bitPattern: UInt(seeds.lowerBound)))
      writer.write(Int(bitPattern: UInt(seeds.upperBound)))
      writer.write(length)
      writer.write(keeping ? 1 : 0)
    case .tree(let place, let runs, let keeping):
      writer.write(2)
      writer.write(place)
      writer.write(runs)
      writer.write(keeping ? 1 : 0)
    case .replay(let schedule):
      writer.write(3)
      writer.write(schedule)
    case .perform(let commands, let schedule):
      writer.write(4)
      writer.write(commands) { $0.write($1) }
      writer.write(schedule)
    }
    return writer.bytes
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let kind = reader.number(), let request = Self(kind, &reader) else { return nil }
    self = request
  }

  private init?(_ kind: Int, _ reader: inout ByteReader) {
    switch kind {
    case 0: self = .plain
    case 1:
      guard let lower = reader.number(), let upper = reader.number(), let length = reader.number(),
        let keeping = reader.number()
      else { return nil }
      let seeds = UInt64(UInt(bitPattern: lower))..<UInt64(UInt(bitPattern: upper))
      self = .seeds(seeds, length: length, keeping: keeping == 1)
    case 2:
      guard let place = reader.treePlace(), let runs = reader.number(),
        let keeping = reader.number()
      else { return nil }
      self = .tree(place, runs: runs, keeping: keeping == 1)
    case 3:
      guard let schedule = reader.schedule() else { return nil }
      self = .replay(schedule)
    case 4:
      guard let commands = reader.list({ $0.text() }), let schedule = reader.schedule() else {
        return nil
      }
      self = .perform(commands, schedule)
    default: return nil
    }
  }
}

extension ByteWriter {
  mutating func write(_ schedule: Schedule) {
    write(schedule.choices) { $0.write($1) }
  }

  mutating func write(_ place: TreePlace) {
    write(place.floor)
    write(place.isAhead ? 1 : 0)
    write(place.nodes) { writer, node in
      writer.write(node.count)
      writer.write(node.first)
      writer.write(node.tried)
      writer.write((node.isMove ? 1 : 0) + (node.matters ? 2 : 0) + (node.areInARow ? 4 : 0))
    }
  }
}

extension ByteReader {
  mutating func schedule() -> Schedule? { list { $0.number() }.map { Schedule($0) } }

  mutating func treePlace() -> TreePlace? {
    guard let floor = number(), let flags = number(),
      let nodes = list({ reader -> TreePlace.Node? in
        guard let count = reader.number(), let first = reader.number(),
          let tried = reader.number(), let flags = reader.number()
        else { return nil }
        return TreePlace.Node(
          count: count,
          first: first,
          areInARow: flags & 4 != 0,
          tried: tried,
          isMove: flags & 1 != 0,
          matters: flags & 2 != 0
        )
      })
    else { return nil }
    return TreePlace(nodes: nodes, floor: floor, isAhead: flags & 1 != 0)
  }
}
