import Testing

@testable import Harness
@testable import Rehearsal

/// A transcript fails if its session did not perform a check or a command.
@Suite struct UnperformedTests {
  private func failures(_ text: String) -> [TranscriptFailure] {
    let transcript = Transcript(path: "a.transcript", bytes: Array(text.utf8))
    do throws(TranscriptMismatch) {
      try transcript.replay(with: [])
      return []
    } catch {
      return error.failures
    }
  }

  @Test(arguments: [
    ("in 10s expect a loaded", "the session ended before 10.000s"),
    ("at 1s expect a absent", "the session ended before 1.000s"),
    ("between 1s and 2s expect a absent", "the session ended before 1.000s"),
    ("in 1s never a error", "the session ended before 1.000s"),
    ("in 1s in 1s expect a absent", "the session ended before 1.000s"),
    ("in 1s cancel a", "the session ended before 1.000s"),
    ("eventually a loaded", "was still open when the session ended"),
    ("eventually a loaded within 9s", "was still open when the session ended"),
    ("never a error", "checked nothing: nothing happened after it"),
    ("always a absent", "checked nothing: nothing happened after it"),
  ])
  func `a check or command that is not performed fails at its line`(
    command: String,
    reason: String
  ) throws {
    let failures = failures("> loadable a\n> \(command)\n")

    #expect(failures.map(\.line) == [2])
    let failure = try #require(failures.first)
    #expect(failure.command == command)
    #expect(failure.message.hasPrefix("'\(command)' "))
    #expect(failure.message.contains(reason))
    #expect(failure.problem.hint != nil)
    #expect(!failure.isAcceptable)
  }

