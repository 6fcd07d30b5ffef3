import PseudoTerminal
import Testing

/// The workers of `rehearse explore`: crashes, their number, and their limits.
@Suite struct ExploreWorkersTests {
  private func place(_ commands: String, program: String = "rehearse") throws -> Workplace {
    let place = try Workplace(program: program)
    try place.write("a.rehearse", commands)
    return place
  }

  private func trouble(_ commands: String) throws -> Workplace {
    try place("scene trouble\n" + commands, program: "TroubleShell")
  }

  private func loads(_ count: Int) -> String {
    (1...count).map { "loadable m\($0)\n" }.joined()
      + (1...count).map { "load m\($0) 1 after 1s\nin 1s cancel m\($0)\n" }.joined() + "settle\n"
  }

  @Test(arguments: [
    (0, "crashed, by a trap"), (1, "ended the process, with status 7"),
    (2, "took longer than 200ms"),
  ])
  func `a run that ends its process is a failure like others, with its schedule`(
    how: Int,
    what: String
  ) throws {
    let outcome = try trouble("tie \(how)\nsettle\n")
      .rehearse("explore", "a.rehearse", "--timeout", "200ms")

    #expect(outcome.code == 1)
    let headline = "error: 'settle' \(what), in 1 run, as in the transcript below"
    #expect(outcome.output.contains("\n\n\(headline)"))
    // A run that never ends is not repeated often enough to find the first decision.
    let schedule = how == 2 ? "3:1" : "1:1"
    #expect(outcome.output.contains("\n> schedule \(schedule)\n> scene trouble\n"))
    #expect(outcome.output.contains("\n> tie \(how)\n> settle\n  error: \(what)\n"))
  }

  @Test(arguments: [0, 1])
  func `commands that are not needed for a crash are removed`(how: Int) throws {
    let outcome = try trouble(
      """
      loadable a
      load a 5 after 70ms
      tie \(how)
      trap 1
      in 3s cancel a
      wait 500ms
      settle
      now

      """
    ).rehearse("explore", "a.rehearse", "--strategy", "random", "--schedules", "20")
    let commands = outcome.lines.filter { $0.hasPrefix("> ") }

    #expect(outcome.code == 1)
    #expect(commands == ["> schedule 1:1", "> scene trouble", "> tie \(how)", "> settle"])
  }

  @Test func `commands are removed even if the script hangs without some of them`() throws {
    let outcome = try trouble("brake\nloadable a\nload a 1\ntie 8\nsettle\n")
      .rehearse("explore", "a.rehearse")
    let commands = outcome.lines.filter { $0.hasPrefix("> ") }

    #expect(outcome.code == 1)
    #expect(commands == ["> schedule 1:1", "> scene trouble", "> brake", "> tie 8", "> settle"])
  }

  @Test(arguments: [0, 1, 2])
  func `a counterexample that ends its process replays`(how: Int) throws {
    let place = try trouble("tie \(how)\nsettle\n")
    let found =
      try place
      .rehearse("explore", "a.rehearse", "--save", "kept", "--timeout", "200ms")
    let replayed = try place.rehearse("test", "kept", "--timeout", "200ms")

    #expect(found.lines.contains { $0.hasPrefix("saved: kept/settle-") })
    #expect(replayed.output.hasSuffix("\n1 passed (1 expects a failure)\n"))
  }

