import Testing

@testable import Rehearsal

/// The hint after an unfinished command.
@MainActor @Suite struct HintTests {
  @Test(arguments: [
    ("loada", "ble"),
    ("load pro", "file"),
    ("load profile \"x\" uncanc", "ellable"),
    ("load profile fail url timed", "Out"),
    ("help trans", nil),
    ("lo", nil),
    ("now", ""),
    ("expect profile loa", nil),
    ("load nobody", nil),
  ])
  func `after half a word the hint is the rest of the only possible word`(
    text: String,
    rest: String?
  ) {
    #expect(hint(after: text) == rest)
  }

  @Test(arguments: [
    ("wait ", "D"),
    ("loadable ", "NAME [: TYPE] [= VALUE]"),
    ("cancel ", "NAME [caller]"),
    ("cancel profile ", "[caller]"),
    ("load profile \"x\" after ", "D [to D] [silently]"),
    ("load profile \"x\" after 2s uncancellable ", "[silently] [awaited [cancelled]]"),
    ("load profile \"x\" failing \"a\" ", "times N [after D [to D]]"),
    ("load profile fail ", "an error"),
    ("in 1s ", "COMMAND"),
    ("in 1s cancel ", "NAME [caller]"),
    ("show profile ", "[NAME …]"),
    ("route GET /x ", "a status or a fault"),
  ])
  func `after a blank the hint is the syntax that may follow`(text: String, rest: String) {
    #expect(hint(after: text)?.hasPrefix(rest) == true, "\(hint(after: text) ?? "nil")")
  }

  @Test(arguments: [
    "", "  ", "# load ", "load profile \"a b ", "nosuch ", "now ", "load profile {\"a\": ",
    "wait soon ",
  ])
  func `there is no hint if nothing may follow, or if it is unknown`(text: String) {
    #expect(hint(after: text) == nil)
  }

  private func hint(after text: String) -> String? {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    host.perform("loadable profile: String")
    return host.hint(after: text)
  }
}
