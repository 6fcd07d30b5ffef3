import Exploring
import Harness
import Observation
import RehearsalBase
import Testing

@testable import Rehearsal

/// What a search of a script says about the cause of a failure.
@MainActor @Suite struct ScriptCauseTests {
  @MainActor @Observable fileprivate final class Screen {
    var shown = ""
  }

  private static let screen = Scene("screen", "One value.") { scene in
    let screen = Screen()
    scene.property("shown") { screen.shown }
    scene.command("go", "Changes it twice.") {
      Task { screen.shown = "old" }
      Task { screen.shown = "new" }
    }
  }

  private func script(_ text: String) throws -> ExploredScript {
    let file = try #require(Playable(path: "folder/a.rehearse", bytes: Array(text.utf8)))
    return try ExploredScript(file, scenes: [Self.screen])
  }

  /// The report of a search that ends at its first failure, with the saved transcript.
  private func report(_ script: ExploredScript) throws -> (lines: [String], transcript: String) {
    let findings = Exploration(.init(.exhaustive, seeds: 0..<1_000), script.play).run()
    let rendered = RenderedExploration(
      findings,
      of: script,
      script.counterexamples(findings),
      ExplorationWording(name: "a.rehearse", width: 80, words: .ofProgram),
      savedIn: "found"
    )
    let transcript = try #require(rendered.transcripts.first)
    return (rendered.lines.map(\.text), transcript.text)
  }

  private func cause(_ text: String) throws -> String? {
    let lines = try report(try script(text)).lines
    return lines.first { $0.hasPrefix("cause: ") }.map { String($0.dropFirst(7)) }
  }