  @Test func `a counterexample has the output before the crash`() throws {
    let place = try place("scene zoo-playlist\nremove coda\nremove intro\nsettle\n")
    let found = try place.rehearse("explore", "a.rehearse", "--save", "kept")

    #expect(
      found.output.contains(
        """
        > settle
             1.000s  hasty.songs  ["intro", "waltz", "coda"] → ["waltz", "coda"]
          error: crashed, by a trap
        # the process wrote:
        """
      )
    )
    #expect(found.output.contains("\n# This run, before 'settle':\n"))
    let replay = try place.rehearse("test", "kept")
    #expect(replay.output.hasSuffix("\n1 passed (1 expects a failure)\n"))
  }

  @Test func `counterexamples contain the fixtures of the transcript`() throws {
    let place = try Workplace()
    try place.write(
      "a.transcript",
      "> source s.rehearse\n> settle\n-- s.rehearse --\nscene zoo-playlist\nremove coda\nremove intro\n"
    )
    let found = try place.rehearse("explore", "a.transcript", "--save", "kept")

    #expect(found.code == 1)
    let replay = try place.rehearse("test", "kept")
    #expect(replay.output.hasSuffix("\n1 passed (1 expects a failure)\n"))
  }

  @Test func `files that a counterexample does not find are named`() throws {
    let place = try place("source s.rehearse\nsettle\n")
    try place.write("s.rehearse", "scene zoo-playlist\nremove coda\nremove intro\n")
    let found = try place.rehearse("explore", "a.rehearse", "--save", "kept")

    #expect(
      found.output.hasSuffix("\nnote: it reads 's.rehearse', which is not in that folder\n")
    )
    #expect(
      !(try place.rehearse("explore", "a.rehearse", "--save", ".").output.contains("note: it"))
    )
  }

  @Test(arguments: ["exhaustive", "random"])
  func `a worker that another process kills is not a failure`(strategy: String) throws {
    let outcome = try trouble("tie 4\nsettle\n").rehearse(
      "explore",
      "a.rehearse",
      "--strategy",
      strategy,
      "--schedules",
      "40",
      "--jobs",
      "1"
    )

    #expect(outcome.code == 0)
    #expect(outcome.lines.first?.hasSuffix(": 1 behaviour") == true)
    #expect(
      outcome.lines.dropFirst().first
        == "a worker was killed from outside; its runs were repeated"
    )
  }

  @Test func `messages of a crashed run are escaped and the same for every number of workers`()
    throws
  {
    let outputs = try ["1", "3"].map { jobs in
      try trouble("tie 7\nsettle\n").rehearse(
        ["explore", "a.rehearse", "--strategy", "random", "--jobs", jobs, "--keep-going"]
          + ["--schedules", "60", "--timeout", "2s"],
        input: []
      )
    }

    #expect(outputs[0].code == 1)
    #expect(outputs[0].output.contains("\n# the process wrote: \\u{1B}[31mbegun\\u{0}\n"))
    #expect(outputs[0].output.contains("\n# the process wrote: line 9\n"))
    #expect(outputs[0].output == outputs[1].output)
  }

  @Test func `a script that kills its worker is a failure`() throws {
    let outcome = try trouble("tie 3\nsettle\n").rehearse(
      "explore",
      "a.rehearse",
      "--timeout",
      "2s"
    )

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\n\nerror: 'settle' crashed, by a kill (signal 9)"))
    #expect(!outcome.output.contains("from outside"))
  }

  @Test(arguments: ["exhaustive", "random"])
  func `a crash that does not repeat is nondeterministic`(strategy: String) throws {
    let outcome = try trouble("tie 5\nsettle\n").rehearse(
      "explore",
      "a.rehearse",
      "--strategy",
      strategy,
      "--schedules",
      "40"
    )

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\nerror: nondeterministic: 'schedule "))
    #expect(outcome.output.contains("\n1 run is inconclusive: 'settle' crashed, "))
    #expect(
      outcome.output.contains("), and did not crash when it ran again\nhint: ")
    )
  }

  @Test func `crashed runs are counted and do not affect other runs`() throws {
    let outcome = try trouble("tie 0\nsettle\n").rehearse(
      "explore",
      "a.rehearse",
      "--strategy",
      "random",
      "--schedules",
      "40",
      "--keep-going"
    )
    let counts = outcome.lines.compactMap { line in
      line.firstMatch(of: /^\d\. (\d+) runs/).flatMap { Int($0.1) }
    }

    #expect(outcome.lines.first?.hasPrefix("41 runs of a.rehearse") == true)
    #expect(counts.count == 2)
    #expect(counts.reduce(0, +) == 41)
    #expect(outcome.output.contains("Fatal error: Index out of range"))
  }

  @Test(arguments: [[], ["--keep-going", "--strategy", "random", "--schedules", "5"]])
  func `a crash in the default schedule is a failure like others`(flags: [String]) throws {
    let place = try trouble("loadable a\ntrap 7\nload a 1\n")
    let outcome = try place.rehearse(
      ["explore", "a.rehearse", "--save", "kept"] + flags,
      input: []
    )

    #expect(outcome.code == 1)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.first?.hasPrefix(flags.isEmpty ? "1 run " : "6 runs ") == true)
    #expect(
      outcome.output.contains(
        "; it fails in the default schedule too, as in the transcript below\n\n"
      )
    )
    // The smallest index that is beyond the end.
    #expect(
      outcome.lines.filter { $0.hasPrefix("> ") } == ["> scene trouble", "> trap 3"]
    )
    let replay = try place.rehearse("test", "kept")
    #expect(replay.output.hasSuffix("\n1 passed (1 expects a failure)\n"))
  }

  @Test func `a transcript that crashes in the default schedule is refused`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write(
      "a.transcript",
      "> scene trouble\n  ...\n> trap 7\n  error: crashed, by a trap\n"
    )
    let outcome = try place.rehearse("explore", "a.transcript")

    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasPrefix(
        "error: cannot explore a.transcript, because of 'trap 7' in line 3\n  error: crashed, by a trap\n"
      )
    )
  }

  @Test func `missed orders are reported as text and as JSON`() throws {
    let place = try trouble("queue\nsettle\n")
    let search = ["explore", "a.rehearse", "--strategy", "exhaustive"]
    let text = try place.rehearse(search, input: [])
    let json = try place.rehearse(search + ["--json"], input: [])

    #expect(text.code == 0)
    #expect(
      text.lines.first?.hasSuffix(" distinct schedules, not all: 1 behaviour") == true
    )
    #expect(
      text.lines.dropFirst().first?
        .hasPrefix("not all orders were tried, because a task yields repeatedly, ") == true
    )
    #expect(json.lines.last?.contains("\"missesOrders\": true") == true)
    #expect(json.lines.last?.contains("\"reason\": \"partial\"") == true)
  }

  @Test func `tasks of a scene that wait at the end are a failure, unless that is allowed`() throws
  {
    let place = try trouble("leak\nsettle\n")
    let found = try place.rehearse("explore", "a.rehearse")
    let allowed = try place.rehearse("explore", "a.rehearse", "--disable", "no-leaked-work")

    #expect(found.code == 1)
    #expect(
      found.lines.contains(
        "# at the end nothing resumes a task that waits: 'first' in Trouble.waitForever() [at the end nothing resumes a task that waits: task 2 in Trouble.waitForever()]"
      )
    )
    #expect(found.lines.last == "hint: if this is intended, use '--disable no-leaked-work'")
    #expect(allowed.code == 0)
    #expect(allowed.lines.first?.contains(" all orders of ") == true)
  }

  @Test
  func `a task that listens to an endless stream waits at the end, and a transcript may show that`()
    throws
  {
    let place = try trouble("listen\nsettle\n")
    try place.write("a.transcript", "> scene trouble\n  ...\n> listen\n> settle\n")
    #expect(try place.rehearse("explore", "a.rehearse").code == 1)
    let transcript = try place.rehearse("explore", "a.transcript")

    #expect(transcript.code == 0)
    #expect(
      transcript.output.contains(
        "\nignored, because the default schedule fails too: 'no-leaked-work': at the end nothing resumes a task that waits: "
      )
    )
  }

  @Test func `a waiting task that is missing in the default schedule is a failure`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.transcript", "> scene trouble\n  ...\n> leak-twice\n> settle\n")
    let found = try place.rehearse("explore", "a.transcript")

    #expect(found.code == 1)
    #expect(
      found.output.contains(
        "\nignored, because the default schedule fails too: 'no-leaked-work': at the end nothing "
      )
    )
    #expect(found.output.contains("\nerror: 'no-leaked-work' fails in 1 run"))
  }

  @Test(arguments: [
    ("lose", "completes"), ("lose\ncancel lose", "no-leaked-work"),
    ("loadable a\nload a never", "completes"),
    ("loadable a policy queue\nload a never\nload a 1", "completes"),
    ("loadable a\nload a never awaited", "completes"), ("loadable a\nload a from /a", "completes"),
    ("loadable a\nload a never uncancellable\ncancel a", "no-leaked-work"),
  ])
  func `the work of an attempt is checked once, with its member`(
    commands: String,
    rule: String
  ) throws {
    let place = try trouble("route /a never\n" + commands + "\nsettle\n")
    #expect(try place.rehearse("explore", "a.rehearse").code == 1)
    #expect(try place.rehearse("explore", "a.rehearse", "--disable", rule).code == 0)
  }

  @Test func `a schedule in a file that a transcript sources is named as left out`() throws {
    let place = try Workplace()
    try place.write(
      "a.transcript",
      "> source s.rehearse\n> settle\n-- s.rehearse --\nloadable a\nschedule 2:1\nload a 1\n"
    )
    let found = try place.rehearse("explore", "a.transcript")

    #expect(found.code == 0)
    #expect(
      found.lines.dropFirst().first
        == "left out, because the search chooses the order: 'schedule 2:1'"
    )
  }

  @Test(arguments: [
    ["--strategy", "random", "--keep-going"], ["--strategy", "pct"],
    ["--strategy", "random", "--stop-after", "30"], ["--strategy", "exhaustive"], [],
    ["--strategy", "mixed", "--until", "20%", "--keep-going"],
    ["--strategy", "random", "--keep-going", "--until", "0.01%"],
    ["--strategy", "exhaustive", "--stop-after", "20", "--keep-going"],
  ])
  func `the number of workers does not change the findings`(arguments: [String]) throws {
    let place = try place(loads(2) + "expect m2 loaded 1\n")
    let outputs = try ["1", "3"].map { jobs in
      try place.rehearse(
        ["explore", "a.rehearse", "--schedules", "150", "--jobs", jobs] + arguments,
        input: []
      ).output
    }

    #expect(outputs[0].contains(" runs of a.rehearse"))
    #expect(outputs[0] == outputs[1])
  }

  @Test func `the number of workers does not change the findings if runs crash`() throws {
    let place = try trouble("tie 0\nsettle\n")
    let outputs = try ["1", "2"].map { jobs in
      try place.rehearse(
        "explore",
        "a.rehearse",
        "--strategy",
        "random",
        "--schedules",
        "30",
        "--keep-going",
        "--json",
        "--jobs",
        jobs
      ).output
    }

    #expect(outputs[0].contains("crashed, by a trap"))
    #expect(outputs[0] == outputs[1])
  }

  @Test
  func `a nondeterministic run is reported with the first different decision and its command`()
    throws
  {
    let outcome = try trouble("chance\nsettle\nnow\n").rehearse(
      "explore",
      "a.rehearse",
      "--strategy",
      "random",
      "--seed",
      "999",  // Each thousandth run is repeated.
      "--schedules",
      "1"
    )

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("gave another result when it ran again\n"))
    let note = outcome.lines.first { $0.hasPrefix("note: job ") }
    #expect(note?.contains(": the first run ") == true)
    #expect(note?.hasSuffix(", in 'settle'") == true)
  }

  @Test func `--stop-after ends a search with a note`() throws {
    let outcome = try place(loads(1))
      .rehearse("explore", "a.rehearse", "--strategy", "random", "--stop-after", "20")

    #expect(outcome.code == 0)
    #expect(
      outcome.lines.dropFirst().first
        == "stopped, because 20 runs in a row showed no new behaviour"
    )
  }

  @Test func `--until ends a search at a bound of the probability of a new behaviour`() throws {
    let place = try place(loads(1))
    let search = ["explore", "a.rehearse", "--strategy", "random"]
    let ended = try place.rehearse(search + ["--until", "10%"], input: [])
    let json = try place.rehearse(search + ["--until", "10%", "--json"], input: [])
    let missed = try place.rehearse(search + ["--until", "0.1%", "--schedules", "150"], input: [])

    #expect(ended.code == 0 && json.code == 0 && missed.code == 0)
    #expect(ended.lines.first?.hasPrefix("101 runs of a.rehearse, ") == true)
    let most = "with a probability of at most 10 %"
    #expect(
      ended.lines.dropFirst().first
        == "stopped, because one more random run shows a new behaviour \(most)"
    )
    let estimate = "a new behaviour in one more random run: probability about 0 %, at most "
    #expect(ended.lines.dropFirst(2).first?.hasPrefix(estimate) == true)
    #expect(ended.lines.dropFirst(2).first?.hasSuffix(" % with 95 % confidence") == true)
    #expect(
      json.lines.last?.contains(#""newBehaviour": {"probability": 0.0, "upperBound": 0.0"#) == true
    )
    #expect(json.lines.last?.contains(#""reason": "newBehaviourUnlikely""#) == true)
    #expect(
      missed.lines.contains(
        "the limit of 0.1 % for a new behaviour was not reached; more runs may reach it"
      )
    )
  }

  @Test(arguments: [["--strategy", "exhaustive"], []])
  func `systematic runs have no probability of a new behaviour`(arguments: [String]) throws {
    let outcome = try place(loads(1)).rehearse(["explore", "a.rehearse"] + arguments, input: [])

    #expect(outcome.code == 0)
    #expect(!outcome.output.contains("random run"))
  }

  @Test(arguments: ["", "# Nothing.\n", "\n\n"])
  func `a script without a command is refused`(script: String) throws {
    let outcome = try place(script).rehearse("explore", "a.rehearse")

    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasSuffix("there is no command to explore in 'a.rehearse'\n")
    )
  }

  @Test func `--stop-after does not count systematic runs`() throws {
    let outcome = try place("loadable a\nload a 1 after 1s timeout 1s\nsettle\n")
      .rehearse("explore", "a.rehearse", "--stop-after", "50")

    // The default schedule, 50 random runs, and a fifth of that as systematic ones.
    #expect(outcome.lines.first?.hasPrefix("64 runs of a.rehearse, ") == true)
    #expect(
      outcome.lines.dropFirst().first == "stopped, because 50 runs in a row showed no new behaviour"
    )
  }

  @Test(arguments: [
    (["--stop-after", "0"], "from 1 to"), (["--max-time", "0s"], "above zero"),
    (["--jobs", "0"], "from 1 to"), (["--memory", "1MB"], "at least 64MB"),
    (["--strategy", "exhaustive", "--seed", "3"], "uses no seed"),
    (["--strategy", "exhaustive", "--until", "1%"], "--until needs random runs"),
    (["--until", "0%"], "above 0% and below 100%"), (["--until", "1"], "such as 1%"),
    (["--until", "100%"], "above 0% and below 100%"), (["--until", "-1%"], "such as 1%"),
    (["--until", "1.2.3%"], "such as 1%"), (["--until", "nan%"], "such as 1%"),
  ])
  func `a budget of nothing is an error`(arguments: [String], words: String) throws {
    let outcome = try place(loads(1)).rehearse(["explore", "a.rehearse"] + arguments, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(words))
  }

  @Test func `the time limit ends a search without a failure`() throws {
    let outcome = try place(loads(3))
      .rehearse("explore", "a.rehearse", "--strategy", "random", "--max-time", "300ms")

    #expect(outcome.code == 0)
    #expect(outcome.lines.dropFirst().first == "stopped, because the time limit was reached")
  }

  @Test func `Ctrl-C prints the findings so far`() throws {
    let terminal = try place(loads(2)).terminal(
      ["explore", "a.rehearse", "--strategy", "random", "--max-time", "10m"],
      rows: 200
    )
    try terminal.wait(for: "progress") { screen in
      screen.text.contains { $0.contains(" runs · ") && $0.hasSuffix(" left · Ctrl-C stops") }
    }
    try terminal.type("\u{3}")

    #expect(try terminal.waitForExit() == 130)
    #expect(terminal.screen.text.contains("stopped by Ctrl-C"))
    #expect(terminal.screen.text.contains { $0.contains(" runs of a.rehearse, ") })
    #expect(!terminal.screen.text.contains { $0.contains("Ctrl-C stops") })
  }

  @Test func `counts continue when the search changes to random runs`() throws {
    let choices = (1...12).map { "loadable m\($0)\nload m\($0) 1 or fail \"x\" after \($0)s\n" }
    let terminal = try place(choices.joined() + "settle\n")
      .terminal(["explore", "a.rehearse"], rows: 200, columns: 120)
    func counts() -> [(runs: Int, behaviours: Int)] {
      String(decoding: terminal.written, as: UTF8.self)
        .matches(of: /(\d+) runs · (\d+) behaviours/)
        .compactMap { match in
          guard let runs = Int(match.1), let behaviours = Int(match.2) else { return nil }
          return (runs, behaviours)
        }
    }
    try terminal.wait(for: "random runs") { _ in (counts().last?.runs ?? 0) > 1_500 }
    try terminal.type("\u{3}")
    #expect(try terminal.waitForExit() == 130)

    let all = counts()
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.runs <= $1.runs })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.behaviours <= $1.behaviours })
  }
}
