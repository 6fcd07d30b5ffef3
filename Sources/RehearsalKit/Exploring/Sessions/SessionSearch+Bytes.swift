import Exploring
import Harness
import Rehearsal

/// A search as it crosses a pipe.
extension SessionSearch {
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(commands) { $0.write($1) }
    writer.write(errors) { writer, lines in writer.write(lines) { $0.write($1) } }
    writer.write(schedules) { $0.write($1) }
    writer.write(folder)
    writer.write(fixtures.names) { writer, name in
      writer.write(name)
      // A transcript is UTF-8, and so are the files that it carries.
      writer.write(String(decoding: fixtures.bytes(named: name) ?? [], as: UTF8.self))
    }
    writer.write(allowed.map(\.rawValue).sorted()) { $0.write($1) }
    writer.write(search.strategy.map { [$0] } ?? []) { $0.write($1.changes) }
    writer.write(search.runs.map { [$0] } ?? []) { $0.write($1) }
    writer.write(Int(bitPattern: UInt(search.seed)))
    writer.write(search.goesOn ? 1 : 0)
    writer.write(width)
    writer.write(mostBehaviours)
    return writer.bytes
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let commands = reader.list({ $0.text() }),
      let errors = reader.list({ $0.list { $0.text() } }),
      let schedules = reader.list({ $0.text() }), let folder = reader.text(),
      let fixtures = reader.list({ Self.fixture(from: &$0) }),
      let allowed = reader.list({ $0.text() }), let strategies = reader.list({ $0.number() }),
      let runs = reader.list({ $0.number() }), let seed = reader.number(),
      let goesOn = reader.number(), let width = reader.number(),
      let mostBehaviours = reader.number()
    else { return nil }
    var search = ScriptSearch()
    search.strategy = strategies.first.map { Strategy(changes: $0) }
    search.runs = runs.first
    search.seed = UInt64(UInt(bitPattern: seed))
    search.goesOn = goesOn == 1
    self.init(
      commands: commands,
      errors: errors,
      schedules: schedules,
      folder: folder,
      fixtures: Fixtures(fixtures),
      allowed: Set(allowed.compactMap(Invariant.init(rawValue:))),
      search: search,
      width: width,
      mostBehaviours: mostBehaviours
    )
  }

  private static func fixture(from reader: inout ByteReader) -> (name: String, bytes: [UInt8])? {
    guard let name = reader.text(), let content = reader.text() else { return nil }
    return (name, Array(content.utf8))
  }
}

extension Strategy {
  /// How often priorities change; a negative number for the others.
  fileprivate var changes: Int {
    switch self {
    case .priorities(let changes): changes
    case .random: -1
    case .mixed(let changes): -3 - changes
    case .exhaustive: -2
    }
  }

  fileprivate init(changes: Int) {
    self =
      switch changes {
      case 0...: .priorities(changes: changes)
      case -1: .random
      case -2: .exhaustive
      default: .mixed(changes: -3 - changes)
      }
  }
}
