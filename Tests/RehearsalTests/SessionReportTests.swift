import Foundation
import NetworkAccess
import RehearsalBase
import Scenes
import Script
import Testing

@testable import Rehearsal

/// The JSON output has everything that the plain output has, and more.
@Suite struct SessionReportTests {
  /// The output of one session, as text and as JSON.
  private final class Telling {
    var plain: [String] = []
    var json = ""
  }

  private func tell(_ commands: [String]) throws -> (plain: [String], objects: [[String: Any]]) {
    nonisolated(unsafe) let telling = Telling()
    nonisolated(unsafe) let report = SessionReport { telling.json += $0 }
    let host = SessionHost(files: MemoryFiles(), network: .sockets(), scenes: Scenes.all) {
      telling.plain.append($0)
      report.output($0)
    }
    host.tellObjects()
    for command in commands {
      report.begin(command)
      host.perform(command)
      report.end(host)
    }
    host.end()
    return (telling.plain, try objects(telling.json))
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      let names = Self.repeatedNames(in: try JSONValue(json: Array(line.utf8)))
      #expect(names.isEmpty, "\(names) in \(line)")
      return try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        "\(line)"
      )
    }
  }

  /// The names that an object inside a value has twice.
  private static func repeatedNames(in value: JSONValue) -> [String] {
    switch value {
    case .array(let values): return values.flatMap(repeatedNames)
    case .object(let fields):
      let names = Dictionary(grouping: fields, by: \.name).filter { $1.count > 1 }.keys.sorted()
      return names + fields.flatMap { repeatedNames(in: $0.value) }
    default: return []
    }
  }

  @Test(arguments: [
    ["marble \"ab|\" as key with a 1, b 2", "show key"],
    [
      "loadable a: { x: Int, x2: Int }", "load a {\"x\": 1, \"x2\": 2}", "show a", "list",
      "requests",
    ],
    ["scene zoo-search", "show", "timeline", "states", "assertions"],
  ])
  func `no object has a name twice`(commands: [String]) throws {
    #expect(try tell(commands).objects.isEmpty == false)
  }

  private func texts(_ type: String, in objects: [[String: Any]]) -> [String] {
    objects.filter { $0["type"] as? String == type }.compactMap { $0["text"] as? String }
  }

  @Test(arguments: ShellCommands.table.verbs)
  func `the examples of a command report the same as JSON and as text`(verb: String) throws {
    let index = try #require(ShellCommands.table.index(of: verb))
    for text in ShellCommands.all[index].definition.examples {
      let commands = ScriptFile(Array(text.utf8)).commands.map(\.text)
      let (plain, objects) = try tell(commands)
      #expect(texts("output", in: objects) == plain)
      #expect(texts("command", in: objects) == commands)
      #expect(objects.count { $0["type"] as? String == "end" } == commands.count)
    }
  }

  @Test func `an event names its lane, its time in seconds, and the command record that caused it`()
    throws
  {
    let (_, objects) = try tell(["loadable a", "# no command", "load a 1 after 1.25s", "settle"])
    let lane = try #require(objects.first { $0["type"] as? String == "lane" })
    #expect(lane["name"] as? String == "a")
    let events = objects.filter { $0["type"] as? String == "event" }
    #expect(events.map { $0["kind"] as? String } == ["started", "ended"])
    #expect(events.map { $0["time"] as? Double } == [0, 1.25])
    #expect(events.allSatisfy { $0["lane"] as? Int == lane["lane"] as? Int })
    let cause = try #require(events[0]["cause"] as? Int)
    let end = try #require(objects.first { $0["record"] as? Int == cause })
    let command = try #require(
      objects.first {
        $0["type"] as? String == "command" && $0["number"] as? Int == end["number"] as? Int
      }
    )
    #expect(command["text"] as? String == "load a 1 after 1.25s")
  }

  @Test func `a mistake has a line, a column, a problem and a hint`() throws {
    let (_, objects) = try tell(["loadable a = {\n\"ä\": trve}"])
    let error = try #require(objects.first { $0["type"] as? String == "error" })
    #expect(error["line"] as? Int == 2)
    #expect(error["column"] as? Int == 6)
    #expect(error["problem"] as? String == "expected a JSON value, but found 'trve'")
    #expect(error["hint"] as? String == "put a text in quotes: \"trve\"")
    let end = try #require(objects.last)
    #expect(end["ok"] as? Bool == false)
  }

  @Test func `commands that show information also report objects`() throws {
    let (_, objects) = try tell([
      "route GET /a 200 json 1 after 1s", "loadable a: Int", "load a from /a", "settle",
      "list", "show a", "set", "routes", "requests", "undo", "list",
    ])
    let types = ["member", "setting", "route", "request"]
    let found = objects.filter { types.contains($0["type"] as? String ?? "") }
    let settings = SessionOption.all.map { _ in "setting" }
    #expect(
      found.map { $0["type"] as? String }
        == ["member", "member"] + settings + ["route", "request", "member"]
    )
    #expect(found.map { $0["number"] as? Int }.prefix(3) == [5, 6, 7])
    #expect(found[0]["state"] as? String == "loaded 1")
    #expect((found[1]["facts"] as? [String: String])?["policy"] == "latest")
    let request = try #require(found.dropLast().last)
    #expect(request["received"] as? Int == 0)
    #expect(request["ended"] as? Int == 1)
    #expect(request["status"] as? Int == 200)
    #expect(found.last?["state"] as? String == "loading #1")
  }

  @Test func `the next jobs have numbers for a program that chooses, also after it goes back`()
    throws
  {
    let (_, objects) = try tell([
      "scene zoo-search", "route /search 200 text \"all\" after 2s", "step list", "search sw",
      "step 2",
      "undo", "step list",
    ])
    let lists = objects.filter { $0["type"] as? String == "next" }
    #expect(lists.map { $0["number"] as? Int } == [3, 5, 6, 7])
    #expect(lists.map { $0["time"] as? Double } == [0, 0, 0, 0])
    let jobs = lists.map { $0["jobs"] as? [[String: Any]] ?? [] }
    #expect(jobs.map { $0.map { $0["job"] as? Int } } == [[], [1, 2], [1, 2], [1, 2]])
    #expect(jobs[2].map { $0["name"] as? String } == ["task 1", "task 2"])
    #expect(jobs[2].map { $0["actor"] as? String } == ["MainActor", "MainActor"])
    #expect(jobs[2].map { $0["action"] as? String } == ["runs", "runs"])
    let continuing = try #require(jobs[1].last)
    #expect(
      continuing["place"] as? String
        == "StaleResponse.Careful.search() at StaleResponse.swift:39"
    )
    #expect(continuing["file"] as? String == "StaleResponse.swift")
    #expect(continuing["line"] as? Int == 39)
    #expect(continuing["actor"] == nil)
  }

  @Test func `external text neither breaks a line nor controls a terminal`() throws {
    let (plain, objects) = try tell([
      "loadable a", "load a \"\\u001b[31m\\n\\u202e😀\\\\\"", "lod\u{1B}[2J",
      "expect a loaded \"\u{85}\"",
    ])
    #expect(texts("output", in: objects) == plain)
    #expect(objects.allSatisfy { $0["type"] is String })
  }

  @Test func `the reference and the options are lines of JSON`() throws {
    let definitions = try objects(Reference.json)
    #expect(definitions.map { $0["verb"] as? String } == ShellCommands.all.map(\.definition.verb))
    let options = try objects(ConfigExample.json)
    #expect(options.map { $0["name"] as? String } == SessionOption.all.map(\.name))
  }
}
