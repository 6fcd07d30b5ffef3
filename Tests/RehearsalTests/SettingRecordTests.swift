import Testing

@testable import Rehearsal

/// Options that no command has set are saved if they matter, so that sessions replay everywhere.
@Suite struct SettingRecordTests {
  private func saved(
    _ values: [(SessionOption, String)],
    _ commands: [String]
  ) throws -> (text: String, failures: [TranscriptFailure]) {
    let files = MemoryFiles()
    let host = SessionHost(files: files) { _ in }
    for (option, text) in values { host.take(try OptionValue(option, text), from: .config) }
    for command in commands + ["save session.transcript all"] { host.perform(command) }
    host.end()
    let bytes = try host.stage.enter { try files.read("session.transcript") }
    let failures = Transcript(path: "session.transcript", bytes: bytes).replay {
      SessionPerformer(fixtures: $0, folder: $1)
    }
    return (String(decoding: bytes, as: UTF8.self), failures)
  }

  @Test func `times, policy and seed of a config file are the first saved commands`()
    throws
  {
    let (text, failures) = try saved(
      [(.times, "clock"), (.policy, "ignore"), (.seed, "7"), (.width, "60"), (.colour, "never")],
      [
        "# A comment.", "loadable feed",
        "load feed 1 failing \"busy\" times 1 retry 2 backoff 1s jitter", "load feed 2", "settle",
      ]
    )
    #expect(
      text.hasPrefix(
        "# A comment.\n> set times clock\n> set policy ignore\n> set seed 7\n> loadable feed\n"
      )
    )
    #expect(text.contains("next in 610ms"))
    #expect(!text.contains("width") && !text.contains("colour"))
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `a list of options replays, whatever options the terminal has`() throws {
    let (text, failures) = try saved([(.pager, "never"), (.width, "50")], ["set"])
    #expect(text.contains("  width    [..]\n"))
    #expect(text.contains("  pager    [..]\n"))
    #expect(text.contains("  seed     0        default\n"))
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `a command with a carriage return is saved as a comment`() throws {
    let (text, failures) = try saved([], ["loadable a:\r Int", "# a\rb", "now"])
    let reason = "left out, because a transcript has no carriage returns"
    #expect(text == "# \(reason): loadable a:\\r Int\n# \(reason): # a\\rb\n> now\n  0.000s\n")
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `an option that a command sets is saved once`() throws {
    let (text, _) = try saved([(.seed, "7")], ["set seed 9", "now", "set seed 7", "now"])
    #expect(text == "> set seed 7\n> set seed 9\n> now\n  0.000s\n> set seed 7\n> now\n  0.000s\n")
  }
}