  @Test func `two answers have the lines of their commands in the explored file`() throws {
    let cause = try cause(
      """
      # The search shortens this script.
      loadable other
      loadable feed policy parallel

      load feed "old" after 1s
      load other 1 after 2s
      load feed "new" after 1s

      """
    )
    #expect(
      cause == """
        the answer of feed #2 (a.rehearse:7) came before the answer of feed #1 (a.rehearse:5); \
        in the other order the nearest run passes
        """
    )
  }

  @Test func `a scheduled command and an answer are told apart`() throws {
    let cause = try cause("loadable a\nload a 1 after 1s\nin 1s cancel a\nin 2s expect a loaded\n")
    #expect(
      cause == """
        'cancel a' (a.rehearse:3) came before the answer of a #1 (a.rehearse:2); \
        in the other order the nearest run passes
        """
    )
  }

  @Test func `a change that is reported after its step belongs to the step`() throws {
    let lines = try report(try script("scene screen\ngo\nsettle\nexpect shown \"new\"\n")).lines
    let cause = """
      cause: the change of shown to "new" (a.rehearse:2) came before the change of shown to "old" (a.rehearse:2), so the task 
      """
    #expect(lines.contains { $0.hasPrefix(cause) }, "\(lines)")
  }

  @Test(arguments: [
    (
      "loadable a\nload a 1 or fail \"x\"\nexpect a loaded\n",
      """
      the outcome of 'load a 1 or fail "a"' (a.rehearse:2) is fail "a"; with 1 the nearest run passes
      """
    ),
    (
      "loadable a\nload a 1 after 1s to 3s\nwait 2s\nexpect a loaded\n",
      """
      the delay 1s to 2s of 'load a 1 after 1s to 2s' (a.rehearse:2) is 1.001s; with 1s the nearest run passes
      """
    ),
    (
      "loadable a\nroute /a 200 or 503\nload a from /a\nexpect a loaded\n",
      """
      the answer to GET /a (a.rehearse:2) is alternative 2, status 503; with alternative 1, status 200 the nearest run \
      passes
      """
    ),
    (
      "loadable a\nload a 1 after 2s\nbetween 1s and 3s expect a loading\n",
      """
      the time of 'between 1s and 2s expect a loading' (a.rehearse:3) is 2s, so the answer of a #1 (a.rehearse:2) came \
      before 'expect a loading' (a.rehearse:3); with 1.999s the nearest run passes
      """
    ),
  ])
  func `a value has its command in words`(script: String, expected: String) throws {
    let cause = try cause(script)
    #expect(cause == expected)
  }

  @Test func `an answer of a mock server is a value`() throws {
    let cause = try cause(
      "loadable a\nroute /a 200 json 1 after 1s to 3s\nload a from /a\nwait 2999ms\nexpect a loaded\n"
    )
    #expect(
      cause?.hasPrefix("the delay of the answer to GET /a (a.rehearse:2) is ") == true,
      "\(cause ?? "nil")"
    )
  }

  @Test func `requests of a mock server are named`() throws {
    let cause = try cause(
      """
      route /a 200 json 1 after 1s
      route /b 200 json 2 after 1s
      loadable x policy parallel
      load x from /a
      load x from /b

      """
    )
    #expect(
      cause == """
        the answer to GET /b (a.rehearse:5) came before the answer to GET /a (a.rehearse:4); \
        in the other order the nearest run passes
        """
    )
  }

  @Test func `the schedule is in the report once, and the same in the saved transcript`() throws {
    let script = try script(
      "loadable b\nload b 1 after 1s\nloadable a\nload a 1 after 1s\nin 1s cancel a\nin 2s expect a loaded\n"
    )
    let (lines, transcript) = try report(script)
    let schedules = lines.filter { $0.contains("schedule ") }
    // The transcript has fewer commands than the script, so another schedule.
    let saved = transcript.split(separator: "\n").filter { $0.hasPrefix("> schedule ") }
    #expect(saved.count == 1)
    #expect(schedules.filter { $0.hasPrefix("> ") }.map { $0[...] } == saved)
    // A behaviour that does not fail has a schedule of the whole script.
    let others = lines.filter { $0.contains("'schedule ") }
    #expect(
      others.allSatisfy { $0.contains(", for example ") || $0.contains(" run that passes, ") }
    )
    let cause = try #require(lines.first { $0.hasPrefix("cause: ") })
    #expect(transcript.contains("\n# \(cause)\n"))
  }

  @Test func `a failure of the default schedule has a cause if another schedule passes`() throws {
    // Shrinking would remove the command that makes the other schedule pass.
    let whole = try script(
      "loadable a\nload a 1 after 1s\nin 1s cancel a\nsettle\nexpect a absent\n"
    )
    let cause = try #require(whole.explanation(Schedule()).cause).text
    #expect(cause.hasPrefix("the answer of a #1 (a.rehearse:2) came before 'cancel a'"), "\(cause)")
    #expect(cause.hasSuffix("; in the other order the nearest run passes"), "\(cause)")
  }

  @Test func `a failure in every schedule has no cause`() throws {
    let lines = try report(try script("loadable a\nexpect a loaded\n")).lines
    #expect(!lines.contains { $0.hasPrefix("cause: ") || $0.hasPrefix("values: ") })
  }

  @Test func `the commands of a session are named by their texts`() throws {
    nonisolated(unsafe) var lines: [String] = []  // Only this thread performs commands.
    let host = SessionHost(files: MemoryFiles()) { lines.append($0) }
    for command in [
      "loadable feed policy parallel", "load feed 1 after 1s", "load feed 2 after 1s", "explore",
    ] {
      host.perform(command)
    }
    host.end()
    #expect(
      lines.contains(
        """
        cause: the answer of feed #2 ('load feed 2 after 1s') came before the answer of feed #1 ('load feed 1 after 1s'); \
        in the other order the nearest run passes
        """
      ),
      "\(lines)"
    )
  }

  @Test func `the number of further runs is limited`() throws {
    var runs = 0
    // Each run fails, so no run shows the cause.
    let explanation = FailureExplanation(of: Schedule([0, 100_000])) { scheduler in
      runs += 1
      for _ in 0..<2 { _ = scheduler.choose(among: 1_000_000) }
      return true
    }
    #expect(explanation.cause == nil)
    #expect(runs <= 104, "\(runs)")
  }
}
