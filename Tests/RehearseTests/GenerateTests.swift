import Foundation
import PseudoTerminal
import Testing

/// `rehearse explore --generate` and `explore generate`.
@Suite struct GenerateTests {
  private let overtaking = "loadable a policy parallel\n"

  private func place(_ script: String, program: String = "rehearse") throws -> Workplace {
    let place = try Workplace(program: program)
    try place.write("a.rehearse", script)
    return place
  }

  private func generate(_ place: Workplace, _ arguments: String...) throws -> Outcome {
    let all = ["explore", "--generate", "a.rehearse", "--schedules", "600"] + arguments
    return try place.rehearse(all, input: [])
  }

  @Test func `workers change the same earlier runs as a single process`() throws {
    let script = "loadable a\nprocess p\nnever a error\n"
    let arguments = ["--keep-going", "--json"]
    func report(_ jobs: String) throws -> String {
      let place = try place(script)
      let all = ["explore", "--generate", "a.rehearse", "--schedules", "600", "--jobs", jobs]
      return try place.rehearse(all + arguments, input: []).output
    }
    let one = try report("1")

    #expect(one.contains(#""type": "failure""#))
    #expect(try report("3") == one)
  }

  @Test func `a limit of new behaviours ends the search at the same run in each number of workers`()
    throws
  {
    func report(_ jobs: String) throws -> String {
      let place = try place("loadable a: Bool\n")
      return try generate(place, "--until", "20%", "--commands", "1", "--jobs", jobs).output
    }
    let one = try report("1")

    #expect(one.contains("stopped, because one more random run shows a new behaviour"), "\(one)")
    #expect(try report("3") == one)
  }

