import Script
import Testing

@testable import Rehearsal

/// The commands of pipes.
@MainActor @Suite struct PipeCommandTests {
  /// Returns the output of a session.
  private func output(of commands: String...) -> [String] {
    var lines: [String] = []
    let host = SessionHost(files: MemoryFiles()) { lines.append($0) }
    for command in commands { host.perform(command) }
    host.end()
    return lines
  }

  @Test(arguments: [
    ("pipe p = q", ["query", "quiet"]), ("pipe p = query | thr", ["throttle"]),
    ("pipe p = query | merge qu", ["query", "quiet"]), ("pipe p = fu", ["future"]),
    ("pipe p = query | throttle 1s f", ["first"]), ("pipe p = query | scan m", ["min", "max"]),
    ("enter q", ["query"]), ("marble \"a\" as q", ["query"]), ("cancel qui", ["quiet"]),
    ("pipe p = query | map lo", ["load"]), ("timeline query as m", ["mermaid", "marble"]),
    ("expect quiet fa", ["failed"]), ("in 1s enter q", ["query"]), ("help pip", ["pipe", "pipes"]),
    ("pipe p = query | filter x >", []), ("input x: Str", ["String"]),
    ("publisher p = def", ["deferred"]), ("pipe p = pa", []), ("pipe p = query | merge pa", []),
    ("expect pa", ["page"]), ("help debo", ["debounce"]),
  ])
  func `completion offers sources, operators and inputs`(text: String, candidates: [String]) {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    host.perform("input query")
    host.perform("loadable page")
    host.perform("pipe quiet = query | debounce 1s")
    #expect(host.completion(of: text).candidates.map(\.text) == candidates)
    host.end()
  }

  @Test func `completion describes an operator`() throws {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    let candidates = host.completion(of: "pipe p = just 1 | ").candidates
    for stage in PipeWords.stages {
      let candidate = try #require(candidates.first { $0.text == stage.word })
      #expect(candidate.description == stage.summary)
    }
  }

  @Test func `a pipe of several lines is saved so that it replays`() throws {
    var lines: [String] = []
    let files = MemoryFiles()
    let host = SessionHost(files: files) { lines.append($0) }
    host.perform("input name")
    host.perform("pipe p = name |\n  map (\n  load \"{value}\"\n) | switchToLatest")
    host.perform("enter name \"a\"")
    host.perform("save saved.transcript all")
    host.end()
    let saved = try #require(try? files.read("saved.transcript"))
    let transcript = Transcript(path: "saved", bytes: saved)
    #expect(
      transcript.replay { SessionPerformer(fixtures: $0, folder: $1, network: .none, scenes: []) }
        .isEmpty
    )
    #expect(lines.contains("   0.000s  p  \"a\""))
  }

  @Test func `a forgotten pipe prints nothing more, and its name is free`() {
    #expect(
      output(
        of: "input q",
        "pipe p = q | delay 1s",
        "enter q 1",
        "forget p",
        "wait 2s",
        "pipe p = q",
        "enter q 2"
      ) == ["   0.000s  q  1", "   2.000s  q  2", "   2.000s  p  2"]
    )
  }

  @Test func `a text has a maximum number of keys`() {
    let text = { (count: Int) in "\"" + String(repeating: "x", count: count) + "\"" }
    #expect(
      output(of: "input q", "enter q \(text(1001)) every 1ms").first
        == "error: there are more than 1000 keys"
    )
    #expect(
      output(of: "input q", "enter q \(text(1000)) every 1ms", "wait 1s", "show q")
        .contains("  values       1000")
    )
  }

  @Test func `a word that begins a source is not a name`() {
    for source in PipeWords.sources {
      #expect(
        output(of: "input \(source.word)").first == "error: '\(source.word)' is a word of 'pipe'"
      )
    }
  }
}