  @Test func `the command of an interrupt that is not due at the end fails at its line`() throws {
    let start = "load a never interrupt after 5s do expect a loaded"
    let output = "     0.000s  a  absent → loading #1"
    let failures = failures("> loadable a\n> \(start)\n\(output)\n> wait 4s\n")

    #expect(failures.map(\.line) == [2])
    #expect(
      failures.first?.message
        == "'expect a loaded' was never performed: the session ended before 5.000s"
    )
  }

  @Test(arguments: [
    "in 10s expect a absent\n> settle\n  ok", "at 1s expect a absent\n> wait 1s\n  ok",
    "between 1s and 2s expect a absent\n> settle\n  ok",
    "in 1s in 1s expect a absent\n> settle\n  ok",
    "eventually a loaded\n> set a loaded 1\n     0.000s  a  absent → loaded 1, set by hand",
    "never a error\n> wait 1s", "always a absent\n> wait 1ms",
    "eventually a loaded\n> forget assertion 1", "in 1s cancel a\n> undo\n  undone: in 1s cancel a",
  ])
  func `a command that is performed, checked or undone does not fail`(commands: String) {
    let failures = failures("> loadable a\n> \(commands)\n")

    #expect(failures.map(\.description) == [])
  }

  @Test func `scheduled commands before quit and commands after it are named`() {
    let failures = failures("> loadable a\n> in 1s expect a absent\n> quit\n> now\n")

    #expect(failures.map(\.line) == [2, 4])
  }

  @Test func `a sourced file is named with its line`() {
    let failures = failures(
      "> source b.rehearse\n-- b.rehearse --\nloadable a\n\nin 1s expect a absent\n"
    )

    #expect(failures.map(\.line) == [1])
    #expect(failures.first?.message.hasSuffix("before 1.000s (b.rehearse:3)") == true)
  }

  @Test func `a check that a search has made after the last command counts`() {
    let text = "> loadable a\n> in 1s cancel a\n> explore\n  ...\n"

    #expect(failures(text).isEmpty)
    #expect(failures(text + "> in 2s cancel a\n").map(\.line) == [5])
  }

  @Test func `a search does not check later actions of the session`() {
    let text = """
      > loadable a
      > eventually a loaded
      > load a 1 after 1s
           0.000s  a  absent → loading #1
      > explore
        ...

      """
    let changed = text + "> cancel a\n     0.000s  a  loading #1 → absent, #1 cancelled\n"

    #expect(failures(text).isEmpty)
    #expect(failures(changed).map(\.line) == [2])
    #expect(failures(changed).first?.message.contains("was still open") == true)
  }

  @Test func `a run assertion that checks nothing fails after a search, too`() {
    let text = "> loadable a\n> always a absent\n> explore\n  ...\n"

    #expect(failures(text).map(\.line) == [2])
  }

  @Test func `a rule has checked nothing if only another member follows`() {
    let text = "> loadable a\n> load a 1\n  ...\n> never a error\n> loadable b\n"

    #expect(failures(text).map(\.line) == [4])
    #expect(failures(text + "> load b 1\n  ...\n").isEmpty)
  }

  @Test func `an assertion of an interrupt that does not happen fails at its line`() {
    let command = "load a 1 after 2s interrupt after 3s do expect b loaded"
    let text = """
      > loadable a
      > loadable b
      > \(command)
           0.000s  a  absent → loading #1

      """
    let early = failures(text)
    let late = failures(text + "> settle\n     2.000s  a  loading #1 → loaded 1\n> wait 1s\n")

    #expect(early.map(\.line) == [3])
    #expect(
      early.first?.message
        == "'expect b loaded' was never performed: the session ended before 3.000s"
    )
    #expect(late.map(\.line) == [3])
    #expect(
      late.first?.message
        == "'expect b loaded' was never performed: the session or the attempt of its interrupt ended before 3.000s"
    )
  }

  @Test func `an assertion of an interrupt in an interrupt that does not happen fails at its line`()
  {
    let text = """
      > loadable a
      > loadable b
      > load a 1 interrupt after 1s do load b 1 after 3s interrupt after 1s do expect b loaded
           0.000s  a  absent → loading #1
           0.000s  a  loading #1 → loaded 1
      > settle

      """

    #expect(failures(text).map(\.line) == [3])
  }

  @Test func `another command of an interrupt may be left out`() {
    let failures = failures(
      """
      > loadable a
      > load a 1 after 1s interrupt after 3s do cancel a
           0.000s  a  absent → loading #1
      > settle
           1.000s  a  loading #1 → loaded 1

      """
    )

    #expect(failures.map(\.description) == [])
  }

  @Test func `a choice of a schedule that is never reached fails at the line of the schedule`() {
    let text = "> loadable a\n> schedule 1:1 7:2\n> load a 1 or 2\n  ...\n"
    let failures = failures(text)

    #expect(failures.map(\.line) == [2])
    #expect(
      failures.first?.message
        == "'schedule 1:1 7:2' was not followed to its end: 7:2 never came"
    )
    #expect(self.failures(text + "> schedule default\n").isEmpty)
  }

  @Test func `a search with only inconclusive runs has checked nothing`() {
    let text = """
      > loadable p
      > load p never interrupt after 1s do retry p
        ...
      > loadable a
      > eventually a loaded
      > explore 3
        ...

      """

    #expect(failures(text).map(\.line).contains(5))
  }

  @Test func `each command is found at its line if two have the same text`() {
    let text = "> loadable a\n> in 1s expect a absent\n> wait 1s\n  ...\n> in 1s expect a absent\n"

    #expect(failures(text).map(\.line) == [5])
  }

  // MARK: Forgotten members

  @Test func `an eventually fails when its member is forgotten`() {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    for command in ["loadable a", "eventually a loaded within 9s", "wait 1s", "forget a"] {
      host.perform(command)
    }

    #expect(host.hasFailed)
    #expect(
      host.failures.map(\.line) == [
        "error: 'eventually a loaded within 9s' is violated at 1.000s: a was forgotten"
      ]
    )
    #expect(host.unperformed.isEmpty)
  }

  @Test func `a never ends with its member, and a line says so`() {
    let failures = failures(
      """
      > loadable a
      > never a error
      > wait 1s
      > forget a
        'never a error' held until now, and ends
      > loadable a
      > assertions
        1  never a error  held until its member was forgotten at 1.000s

      """
    )

    #expect(failures.map(\.description) == [])
  }

  // MARK: Prompts and files

  @Test(arguments: [">\n", "> \n> # nothing\n", "> # a\n. # b\n"])
  func `prompts without a command are not a transcript`(text: String) {
    #expect(failures(text).map(\.problem) == [.noCommand])
    #expect(failures(text + "> now\n  0.000s\n").isEmpty)
  }

  @Test(arguments: [
    "> now\n  9.000s\n", "  0.000s  what was expected\n", "# a comment\n> now\n", "",
    "{\n  \"a\": 1\n}\n", "load a 1\n",
  ])
  func `a fixture that nothing reads fails`(text: String) {
    let transcript = "> now\n  0.000s\n-- rest of it --\n" + text

    #expect(failures(transcript).map(\.problem) == [.unreadFixture("rest of it")])
    #expect(failures(transcript).map(\.line) == [3])
  }

  @Test func `a search does not read the fixtures for the session`() {
    let text = "> loadable a\n> load a 1 after 1s\n  ...\n> explore\n  ...\n"

    #expect(
      failures(text + "-- x --\n> expect a loaded 2\n  ok\n").map(\.problem)
        == [.unreadFixture("x")]
    )
  }

  @Test(arguments: [
    "> source b\n-- b --\n> now\n  9.000s\n",
    "> test b.transcript\n  1 passed\n-- b.transcript --\n> now\n  0.000s\n",
  ])
  func `a fixture that is read does not fail`(text: String) {
    let failures = failures(text.replacing("> source b\n", with: "> source b\n  0.000s\n"))

    #expect(failures.map(\.description) == [])
  }

  // MARK: Failing commands

  private func failing(_ text: String) -> [FailingCommand.Kind] {
    let transcript = Transcript(path: "a.transcript", bytes: Array(text.utf8))
    let replay = Replay(transcript) { SessionPerformer(fixtures: $0, folder: $1) }
    #expect(replay.failures.map(\.description) == [])
    return replay.failing.map(\.kind)
  }

  @Test(arguments: [
    (
      "> loadable a\n> expect a loaded\n  error: expected a loaded, but it is absent\n  ...\n",
      .assertion
    ),
    ("> loadable a\n> expect a loded\n  error: [..]\n  ...\n", .assertion),
    ("> expct a loaded\n  error: [..]\n  ...\n", .assertion),
    ("> in 1s expect b absent\n> settle\n  error: [..]\n  ...\n", .assertion),
    ("> lod a\n  error: [..]\n  ...\n", .shown),
    ("> lod a\n  error: there is no command 'lod'\n  ...\n", .shown),
    ("> test b.transcript\n  ...\n  0 passed, 1 failed\n-- b.transcript --\n> now\n", .shown),
    (
      "> test b.transcript\n  ...\n  {{[0-9]}} passed, 1 failed\n-- b.transcript --\n> now\n",
      .shown
    ),
    (
      "> loadable a\n> expect a loaded\n  error: [..]\n  ...\n> undo\n  undone: loadable a\n",
      FailingCommand.Kind.assertion
    ),
  ])
  func `a command that fails as expected is known by its kind`(
    text: String,
    kind: FailingCommand.Kind
  ) {
    #expect(failing(text) == [kind])
  }

  @Test(arguments: [
    "> loadable a\n> expect a loded\n  ...\n", "> expct a loaded\n  ...\n",
    "> in 1s expect b absent\n> settle\n  ...\n", "> source gone.rehearse\n  ...\n",
    "> lod a\n  [..]\n  ...\n", "> scene nosuch\n  ...\n",
    "> test b.transcript\n  ...\n  [..]\n-- b.transcript --\n> now\n",
  ])
  func `an error that no expected line shows fails the transcript`(text: String) {
    let problems = failures(text).map(\.problem)
    #expect(problems.count == 1)
    guard case .hiddenError(let error)? = problems.first else {
      Issue.record("\(problems)")
      return
    }
    #expect(error.contains("error: ") || error == "0 passed, 1 failed")
  }

  @Test func `a command that does not fail is not listed`() {
    #expect(failing("> loadable a\n> expect a absent\n  ok\n> undo\n  undone: loadable a\n") == [])
  }
}
