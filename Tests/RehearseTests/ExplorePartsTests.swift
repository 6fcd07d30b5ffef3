import Testing

/// Searches in several processes, and their merged reports.
@Suite struct ExplorePartsTests {
  private let place: Workplace
  private let script =
    "loadable a\nloadable b\nload a 1 after 1s\nin 1s cancel a\nload b 1 after 1s\n"
    + "in 1s cancel b\nsettle\nexpect a loaded 1\n"

  init() throws {
    place = try Workplace()
    try place.write("a.rehearse", script)
  }

  private func explore(_ arguments: [String]) throws -> Outcome {
    try place.rehearse(["explore", "a.rehearse"] + arguments, input: [])
  }

  /// Writes the report of a part into a file, and returns its name.
  private func part(_ name: String, _ arguments: [String]) throws -> String {
    try place.write(name, try explore(arguments + ["--json"]).output)
    return name
  }

  @Test(arguments: [
    ["--strategy", "random", "--schedules", "100", "--keep-going"],
    ["--strategy", "random", "--schedules", "100"],
    ["--strategy", "pct", "--schedules", "60", "--keep-going", "--jobs", "1"],
    ["--strategy", "mixed", "--schedules", "60", "--keep-going", "--seed", "5"],
    ["--schedules", "60", "--keep-going", "--preempt", "locks"],
    ["--schedules", "150", "--keep-going"],
    ["--schedules", "12", "--keep-going"],
  ])
  func `merged parts give the same bytes as one search`(
    arguments: [String]
  ) throws {
    let parts = try (1...3).map { try part("\($0)", arguments + ["--shard", "\($0)/3"]) }
    let shuffled = [parts[2], parts[0], parts[1]]
    let (text, json) = (try explore(arguments), try explore(arguments + ["--json"]))
    let merged = try place.rehearse(["report"] + shuffled, input: [])
    let mergedJSON = try place.rehearse(["report", "--json"] + shuffled, input: [])

    let whole = [try part("whole", arguments)]
    let told = try place.rehearse(["report"] + whole, input: [])
    let toldJSON = try place.rehearse(["report", "--json"] + whole, input: [])

    #expect(told.output == text.output)
    #expect(told.code == text.code)
    #expect(toldJSON.output == json.output)
    #expect(toldJSON.code == json.code)
    #expect(text.output.contains(" runs of a.rehearse"))
    #expect(merged.output == text.output)
    #expect(merged.code == text.code)
    #expect(mergedJSON.output == json.output)
  }

  @Test func `a sometimes is checked in the merged report, not in a part`() throws {
    let script = "loadable a\nsometimes a loaded 2\nsometimes a error\nload a 1 or 2\nsettle\n"
    try place.write("a.rehearse", script)
    let search = ["--strategy", "random", "--schedules", "20"]
    let parts = try ["1", "2"].map { try part($0, search + ["--shard", "\($0)/2"]) }
    let first = try explore(search + ["--shard", "1/2"])
    let whole = try explore(search)
    let json = try explore(search + ["--json"])
    let merged = try place.rehearse(["report"] + parts, input: [])
    let mergedJSON = try place.rehearse(["report", "--json"] + parts, input: [])

    #expect(first.code == 0)
    let ofPart = "'sometimes a error' (line 3) held in none of 11 runs; the merged report checks it"
    #expect(first.lines.contains { $0 == ofPart })
    #expect(whole.code == 1 && merged.code == 1 && mergedJSON.code == 1)
    #expect(whole.lines.contains("error: 'sometimes a error' (line 3) held in none of 21 runs"))
    #expect(whole.output.contains("\n'sometimes a loaded 2' (line 2) held in "))
    #expect(merged.output == whole.output)
    #expect(mergedJSON.output == json.output)
    let fields = #""text": "sometimes a error", "number": 0, "line": 3, "runs": 0"#
    #expect(json.lines.contains(#"{"type": "sometimes", \#(fields)}"#))
  }