  @Test func `a model that crashes is named`() throws {
    let outcome = try generate(try place("scene ledger\n", program: "TroubleShell"))

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains("\n# it is in the reference model of the scene 'ledger'; correct it"),
      "\(outcome)"
    )
    #expect(outcome.output.contains("\n> add 3\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("always refused: add"), "\(outcome.output)")
  }

  @Test func `the argument of a generated command that crashes is simplified`() throws {
    let outcome = try generate(try place("scene chasm\n", program: "TroubleShell"))

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains("\n> jump 2\n  error: crashed, by a trap\n"),
      "\(outcome.output)"
    )
  }

  @Test func `a generated command that never ends is named with its line`() throws {
    let outcome = try generate(
      try place("scene roundabout\n", program: "TroubleShell"),
      "--timeout",
      "500ms"
    )

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(/\n# what runs:\n(#   in .*\n)*#   in .*TroubleShell\.swift:\d+\n/),
      "\(outcome.output)"
    )
  }

  @Test func `conditions that never hold are named, and the search fails`() throws {
    let outcome = try generate(try place("scene barred\n", program: "TroubleShell"))

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        "because its condition never held: 'enter-bar' of the scene 'barred'; check 'when:' in its code\n"
      )
    )
    #expect(
      outcome.output.contains(
        "\nerror: no run performed a generated command except 'wait', so the search shows nothing\nhint: "
      )
    )
  }

  // MARK: The corpus

  @Test func `a failure is saved in the corpus, and replayed before the next search`() throws {
    let place = try place(overtaking)
    let first = try generate(place, "--corpus", "sessions")
    #expect(first.code == 1)
    let saved = """

      saved: sessions/latest-request-wins.transcript
      note: 'rehearse test' passes for this file, because a built-in check prints nothing; add an 'expect'

      """
    #expect(first.output.contains(saved))

    let second = try generate(place, "--corpus", "sessions")
    #expect(second.code == 1)
    let beginning = "sessions/latest-request-wins.transcript: latest-request-wins: "
    #expect(second.output.hasPrefix(beginning))
    #expect(second.output.hasSuffix("\nthe search did not begin; with '--keep-going' it does\n"))
    #expect(!second.output.contains("sessions after a.rehearse"))

    let lines = try generate(place, "--corpus", "sessions", "--json").lines
    #expect(lines.count == 4, "\(lines)")
    #expect(lines.dropFirst().first?.hasPrefix(#"{"type": "corpus", "text": "sessions/"#) == true)
    #expect(lines.last == #"{"type": "end", "runs": 0, "reason": "refused"}"#)

    let third = try generate(place, "--corpus", "sessions", "--keep-going")
    #expect(third.output.contains("sessions/latest-request-wins.transcript: "))
    #expect(third.output.contains(" sessions after a.rehearse"))
  }

  @Test func `a corpus that holds is counted, and the search follows`() throws {
    let place = try place("loadable a\n")
    try place.makeFolder("sessions")
    try place.write("sessions/a.transcript", "> loadable a\n> load a 1 after 1s\n> settle\n  ...\n")
    let outcome = try generate(place, "--corpus", "sessions")

    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("replayed 1 session of the corpus\n"))
    #expect(outcome.output.contains(" sessions after a.rehearse"))
  }

  @Test(
    arguments: [
      (
        "> scene gone\n  ...\n",
        "sessions/a.transcript:1: error: it no longer fits: 'scene gone': "
      ),
      (
        "> schedule 40:3\n> loadable a\n> load a 1 after 1s\n> settle\n  ...\n",
        "sessions/a.transcript: error: it no longer fits: its schedule '40:3' does not fit: "
      ),
      ("", "sessions/a.transcript: error: it no longer fits: "),
      // In a session these would count from the place of the command.
      (
        "> loadable a\n> load a 1 or fail \"x\"\n> schedule 1:1\n> load a 2 or fail \"x\"\n",
        "sessions/a.transcript:3: error: it no longer fits: a schedule counts from the beginning"
      ),
      (
        "> schedule 1:1\n> loadable a\n> schedule 1:1\n> load a 1 or fail \"x\"\n",
        "sessions/a.transcript:3: error: it no longer fits: a schedule counts from the beginning"
      ),
      (
        "> loadable a\n-- x --\n> expect a loaded\n",
        "sessions/a.transcript: error: it no longer fits: error: line 2: "
      ),
      (
        "> loadable a\n> load a 1 after 9s interrupt after 5s do expect a loaded\n> in 1s cancel a\n> settle\n",
        "sessions/a.transcript: error: it no longer fits: this is never needed: "
      ),
      (
        "> pipe t = timer 1s\n",
        "sessions/a.transcript: error: it no longer fits: it never settles"
      ),
    ]
  ) func `a corpus file that no longer fits is named`(text: String, beginning: String) throws {
    let place = try place("loadable a\n")
    try place.makeFolder("sessions")
    try place.write("sessions/a.transcript", text)
    let outcome = try generate(place, "--corpus", "sessions")

    #expect(outcome.code == 1)
    #expect(outcome.output.hasPrefix(beginning), "\(outcome.output)")
    #expect(outcome.output.contains("\nhint: "))
    #expect(!outcome.output.contains(" sessions after a.rehearse"))
  }

  @Test func `a signal ends the replay of a corpus, and says how far it came`() throws {
    let place = try place("scene interrupter\n", program: "TroubleShell")
    try place.makeFolder("sessions")
    for name in ["a", "b", "c"] {
      let text = name == "b" ? "> scene interrupter\n> interrupt\n  ...\n" : "> loadable a\n"
      try place.write("sessions/\(name).transcript", text)
    }
    // In a terminal, the program does not inherit blocked signals from the tests.
    let terminal = try place.terminal([
      "explore", "--generate", "a.rehearse", "--corpus", "sessions", "--keep-going",
    ])

    #expect(try terminal.waitForExit() == 143)
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(
      text.contains(
        "error: stopped by signal 15; replayed 1 of 3 sessions of the corpus, and the search did not begin"
      ),
      "\(text)"
    )
    #expect(!text.contains("sessions after a.rehearse"))
  }

  @Test func `a corpus that cannot be read is an error`() throws {
    let place = try place("loadable a\n")
    #expect(symlink("sessions", place.path + "/sessions") == 0)
    let outcome = try generate(place, "--corpus", "sessions")

    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("the folder 'sessions' of --corpus: "), "\(outcome)")
  }

  @Test func `what a corpus does not replay is named`() throws {
    let place = try place("loadable a\n")
    let missing = try generate(place, "--corpus", "sessions")
    try place.makeFolder("sessions/older")
    for name in ["a.Transcript", "b.md", "d.trancript", "d.svg", "d.transcript", ".gitkeep"] {
      try place.write("sessions/\(name)", "> list\n")
    }
    let others = try generate(place, "--corpus", "sessions")

    #expect(missing.output.hasPrefix("note: there is no folder 'sessions' yet: "))
    let notes = others.lines.filter { $0.hasPrefix("note: sessions/") }
    #expect(
      notes.map { $0.split(separator: " ")[1] } == [
        "sessions/a.Transcript", "sessions/b.md", "sessions/d.trancript", "sessions/older/",
      ]
    )
  }

  @Test func `the report of a search has the failures of its corpus`() throws {
    let place = try place("loadable a\n")
    try place.makeFolder("sessions")
    try place.write("sessions/a.transcript", "> loadable a\n> expect a loaded\n")
    let options = ["--corpus", "sessions", "--keep-going", "--json", "--schedules", "5"]
    let search = try place.rehearse(["explore", "--generate", "a.rehearse"] + options, input: [])
    try place.write("a.jsonl", search.output)
    let report = try place.rehearse(["report", "a.jsonl"], input: [])
    let several = try place.rehearse(
      ["explore", "--generate", "a.rehearse", "a.rehearse"] + options,
      input: []
    )

    #expect(search.code == 1 && report.code == 1)
    #expect(search.lines.contains { $0.hasPrefix(#"{"type": "corpus", "text": "sessions/a.t"#) })
    #expect(report.output.hasPrefix("sessions/a.transcript: "))
    #expect(report.output.contains(" generated sessions after a.rehearse"))
    #expect(several.code == 2 && several.errors.contains("--json reports one search"))
  }

  @Test func `a search that ends before it generates a command fails`() throws {
    let outcome = try generate(try place("loadable a\n"), "--max-time", "1us")
    #expect(outcome.code == 1)
  }

  @Test func `a corpus that is no folder is refused`() throws {
    let outcome = try generate(try place(overtaking), "--corpus", "a.rehearse")

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--corpus takes a folder, and 'a.rehearse' is not one"))
  }

  @Test func `a corpus needs generated commands`() throws {
    let outcome = try place(overtaking)
      .rehearse(["explore", "a.rehearse", "--corpus", "sessions"], input: [])

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--corpus needs --generate"))
  }

  // MARK: The shell

  @Test func `the shell generates commands after those of the session`() throws {
    let outcome = try Workplace().rehearse(input: overtaking + "explore generate 5\n")

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("'latest-request-wins' fails in 1 run"))
    #expect(outcome.output.contains("\n  > loadable a policy parallel\n"))
  }

  @Test func `the shell names the command after which nothing can be generated`() throws {
    let outcome = try Workplace().rehearse(input: "wait 1s\nexplore generate\n")

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        "error: cannot explore the session, because of 'wait 1s'\n    error: nothing can be generated after this command\n"
      )
    )
  }
}
