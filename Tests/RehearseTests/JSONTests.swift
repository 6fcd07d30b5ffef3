import Foundation
import Testing

/// Every subcommand prints only lines of JSON with `--json`.
@Suite struct JSONTests {
  private func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object, "\(line)")
    }
  }

  private func types(_ output: String) throws -> [String] {
    let objects = try objects(output)
    let first = try #require(objects.first)
    #expect(first["type"] as? String == "begin")
    #expect(first["schema"] as? Int == 1)
    return objects.dropFirst().compactMap { $0["type"] as? String }
  }

  @Test func `a pipe, the option -c and a script print the same objects`() throws {
    let place = try Workplace()
    try place.write("a.rehearse", "loadable a\nload a 1\n")
    let expected = [
      "command", "lane", "end", "command", "output", "event", "output", "event", "end",
    ]
    for outcome in [
      try place.rehearse("--json", input: "loadable a\nload a 1\n"),
      try place.rehearse("-c", "loadable a", "-c", "load a 1", "--json"),
      try place.rehearse("run", "--json", "a.rehearse"),
    ] {
      #expect(try types(outcome.output).sorted() == expected.sorted())
      #expect(outcome.code == 0)
    }
  }

  @Test func `undo and redo print the remaining and the next commands`() throws {
    let input = "loadable a\nload a 1\nload a 2 after 1s\nundo\nredo\n"
    let lines = try objects(Workplace().rehearse("--json", input: input).output)
    let backs = lines.filter { $0["type"] as? String == "back" }
    #expect(backs.map { $0["lanes"] as? Int } == [1, 1])
    #expect(backs.map { $0["events"] as? Int } == [2, 2])
    #expect(backs.map { $0["records"] as? Int } == [2, 2])
    let tail = lines.drop { $0["text"] as? String != "redo" }
    #expect(
      tail.compactMap { $0["type"] as? String }
        == ["command", "output", "back", "record", "event", "end"]
    )
    #expect(tail.first { $0["type"] as? String == "record" }?["record"] as? Int == 2)
    #expect(tail.first { $0["type"] as? String == "event" }?["cause"] as? Int == 2)
    #expect(tail.last?["record"] == nil)
  }

  @Test func `a line that cannot be read is an error with its number`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse(["--json"], input: Array("now\n".utf8) + [0xFF, 0x0A])
    let error = try #require(objects(outcome.output).last)
    #expect(error["type"] as? String == "error")
    #expect(error["line"] as? Int == 2)
    #expect(outcome.code == 1)
  }

  @Test func `a replay prints each failure and the counts`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> now\n  1.000s\n")
    try place.write("b.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse("test", "--json", "a.transcript", "b.transcript")
    let lines = try objects(outcome.output)
    #expect(try types(outcome.output) == ["transcript", "failure", "transcript", "end"])
    #expect(lines[2]["path"] as? String == "a.transcript")
    #expect(lines[2]["line"] as? Int == 2)
    #expect(lines[3]["outcome"] as? String == "passed")
    #expect(lines[4]["passed"] as? Int == 1)
    #expect(lines[4]["failed"] as? Int == 1)
    #expect(outcome.code == 1)
    let coverage = try place.rehearse("--json", "test", "--coverage", "b.transcript")
    #expect(try types(coverage.output) == ["transcript", "coverage", "end"])
    let difference = try place.rehearse("diff", "--json", "a.transcript", "b.transcript")
    #expect(try types(difference.output) == ["difference"])
    let none = try place.rehearse("test", "--json", "none")
    #expect(try types(none.output) == ["transcript", "failure", "end"])
    #expect(none.code == 2)
    let nothing = try place.rehearse("test", "--json", "--filter", "none", ".")
    #expect(try types(nothing.output) == ["error", "end"])
    #expect(nothing.code == 2)
  }

  @Test func `definitions, options and paths are also objects`() throws {
    let place = try Workplace()
    #expect(Set(try types(place.rehearse("reference", "--json").output)) == ["definition"])
    #expect(Set(try types(place.rehearse("config", "--json").output)) == ["option"])
    #expect(try types(place.rehearse("config", "--path", "--json").output) == ["config"])
  }
}