  @Test func `a search that is stopped before a sometimes has held fails`() throws {
    try place.write("a.rehearse", "loadable a\nsometimes a error\nload a 1\nsettle\nquit\n")
    let outcome = try explore(["--strategy", "random", "--stop-after", "3"])
    let failed = try explore([])
    try place.write("a.rehearse", "loadable a\nsometimes a error\nload a 1\nexpect a error\n")
    let earlier = try explore([])

    #expect(outcome.code == 1 && failed.code == 1 && earlier.code == 1)
    #expect(outcome.lines.contains("error: 'sometimes a error' (line 2) held in none of 4 runs"))
    #expect(failed.output.contains("error: 'sometimes a error' (line 2) held in none of "))
    #expect(
      earlier.lines.contains(
        "'sometimes a error' (line 2) held in none of 1 run; the search ended early"
      )
    )
  }

  @Test func `parts that read different files are refused`() throws {
    try place.write("a.rehearse", "source b.rehearse\n")
    try place.write("b.rehearse", "loadable a\nload a 1 after 1s to 2s\nsettle\n")
    let first = try part("1", ["--shard", "1/2"])
    let second = try part("2", ["--shard", "2/2"])
    #expect(try place.rehearse("report", first, second).code == 0)
    try place.write("b.rehearse", "loadable a\nload a 1 after 1s to 3s\nsettle\n")
    let other = try part("3", ["--shard", "2/2"])
    let outcome = try place.rehearse("report", first, other)

    #expect(outcome.code == 2)
    #expect(
      outcome.errors
        == "error: the runs of 1 and of 3 read different contents of b.rehearse\nhint: run all shards with the same files\n"
    )
  }

  @Test func `a search fails if a file has changed when behaviours are performed again`()
    throws
  {
    try place.write("a.rehearse", "source b.rehearse\n")
    try place.write("b.rehearse", "loadable a\nload a 1\nexpect a loaded\n")
    let report = try part("whole.jsonl", [])
    let before = try place.rehearse(["report", report], input: [])
    try place.write("b.rehearse", "loadable a\nload a 1\n")
    let after = try place.rehearse(["report", report], input: [])

    #expect(before.code == 0)
    #expect(after.code == 1)
    #expect(
      after.output.contains(
        "error: nondeterministic: 'schedule default' gave another result when it ran again"
      )
    )
  }

  @Test func `a search fails if a file has changed, also if its runs give the same results`() throws
  {
    try place.write("a.rehearse", "source b.rehearse\n")
    try place.write("b.rehearse", "loadable a\nload a 1\nexpect a loaded\n")
    let report = try part("part.jsonl", ["--shard", "1/1"])
    let before = try place.rehearse(["report", report], input: [])
    try place.write("b.rehearse", "# why\nloadable a\nload a 1\nexpect a loaded\n")
    let after = try place.rehearse(["report", report], input: [])
    let json = try place.rehearse(["report", "--json", report], input: [])

    #expect(before.code == 0 && !before.output.contains("has changed"))
    #expect(after.code == 1 && json.code == 1)
    #expect(after.output.contains("error: b.rehearse has changed since the search began"))
    #expect(!after.output.contains("nondeterministic"))
    #expect(json.lines.contains(#"{"type": "changed", "path": "b.rehearse"}"#))
  }

  @Test func `a part without the first seeds is not a whole search`() throws {
    try place.write("a.rehearse", "loadable a\nload a 1 or fail \"x\"\nsometimes a error \"z\"\n")
    let report = try place.rehearse(
      ["report", try part("a.jsonl", ["--seeds", "10..20"])],
      input: []
    )

    #expect(report.code == 2)
    #expect(report.errors.contains("no report has the seeds 0..10"))
  }

  @Test
  func `failures that are ignored because of the default schedule are in JSON and in reports`()
    throws
  {
    try place.write(
      "a.transcript",
      "> process p\n> run p never\n> loadable a\n> load a 1 after 1s\n"
    )
    let json = try place.rehearse(["explore", "a.transcript", "--json"], input: [])
    try place.write("whole", json.output)
    let told = try place.rehearse(["report", "--json", "whole"], input: [])

    #expect(
      json.lines.contains(
        #"{"type": "ignored", "rule": "completes", "what": "p: #1 never ends"}"#
      )
    )
    #expect(told.output == json.output)
  }

  @Test func `a search of an endless script covers only the performed part, also in a report`()
    throws
  {
    try place.write("a.rehearse", "loadable a\nload a never interrupt after 1s do retry a\n")
    let text = try explore([])
    let merged = try place.rehearse(["report", try part("whole", [])], input: [])

    #expect(text.lines.first?.contains(" executor hops of the performed part, ") == true)
    #expect(merged.output == text.output)
  }

  @Test func `parts that are named by seeds agree on the first runs`() throws {
    let script = "loadable a\nload a 1 after 1s timeout 1s\nsettle\nexpect a loaded\n"
    try place.write("a.rehearse", script)
    let parts = try ["0..70", "70..120"].map {
      try part($0, ["--keep-going", "--seeds", $0])
    }
    let whole = try explore(["--keep-going", "--seeds", "0..120"])
    let merged = try place.rehearse(["report"] + parts, input: [])

    #expect(whole.output.hasPrefix("1121 runs of a.rehearse, "))
    // A part states no estimate.
    let estimates = merged.lines.filter { $0.hasPrefix("a new behaviour in one more random run: ") }
    #expect(estimates.count == 1)
    #expect(merged.lines.filter { !estimates.contains($0) } == whole.lines)
  }

  private func trouble(_ how: Int) throws -> Workplace {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\ntie \(how)\nsettle\n")
    return place
  }

  @Test func `parts with crashes are merged like others`() throws {
    let place = try trouble(0)
    let arguments = ["explore", "a.rehearse", "--strategy", "random", "--schedules", "40"]
    for shard in ["1/2", "2/2"] {
      let part = try place.rehearse(arguments + ["--json", "--shard", shard], input: [])
      try place.write(String(shard.prefix(1)), part.output)
    }
    let merged = try place.rehearse("report", "1", "2")

    #expect(merged.output.contains("> settle\n  error: crashed, by a trap\n"))
    #expect(merged.output == (try place.rehearse(arguments, input: []).output))
  }

  @Test func `killed workers of several parts are added`() throws {
    let places = try (1...2).map { _ in try trouble(4) }
    for (place, shard) in zip(places, ["1/2", "2/2"]) {
      let arguments = ["explore", "a.rehearse", "--strategy", "random", "--schedules", "40"]
      let part = try place.rehearse(arguments + ["--json", "--shard", shard], input: [])
      try places[0].write(String(shard.prefix(1)), part.output)
    }
    let merged = try places[0].rehearse("report", "1", "2")

    #expect(merged.code == 0)
    #expect(
      merged.lines.dropFirst().first
        == "2 workers were killed from outside; their runs were repeated"
    )
  }

  @Test func `merged parts show as many behaviours as one search`() throws {
    let arguments = ["--strategy", "random", "--schedules", "60", "--keep-going"]
    let parts = try (1...2).map { try part("\($0)", arguments + ["--shard", "\($0)/2"]) }
    let merged = try place.rehearse(["report", "--behaviours", "2"] + parts, input: [])
    #expect(merged.output.contains("; '--behaviours all' lists them\n"))
    #expect(merged.output == (try explore(arguments + ["--behaviours", "2"])).output)
  }

  @Test func `a part that has forgotten schedules makes the number of all an estimate`() throws {
    // Many schedules, and one behaviour.
    let names = ["a", "b", "c", "d", "e", "f"]
    let commands =
      names.map { "loadable \($0)" } + names.map { "load \($0) 1 after 1s" } + ["settle"]
    try place.write("a.rehearse", commands.joined(separator: "\n") + "\n")
    let arguments = ["--strategy", "random", "--schedules", "500", "--keep-going"]
    let parts = try (1...2).map { try part("\($0)", arguments + ["--shard", "\($0)/2"]) }
    let exact = try place.rehearse(["report"] + parts, input: [])
    let report = place.read("2")
    let level = report.replacing(#""inOrder": "#, with: #""schedulesLevel": 2, "inOrder": "#)
    #expect(level != report)
    try place.write("2", level)
    let text = try place.rehearse(["report"] + parts, input: [])
    let json = try place.rehearse(["report", "--json"] + parts, input: [])
    try place.write("whole", json.output)
    let again = try place.rehearse("report", "whole")

    let count = { (outcome: Outcome) in
      try #require(
        outcome.lines.first?.firstMatch(of: /, (?:about )?([0-9]+) distinct schedules of about/)
          .flatMap { Double($0.1) }
      )
    }
    #expect(try count(exact) > 400)
    #expect(text.lines.first?.contains(", about ") == true)
    #expect(abs(try count(text) / count(exact) - 1) < 0.3)
    #expect(exact.lines.first?.contains(", about ") == false)
    #expect(json.output.contains(#""areSchedulesEstimated": true"#))
    #expect(again.output == text.output)
  }

  @Test func `ranges of seeds are merged, and a gap is named`() throws {
    let arguments = ["--strategy", "random", "--keep-going"]
    let parts = try ["0..20", "20..50", "50..60"].map { seeds in
      try part(seeds, arguments + ["--seeds", seeds])
    }
    let whole = try explore(arguments + ["--schedules", "60"])
    let merged = try place.rehearse(["report"] + parts, input: [])
    #expect(merged.output == whole.output)
    #expect(whole.lines.first?.hasPrefix("61 runs of a.rehearse") == true)

    let gap = try place.rehearse("report", "0..20", "50..60")
    #expect(gap.code == 2)
    #expect(gap.errors.hasPrefix("error: no report has the seeds 20..50\n"))
    let twice = try place.rehearse("report", "0..20", "0..20")
    #expect(twice.errors.hasPrefix("error: 0..20 and 0..20 have seeds in common\n"))
  }

  @Test func `a part without any runs says so, and merges to the same as one search`()
    throws
  {
    try place.write("a.rehearse", "loadable a\nload a 1 after 10ms to 20ms\nsettle\n")
    let search = ["--schedules", "100"]
    let parts = try (1...2).map { try part("\($0)", search + ["--shard", "\($0)/2"]) }
    let merged = try place.rehearse(["report", "--json"] + parts, input: [])
    let whole = try explore(search + ["--json"])
    #expect(!whole.output.contains("\"share\""))
    #expect(merged.output.split(separator: "\n").dropFirst(2) == whole.lines.dropFirst(2))
    #expect(
      try explore(search + ["--shard", "2/2"]).output
        == "0 runs of a.rehearse, because the first part left no schedule to try, but is not complete: 0 behaviours\n"
    )
    #expect(place.read("2").contains("\"reason\": \"partial\""))
  }

  @Test func `a later part does not claim to include the default schedule`() throws {
    let search = ["--strategy", "random", "--seeds", "10..20"]
    #expect(
      try explore(search).lines.first?.hasPrefix("1 run of a.rehearse, 1 distinct schedule of ")
        == true
    )
    let last = ["--strategy", "random", "--keep-going", "--seeds"]
    let end = "18446744073709551610..18446744073709551615"
    #expect(try explore(last + [end]).lines.first?.hasPrefix("5 runs of a.rehearse, ") == true)
  }

  @Test func `the report of an interrupted search fails`() throws {
    try place.write("a.rehearse", "loadable a\nload a 1 after 1s\nsettle\n")
    let search = ["--strategy", "random", "--schedules", "20", "--json"]
    for (name, shard) in [("whole", []), ("1", ["--shard", "1/2"]), ("2", ["--shard", "2/2"])] {
      let report = try explore(search + shard).output
      let cut = report.replacing(#""isPart": "#, with: #""interrupted": true, "isPart": "#)
      try place.write(name, report)
      try place.write("cut-\(name)", cut)
      #expect(cut != report)
    }
    let code = { (files: [String]) in try place.rehearse(["report"] + files, input: []).code }

    #expect(try code(["whole"]) == 0)
    #expect(try code(["cut-whole"]) == 1)
    #expect(try code(["1", "2"]) == 0)
    #expect(try code(["1", "cut-2"]) == 1)
    let merged = try place.rehearse("report", "--json", "cut-1", "2")
    #expect(merged.output.contains(#""interrupted": true"#))
    #expect(merged.code == 1)
  }

  @Test func `a report that lost a line is refused`() throws {
    let whole = try explore(["--strategy", "random", "--schedules", "20", "--json"]).lines
    for index in whole.indices.dropFirst(2) {
      var lines = whole
      lines.remove(at: index)
      try place.write("r", lines.joined(separator: "\n"))
      #expect(try place.rehearse("report", "r").code == 2, "without line \(index + 1)")
    }
  }

  @Test func `a missing or repeated shard and another search are named`() throws {
    let search = ["--strategy", "random", "--schedules", "8"]
    let first = try part("first", search + ["--shard", "1/2"])
    let errors = { (files: [String]) in try place.rehearse(["report"] + files, input: []).errors }

    #expect(try errors([first]).hasPrefix("error: missing shards of 2: 2\n"))
    #expect(try errors([first, first]).hasPrefix("error: first and first are both shard 1/2\n"))
    let other = try part("other", search + ["--keep-going", "--shard", "2/2"])
    #expect(
      try errors([first, other]).hasPrefix("error: first and other are of different searches")
    )
    #expect(
      try errors([first, "a.rehearse"]).hasPrefix("error: a.rehearse:1: this is not the")
    )
    #expect(try errors(["none", first]).hasPrefix("error: none: there is no such file\n"))
    try place.write("empty", "")
    #expect(
      try errors([first, "empty"]).hasPrefix("error: empty: it is empty, so its run did not")
    )
    try place.write("a.transcript", "> now\n  0.000s\n")
    _ = try place.rehearse(["test", "--reporter", "json=tests", "a.transcript"], input: [])
    #expect(
      try errors([first, "tests"]).hasPrefix("error: first is of a search, and tests of tests\n")
    )

    let second = try part("second", search + ["--shard", "2/2"])
    try place.write("cut", String(place.read(second).prefix(500)))
    #expect(try errors([first, "cut"]).hasPrefix("error: cut"))
    try place.write("a.rehearse", "loadable a\n")
    #expect(
      try errors([first, second]).hasPrefix("error: 'a.rehearse' is not the explored script\n")
    )
  }

  @Test(arguments: [
    ("\"runs\": 11", "\"runs\": 9223372036854775807"), ("\"runs\": 11", "\"runs\": -1"),
    ("\"count\": 2", "\"count\": 1000000000"), ("\"index\": 1", "\"index\": 3"),
    ("\"inconclusive\": 0", "\"inconclusive\": 9223372036854775807"),
    ("\"inconclusive\": 0", "\"inconclusive\": 0, \"share\": 1e999"),
    ("\"guesses\": 10", "\"guesses\": 9223372036854775807"),
  ])
  func `an invalid number in a report is refused with its line`(number: String, odd: String) throws
  {
    try place.write("a.rehearse", "loadable a\n")
    let search = ["--strategy", "random", "--schedules", "20", "--shard"]
    let first = try part("first", search + ["1/2"])
    let second = try part("second", search + ["2/2"])
    let text = place.read(first)
    try #require(text.contains(number))
    try place.write(first, text.replacing(number, with: odd))
    let outcome = try place.rehearse("report", first, second)

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: first:"))
  }

  @Test func `Bazel's variables select the part`() throws {
    let variables = [
      "TEST_TOTAL_SHARDS": "4", "TEST_SHARD_INDEX": "1",
      "TEST_SHARD_STATUS_FILE": place.path + "/status",
    ]
    let outcome = try place.rehearse(
      "explore",
      "a.rehearse",
      "--json",
      "--schedules",
      "8",
      "--strategy",
      "random",
      environment: variables
    )

    #expect(outcome.output.contains("\"from\": 2, \"to\": 4"))
    #expect(try place.names().contains("status"))
  }

  @Test(arguments: [
    (["--shard", "1/2", "--shard", "2/2"], "--shard takes one part"),
    (["--shard", "3/2"], "parts are 1/N to N/N"), (["--seeds", "5..3"], "the second larger"),
    (["--seeds", "5"], "as 0..500"), (["--seeds", "0..9", "--seed", "1"], "replaces --seed"),
    (["--shard", "1/2", "--stop-after", "9"], "--stop-after needs the whole search"),
    (["--shard", "1/2", "--until", "9%"], "--until needs the whole search"),
    (["--shard", "1/2", "--strategy", "exhaustive"], "--jobs"),
    (["--shard", "1/2", "--max-time", "1s"], "add --schedules to --max-time"),
  ])
  func `a search that cannot be divided is an error`(arguments: [String], words: String) throws {
    let outcome = try explore(arguments)

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(words))
  }

  @Test(arguments: [
    ["--stop-after", "9"], ["--until", "9%"], ["--strategy", "exhaustive"], ["--max-time", "1s"],
  ])
  func `a search that cannot be divided is also an error with Bazel's variables`(
    arguments: [String]
  ) throws {
    let variables = ["TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "0"]
    let outcome = try place.rehearse(
      ["explore", "a.rehearse"] + arguments,
      input: [],
      environment: variables
    )

    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("TEST_TOTAL_SHARDS"))
  }

  @Test func `the report of a script that cannot be explored is refused with the reason`() throws {
    try place.write("a.rehearse", "loadable a\nschedule 1:1\n")
    let refused = try explore(["--json"])
    try place.write("part", refused.output)
    let merged = try place.rehearse(["report", "part"], input: [])

    #expect(refused.code == 1)
    #expect(refused.errors.isEmpty)
    #expect(refused.lines.count == 4)
    #expect(
      refused.lines[2].hasPrefix(
        """
        {"type": "error", "line": 2, "problem": "it cannot be explored", "text": "schedule 1:1", \
        "seen": ["error: the search chooses the order of jobs",
        """
      )
    )
    #expect(refused.lines.last == #"{"type": "end", "runs": 0, "reason": "refused"}"#)
    #expect(merged.code == 2)
    #expect(merged.errors == "error: part:3: it cannot be explored, for 'schedule 1:1'\n")
  }

  @Test func `a part that another part ends by a failure does not pass`() throws {
    try place.write("a.rehearse", "loadable a\nexpect a loaded 1\n")
    let later = try explore(["--seeds", "5..20"])

    #expect(later.code == 1)
    #expect(
      later.lines.first
        == "0 runs of a.rehearse, because the first part found a failure: 0 behaviours"
    )
  }

  @Test func `a part of a search says why it has no runs`() throws {
    try place.write("a.rehearse", "loadable a\nload a 1 after 1s\nin 1s cancel a\nsettle\n")
    #expect(
      try explore(["--shard", "2/2"]).output
        == "0 runs of a.rehearse, because the first part tried all orders: 0 behaviours\n"
    )
    // A systematic run fails, and the default schedule does not.
    try place.write("a.rehearse", script)
    let later = try explore(["--shard", "2/2"])
    #expect(later.code == 1)
    #expect(
      later.output == "0 runs of a.rehearse, because the first part found a failure: 0 behaviours\n"
    )
  }
}
