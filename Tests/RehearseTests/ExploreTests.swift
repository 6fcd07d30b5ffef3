import Testing

/// `rehearse explore`.
@Suite struct ExploreTests {
  private let tie = "loadable a\nload a 1 after 1s\nin 1s cancel a\nsettle\n"

  private func explore(_ script: String, _ arguments: String...) throws -> Outcome {
    let place = try Workplace()
    try place.write("a.rehearse", script)
    return try place.rehearse(["explore", "a.rehearse"] + arguments, input: [])
  }

  @Test func `behaviours are shown with their number of runs and their differences`() throws {
    let outcome = try explore(tie)

    #expect(
      outcome.output == """
        5 runs of a.rehearse, all orders of suspension points and executor hops, if tasks share state only through actors: 3 behaviours

        1. 2 runs, including the default schedule

        2. 2 runs, for example 'schedule 3:1'
           > settle
           -    1.000s  a  loading #1 → loaded 1
           -    1.000s  a  loaded 1; nothing in flight to cancel
           +    1.000s  a  loading #1 → absent, #1 cancelled
           +    1.000s  a  #1 answered 1; too late, dropped

        3. 1 run, for example 'schedule 1:1'
           > settle
           -    1.000s  a  loading #1 → loaded 1
           -    1.000s  a  loaded 1; nothing in flight to cancel
           +    1.000s  a  loading #1 → absent, #1 cancelled

        """
    )
    #expect(outcome.code == 0)
  }

  @Test(
    arguments: [
      ("hops", "", "executor hops are no scheduling points"),
      ("effects", "", "this program does not notice code that acts on other tasks"),
      ("locks", "set preempt locks\n", "'preempt locks' has no effect"),
      ("mutexes", "set preempt locks\n", "'preempt locks' does not reach each 'Mutex'"),
    ]
  )
  func `a missing requirement of the search is named, and the search is not complete`(
    need: String,
    option: String,
    words: String
  ) throws {
    let place = try Workplace(program: "TroubleShell")
    let tie = option + tie
    try place.write("a.rehearse", tie)
    let unknown = ["MISSING_NEED": need]
    let outcome = try place.rehearse(
      ["explore", "a.rehearse", "--schedules", "50"],
      input: [],
      environment: unknown
    )
    #expect(outcome.output.contains(" runs of a.rehearse, "))
    #expect(!outcome.output.contains("all orders"))

    let json = try place.rehearse(
      ["explore", "a.rehearse", "--json", "--strategy", "exhaustive"],
      input: [],
      environment: unknown
    )
    #expect(json.output.contains(#""missesOrders": true"#))
    #expect(json.output.contains(#""reason": "partial""#))

    let exhaustive = try place.rehearse(
      ["explore", "a.rehearse", "--strategy", "exhaustive"],
      input: [],
      environment: unknown
    )
    #expect(exhaustive.output.contains("not all orders were tried"))
    #expect(exhaustive.output.contains(words))

    let session = try place.rehearse(
      [],
      input: Array((tie + "explore 50\n").utf8),
      environment: unknown
    )
    #expect(session.output.contains(" runs of the session, "))
    #expect(!session.output.contains("all orders"))
  }

  @Test func `a script may come from standard input`() throws {
    let place = try Workplace()
    let named = try explore(tie).output
    let piped = try place.rehearse("explore", "-", input: tie)
    #expect(piped.output == named.replacing("a.rehearse", with: "standard input"))

    let empty = try place.rehearse("explore", "-", input: "# nothing\n")
    #expect(empty.code == 2)
    #expect(empty.errors.hasPrefix("error: there is no command to explore in standard input\n"))
  }

  @Test func `the difference between behaviours is shown at any place of the output`() throws {
    let outcome = try explore(
      "loadable a\nbetween 0s and 1s load a 1 or fail \"x\" after 2s\nsettle\n"
    )
    let groups = outcome.output.split(separator: "\n\n").dropFirst(2)
      .map { $0.split(separator: "\n").dropFirst().joined(separator: "\n") }

    #expect(groups.count > 3)
    #expect(Set(groups).count == groups.count)
  }

  @Test(arguments: ["random", "pct", "mixed"])
  func `a behaviour is shown by a short schedule`(strategy: String) throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let loads = names.map { "loadable \($0)\nload \($0) 1 after 1s\n" }.joined()
    let outcome = try explore(
      loads + "in 1s cancel f\nsettle\n",
      "--strategy",
      strategy,
      "--schedules",
      "200"
    )
    let schedules = outcome.output.matches(of: /for example 'schedule (.*)'/)

    #expect(schedules.count == 2)
    #expect(schedules.allSatisfy { $0.output.1.split(separator: " ").count <= 2 })
  }

  @Test(arguments: [2, 3, 4, 5])
  func `a budget may equal the number of schedules`(schedules: Int) throws {
    let outcome = try explore(tie, "--strategy", "exhaustive", "--schedules", "\(schedules)")

    #expect(outcome.code == 0)
    #expect(
      outcome.lines.first?.hasPrefix(schedules < 4 ? "\(schedules + 1) runs " : "5 runs ") == true
    )
    #expect(outcome.lines.first?.contains(", all orders of ") == (schedules >= 4))
  }

  @Test(arguments: ["exhaustive", "random"], [1, 2])
  func `each run that hangs at the time limit is counted`(strategy: String, jobs: Int) throws {
    let place = try Workplace(program: "TroubleShell")
    // The hanging run uses up the time of the search, so the limit comes later on every machine.
    try place.write("a.rehearse", "scene trouble\ntie 9\nsettle\n")
    let outcome = try place.rehearse(
      [
        "explore", "a.rehearse", "--strategy", strategy, "--max-time", "1m", "--timeout", "500ms",
        "--jobs", "\(jobs)",
      ],
      input: [],
      environment: ["MADE_TIME": place.path + "/clock.ms"]
    )

    #expect(outcome.code == 1)
    #expect(place.read("clock.ms") == "60000")
    // Each worker may be in a hanging run.
    let error = /error: 'settle' took longer than 500ms, in (\d+) runs?\b/
    let count = try #require(outcome.output.firstMatch(of: error).flatMap { Int($0.output.1) })
    #expect((1...jobs).contains(count))
  }

  @Test func `ten behaviours are shown, or the requested number`() throws {
    let script = "loadable a\nload a 0 or " + (1...11).map(String.init).joined(separator: " or ")
    let some = try explore(script)
    let claim = "all orders of suspension points and executor hops"
    #expect(some.lines.first?.hasPrefix("13 runs of a.rehearse, \(claim)") == true)
    #expect(some.lines.first?.hasSuffix(": 12 behaviours") == true)
    #expect(some.lines.last == "2 more behaviours in 2 runs; '--behaviours all' lists them")
    #expect(some.lines.filter { $0.hasPrefix("   > load") }.count == 9)

    let one = try explore(script, "--behaviours", "1")
    #expect(one.lines.last == "11 more behaviours in 11 runs; '--behaviours all' lists them")
    let all = try explore(script, "--behaviours", "all")
    #expect(all.lines.starts(with: some.lines.dropLast()))
    #expect(all.lines.filter { $0.hasPrefix("   > load") }.count == 11)
    #expect(try explore(script, "--json").lines.filter { $0.contains("\"behaviour\"") }.count == 12)
  }

  @Test func `the behaviour of the default schedule comes first, then the most frequent ones`()
    throws
  {
    let script =
      "loadable a\nloadable b\nload a 1 or 2 after 1s\nload b 1 after 1s\nin 1s cancel b\n"
    let counts = try explore(script).lines.compactMap { line in
      line.contains(" run") && line.first?.isNumber == true
        ? line.split(separator: " ").dropFirst().first.flatMap { Int($0) } : nil
    }
    #expect(counts.count > 3)
    #expect(Array(counts.dropFirst()) == counts.dropFirst().sorted(by: >))
  }

  @Test(arguments: ["random", "pct", "exhaustive"])
  func `a command that fails in some orders is shown in a transcript, which replays`(
    strategy: String
  ) throws {
    let place = try Workplace()
    try place.write("a.rehearse", tie + "expect a loaded 1\n")
    let outcome = try place.rehearse(["explore", "a.rehearse", "--strategy", strategy], input: [])
    #expect(outcome.code == 1)

    let parts = outcome.output.split(separator: "in the other order the nearest run passes\n\n")
    #expect(
      parts.first?.contains(
        """
        , as in the transcript below
        cause: 'cancel a' (a.rehearse:3) came before the answer of a #1 (a.rehearse:2); \

        """
      ) == true
    )
    let transcript = String(try #require(parts.last))
    #expect(transcript.hasPrefix("> schedule 1:1\n> loadable a\n"))
    #expect(transcript.contains("error: expected a loaded 1, but it is absent"))
    try place.write("found.transcript", transcript)
    let replay = try place.rehearse("test", "found.transcript")
    #expect(replay.output.hasSuffix("\n1 passed (1 expects a failure)\n"))
  }

  @Test func `programs get the cause and the values as data`() throws {
    let script = "loadable a\nload a 1 after 1s to 3s\nin 2s expect a loaded 1\n"
    let lines = try explore(script, "--json").lines
    let failure = try #require(lines.first { $0.hasPrefix(#"{"type": "failure""#) })
    for part in [
      #""early": {"text": "'expect a loaded 1' (a.rehearse:3)", "subject": "'expect a loaded 1'", "#,
      #""late": {"text": "the answer of a #1 (a.rehearse:2)", "subject": "the answer of a #1", "#,
      #""place": "a.rehearse:2", "file": "a.rehearse", "line": 2}"#,
      #""values": [{"name": "the delay 1s to 3s of 'load a 1 after 1s to 3s'", "value": "2.001s", "#,
    ] {
      #expect(failure.contains(part), "\(failure)")
    }
  }

  @Test func `equal searches have equal findings`() throws {
    let script =
      (1...4).map { "loadable m\($0)\n" }.joined()
      + (1...4).map { "load m\($0) 1 after 1s\nin 1s cancel m\($0)\n" }.joined() + "settle\n"
    let arguments = ["--strategy", "random", "--schedules", "200", "--json"]
    let place = try Workplace()
    try place.write("a.rehearse", script)
    let first = try place.rehearse(["explore", "a.rehearse"] + arguments, input: [])
    let second = try place.rehearse(["explore", "a.rehearse"] + arguments, input: [])

    #expect(first.output == second.output)
    #expect(first.output.contains("\"type\": \"end\", \"runs\": 201"))
  }

  @Test func `a transcript may show failures, a script may not`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> cancel a\n  error: no member is called 'a'\n  ...\n")
    #expect(try place.rehearse(["explore", "a.transcript"], input: []).code == 0)
    try place.write("a.transcript", "> cancel a\n")
    #expect(try place.rehearse(["explore", "a.transcript"], input: []).code == 1)

    let outcome = try explore("cancel a\n")
    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        """

        error: 'cancel a' fails in 1 run; it fails in the default schedule too, as in the transcript below

        > cancel a
          error: no member is called 'a'

        """
      )
    )
  }

  @Test func `a failure of the default schedule is shrunk, and the search finds others`()
    throws
  {
    let script =
      "loadable b\n" + tie.replacing("settle", with: "expect a loaded 9\nsettle")
      + "expect a loaded 1\n"
    let first = try explore(script)
    let all = try explore(script, "--keep-going", "--save", "kept")
    let errors = { (outcome: Outcome) in outcome.lines.filter { $0.hasPrefix("error: ") } }

    #expect(first.code == 1)
    #expect(first.lines.filter { $0.hasPrefix("> ") }.count == 3)
    #expect(errors(first).count == 1)
    #expect(all.code == 1)
    #expect(
      errors(all) == [
        "error: 'expect a loaded 9' fails in 5 runs; it fails in the default schedule too, as in the transcript below",
        "error: 'expect a loaded 1' fails in 3 runs, as in the transcript below",
      ]
    )
    #expect(all.lines.contains("> schedule 1:1"))
    #expect(all.lines.filter { $0.hasPrefix("saved: ") }.count == 2)
  }

  @Test func `a behaviour that fails names no other schedule than its transcript`() throws {
    let outcome = try explore(tie + "expect a loaded 1\n")
    let schedules = Set(outcome.output.matches(of: /schedule ([0-9: ]+)/).map(\.output.1))

    #expect(outcome.lines.contains("2. 1 run that fails"))
    #expect(schedules == ["1:1"])
  }

  @Test func `JSON has no share if a search left something out`() throws {
    let search = ["--json", "--strategy", "exhaustive"]
    let whole = try explore(tie, search[0], search[1], search[2])
    let partial = try explore(tie + "route /a 200 or 503\n", search[0], search[1], search[2])

    #expect(whole.lines.last?.contains("\"share\": 1.0") == true)
    #expect(whole.lines.last?.contains("\"reason\": \"complete\"") == true)
    #expect(partial.lines.last?.contains("\"share\"") == false)
    #expect(partial.lines.last?.contains("\"reason\": \"partial\"") == true)
  }

  @Test func `notes about commands of a script are named`() throws {
    let script = "loadable a\nload a 1 timeout 1s\nexpect requests GET /b at most 1\n"
    let outcome = try explore(script)
    let program = try explore(script, "--json")
    let note =
      "in the default schedule, line 2: 'load a 1 timeout 1s': note: it answers at once, so 'timeout 1s' has no effect"

    #expect(outcome.output.contains(note))
    #expect(
      outcome.output.contains(
        "\nin the default schedule, line 3: 'expect requests GET /b at most 1': note: no request matches 'GET /b'"
      )
    )
    #expect(program.output.contains("line 2: 'load a 1 timeout 1s': note: it answers at once"))
  }

  @Test func `the schedules that a transcript has are left out, and named`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> schedule 1:1\n> schedule 2:1\n> loadable a\n")
    let outcome = try place.rehearse(["explore", "a.transcript"], input: [])

    #expect(outcome.code == 0)
    #expect(
      outcome.lines.dropFirst().first
        == "left out, because the search chooses the order: 'schedule 1:1' and 1 more"
    )
  }

  @Test func `a stray line of a transcript is named`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> loadable a\nload a never\n")
    let outcome = try place.rehearse(["explore", "a.transcript"], input: [])

    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("error: 'a.transcript' cannot be explored: line 2: this line ")
    )
  }

  @Test func `too few file descriptors are named, and never the script`() throws {
    let place = try Workplace()
    try place.write("a.rehearse", tie + "expect a loaded 1\n")
    try place.write(
      "a.transcript",
      "> loadable a\n> load a 1 after 1s\n  ...\n> in 1s cancel a\n> explore\n  none\n"
    )
    let session = "cannot explore the session: no worker could be started: "
    var codes: Set<Int32> = []
    var answers: [String: Int] = [
      session + "too many open files": 0, "too many open files": 0, "runs of the session": 0,
    ]
    for limit in 5...20 {
      let before = "ulimit -n \(limit) && "
      let found = try place.rehearse("explore", "a.rehearse", before: before)
      codes.insert(found.code)
      if found.code == 3 {
        #expect(found.errors.hasPrefix("error: no worker could be started: too many open files\n"))
      } else {
        #expect(found.code == 1)
        #expect(found.output.contains("\nerror: 'expect a loaded 1' fails in 1 run, "))
      }

      let played = try place.rehearse("test", "a.transcript", before: before)
      let text = played.output + played.errors
      #expect(played.code != 0)
      #expect(!text.contains("ended the process") && !text.contains("crashed"))
      let known = answers.keys.filter { text.contains($0) }
      #expect(!known.isEmpty || text.contains("process could be started"))
      for answer in known { answers[answer, default: 0] += 1 }
    }
    // Each message appears at one of the limits.
    #expect(codes == [1, 3])
    #expect(answers.filter { $0.value == 0 }.isEmpty)
  }

  @Test func `a script that chooses an order itself is refused`() throws {
    let outcome = try explore("schedule 1:1\n" + tie)

    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("because of 'schedule 1:1' in line 1"))
    #expect(outcome.errors.contains("hint: remove this command"))
  }

  @Test(arguments: [
    (["--schedules", "0"], "from 1 to"),
    (["--allow", "stuck"], "hint: '--allow' is now '--disable'"),
    (["--strategy", "priorities"], "hint: 'priorities' is now 'pct'"),
    (["--strategy", "best"], "'best' is invalid"),
    (["--pct-changes", "2", "--strategy", "random"], "--pct-changes needs"),
    (["--max-time", "soon"], "soon"),
    (["--schedules", "1000000001"], "from 1 to"), (["--behaviours", "0"], "from 1 to"),
    (["--behaviours", "some"], "or 'all'"),
    (["--behaviours", "all", "--json"], "--json, which lists all behaviours"),
  ])
  func `a wrong flag is named`(arguments: [String], word: String) throws {
    let place = try Workplace()
    try place.write("a.rehearse", tie)
    let outcome = try place.rehearse(["explore", "a.rehearse"] + arguments, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(word))
  }

  @Test func `a failure is saved as a transcript that passes, and no file is replaced`()
    throws
  {
    let place = try Workplace()
    try place.write("a.rehearse", tie + "expect a loaded 1\n")
    let name = "kept/expect-a-loaded-1.transcript"
    func explore() throws -> Outcome {
      try place.rehearse(["explore", "a.rehearse", "--save", "kept"], input: [])
    }
    let first = try explore()
    #expect(first.code == 1)
    #expect(first.lines.last == "saved: \(name)")
    let replay = try place.rehearse("test", "kept")
    #expect(replay.output.hasSuffix("\n1 passed (1 expects a failure)\n"))
    #expect(try explore().lines.last == "already saved: \(name)")

    try place.write(name, "# mine\n")
    #expect(try explore().lines.last == "saved: kept/expect-a-loaded-1-2.transcript")
    #expect(place.read(name) == "# mine\n")
  }

  @Test(arguments: ["", "a.rehearse"])
  func `an invalid folder is refused before the search`(folder: String) throws {
    let place = try Workplace()
    try place.write("a.rehearse", tie)
    let outcome = try place.rehearse(["explore", "a.rehearse", "--save", folder], input: [])
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: --save takes a folder, and '\(folder)' is not one\n"))
  }

  @Test func `an error while saving does not suppress the report`() throws {
    let place = try Workplace()
    try place.write("a.rehearse", tie + "expect a loaded 1\n")
    let outcome = try place.rehearse(["explore", "a.rehearse", "--save", "/proc/kept"], input: [])
    #expect(outcome.code == 3)
    #expect(
      outcome.errors.hasPrefix("error: cannot write '/proc/kept/expect-a-loaded-1.transcript': ")
    )
    #expect(outcome.output.contains("as in the transcript below"))
  }
}
