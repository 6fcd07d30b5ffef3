import Testing

/// Reports of runs, and merged reports.
@Suite struct ReportTests {
  private let place: Workplace

  init() throws {
    place = try Workplace()
    try place.makeFolder("t")
    try place.write("t/a.transcript", "# Time stands still.\n> now\n  0.000s\n")
    try place.write(
      "t/b.transcript",
      "# This is wrong.\n> loadable n\n> load n 1\n     0.000s  n  never\n"
    )
    for name in ["c", "d", "e", "f"] {
      try place.write("t/\(name).transcript", "> now\n  0.000s\n")
    }
    try place.write(
      "g.md",
      "```transcript\n> now\n  0.000s\n```\n\n```transcript Other\n> b\n```\n"
    )
  }

  private static let forms = ["plain", "tap", "junit", "json", "github", "markdown", "html"]

  private func files(_ prefix: String) -> [String] {
    Self.forms.flatMap { ["--reporter", "\($0)=\(prefix).\($0)"] }
  }

  @Test(arguments: [["--history", "g.md", "t"], ["only.md"]])
  func `lines of JSON in a file have the hints that standard output has`(
    arguments: [String]
  ) throws {
    try place.write("only.md", "```transcript Other\n> b\n```\n")
    let reporters = ["--reporter", "json", "--reporter", "json=o.json"]
    let outcome = try place.rehearse(["test"] + reporters + arguments, input: [])
    let error = try #require(outcome.lines.first { $0.contains("\"error\"") })

    #expect(outcome.code == 2)
    #expect(error.contains("\"hint\": "))
    #expect(place.read("o.json").split(separator: "\n").contains(error))
    let again = try place.rehearse("report", "o.json", "--reporter", "json")
    #expect(again.lines.contains(error))
  }

  @Test func `a byte order mark before a report makes no difference`() throws {
    _ = try place.rehearse("test", "t/a.transcript", "--reporter", "json=o.json")
    let report = try place.rehearse("report", "o.json")
    try place.write("o.json", "\u{FEFF}" + place.read("o.json"))

    #expect(report.output == "1 passed\n")
    #expect(try place.rehearse("report", "o.json").output == report.output)
  }

  @Test func `merged parts give the same report as a whole run`() throws {
    let whole = try place.rehearse(
      ["test", "--no-history", "t", "g.md"] + files("out/whole"),
      input: [],
      environment: ["CI": "1"]
    )
    for part in 1...3 {
      _ = try place.rehearse(
        "test",
        "--no-history",
        "--shard",
        "\(part)/3",
        "--reporter",
        "json=part-\(part)",
        "t",
        "g.md",
        environment: ["CI": "1"]
      )
    }
    let merged = try place.rehearse(
      ["report", "part-3", "part-1", "part-2"] + files("out/merged"),
      input: []
    )

    #expect(whole.code == 1 && merged.code == 1)
    #expect(merged.output == whole.output)
    #expect(whole.output.hasSuffix("6 passed, 1 failed, 1 left to Other\n"))
    for form in Self.forms {
      let text = place.read("out/whole.\(form)")
      #expect(text.count > 40, "\(form) says something")
      #expect(place.read("out/merged.\(form)") == text, "\(form) is the same")
    }
  }

  @Test func `a missing part is named, and nothing is reported`() throws {
    _ = try place.rehearse("test", "--no-history", "--shard", "1/2", "--reporter", "json=one", "t")
    let outcome = try place.rehearse("report", "one", "--reporter", "tap=all.tap")

    #expect(outcome.code == 2)
    #expect(
      outcome.errors == """
        error: missing shards of 2: 2
        hint: run '--shard 2/2', and name its report too

        """
    )
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    ["--filter", "!b"], ["t/a.transcript", "t/c.transcript"], ["--history", "h"],
    ["--filter", "!name:wrong"],
  ])
  func `shards of different selections are refused`(second: [String]) throws {
    try place.write("h", "test history 1\npassed 100000 t/a.transcript\npassed 9 t/b.transcript\n")
    let test = ["test", "--no-pending", "--reporter"]
    let paths = second.contains { $0.hasPrefix("t/") } ? [] : ["t"]
    _ = try place.rehearse(test + ["json=one", "--shard", "1/2", "t"], input: [])
    _ = try place.rehearse(test + ["json=two", "--shard", "2/2", "t"], input: [])
    _ = try place.rehearse(test + ["json=other", "--shard", "2/2"] + second + paths, input: [])

    #expect(try place.rehearse("report", "one", "two").code == 1)
    let refused = try place.rehearse("report", "one", "other")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("shards of different selections of transcripts"))
    #expect(refused.output.isEmpty)
  }

  @Test
  func `shards with different known-flaky files or repetitions are refused`()
    throws
  {
    try place.write("list", "limit 1\nt/b.transcript\n")
    let test = ["test", "--no-pending", "--no-history", "--reporter"]
    _ = try place.rehearse(test + ["json=one", "--shard", "1/2", "t"], input: [])
    for options in [["--known-flaky", "list"], ["--repeat", "2"], ["--check-determinism"]] {
      let other = test + ["json=other", "--shard", "2/2", "t"] + options
      _ = try place.rehearse(other, input: [])
      let refused = try place.rehearse("report", "one", "other")
      #expect(refused.code == 2)
      #expect(refused.errors.contains("shards of different selections of transcripts"))
    }
  }

  @Test func `shards that source different files are refused`() throws {
    try place.makeFolder("s")
    for name in ["a", "b", "c", "d"] {
      try place.write("s/\(name).transcript", "> source setup.rehearse\n  ...\n")
    }
    let test = ["test", "--no-pending", "--no-history", "--reporter"]
    // File times have a coarse clock, so a file that was written before a run may seem newer than its begin.
    let later = "touch mark; until [ mark -nt s/setup.rehearse ]; do touch mark; done; "
    let report = { (second: String) in
      try place.write("s/setup.rehearse", "now\n")
      _ = try place.rehearse(test + ["json=one", "--shard", "1/2", "s"], input: [], before: later)
      try place.write("s/setup.rehearse", second)
      _ = try place.rehearse(test + ["json=two", "--shard", "2/2", "s"], input: [], before: later)
      return try place.rehearse("report", "one", "two")
    }

    #expect(try report("now\n").output == "4 passed\n")
    let refused = try report("now \n")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("read different contents of s/setup.rehearse"))
  }

  @Test func `every form of report names the selection`() throws {
    let outcome = try place.rehearse(
      ["test", "--no-history", "--no-pending", "--filter", "a.transcript", "t"] + files("chosen"),
      input: []
    )
    let note = "only transcripts whose path contains 'a.transcript' were chosen, from 1 of "

    #expect(outcome.output.hasPrefix("note: \(note)"))
    #expect(outcome.output.hasSuffix("\n1 passed\n"))
    for form in Self.forms {
      #expect(place.read("chosen.\(form)").replacing("&#39;", with: "'").contains(note), "\(form)")
    }
  }

  @Test func `a part that the environment and the flag name differently is refused`() throws {
    let bazel = ["TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "1"]
    let outcome = try place.rehearse("test", "--shard", "1/2", "t", environment: bazel)

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: --shard says 1/2, and TEST_TOTAL_SHARDS"))
  }

  @Test func `shards of two versions of a transcript are refused`() throws {
    let test = ["test", "--no-pending", "--no-history", "--reporter"]
    _ = try place.rehearse(test + ["json=one", "--shard", "1/2", "t"], input: [])
    for name in ["a", "c", "d"] {
      let file = "t/\(name).transcript"
      let before = place.read(file)
      try place.write(file, before + "# Edited meanwhile.\n")
      _ = try place.rehearse(test + ["json=two", "--shard", "2/2", "t"], input: [])
      #expect(try place.rehearse("report", "one", "two").code == 2)
      try place.write(file, before)
    }
    _ = try place.rehearse(test + ["json=two", "--shard", "2/2", "t"], input: [])
    #expect(try place.rehearse("report", "one", "two").code == 1)
  }

  @Test func `a report that cannot be written does not affect other reports`() throws {
    let outcome = try place.rehearse(
      "test",
      "t/a.transcript",
      "--reporter",
      "json=ok.json",
      "--reporter",
      "junit=t/a.transcript/x.xml",
      "--coverage-json",
      "none/c.json"
    )
    #expect(outcome.code == 2)
    for path in ["t/a.transcript/x.xml", "none/c.json"] {
      #expect(outcome.output.contains("error: cannot write \(path): "))
      #expect(place.read("ok.json").contains("cannot write \(path): "))
    }
    #expect(try place.rehearse("report", "ok.json").code == 1)
  }

  @Test func `refused reports replace reports of earlier runs`() throws {
    _ = try place.rehearse("test", "--no-history", "--reporter", "json=one", "t/a.transcript")
    _ = try place.rehearse("report", "one", "--reporter", "junit=all.xml")
    #expect(!place.read("all.xml").contains("<error"))
    let outcome = try place.rehearse("report", "one", "none", "--reporter", "junit=all.xml")

    #expect(outcome.code == 2)
    #expect(place.read("all.xml").contains("<error message=\"none: there is no such file\""))
  }

  @Test func `a file that is not a report is named`() throws {
    let outcome = try place.rehearse("report", "t/a.transcript")
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix(
        "error: t/a.transcript:1: this is not the first line of a report\nhint: "
      )
    )
    let empty = try place.rehearse("report", "empty", before: ": >empty; ")
    #expect(empty.code == 2)
    #expect(empty.errors.hasPrefix("error: empty: it is empty, so its run did not begin\nhint: "))
    #expect(try place.rehearse("report").code == 2)
    #expect(try place.rehearse("report", "none").code == 2)
  }

  @Test func `a file that is larger than any report is not read`() throws {
    // A sparse file, which takes no space on disk.
    let outcome = try place.rehearse("report", "big", before: "truncate -s 257M big; ")
    #expect(outcome.code == 2)
    #expect(outcome.errors == "error: big: larger than 256 MB\n")
  }

  @Test func `standard output has one report only`() throws {
    let outcome = try place.rehearse("test", "--reporter", "tap", "--json", "t")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("Only one report goes to standard output"))
    #expect(outcome.errors.contains("Usage: rehearse test "))
    #expect(try place.rehearse("test", "--reporter", "tap=x", "--json", "t").code == 1)
    #expect(try place.rehearse("test", "--reporter", "pdf", "t").code == 2)
  }

  @Test func `a report on standard output has no other output around it`() throws {
    let outcome = try place.rehearse("test", "--no-history", "--reporter", "tap", "t/a.transcript")
    #expect(
      outcome.output == """
        TAP version 14
        1..1
        ok 1 - t/a.transcript: Time stands still.
        # 1 passed

        """
    )
  }

  @Test func `the XML report is written to Bazel's path`() throws {
    let outcome = try place.rehearse(
      "test",
      "t",
      environment: ["XML_OUTPUT_FILE": place.path + "/bazel/test.xml"]
    )
    #expect(outcome.code == 1)
    #expect(outcome.output.hasSuffix("5 passed, 1 failed\n"))
    #expect(place.read("bazel/test.xml").contains("tests=\"6\" failures=\"1\""))
  }

  @Test(arguments: ["html=out", "json=./out"])
  func `another report does not replace the XML report`(reporter: String) throws {
    let outcome = try place.rehearse(
      ["test", "--reporter", reporter, "t"],
      input: [],
      environment: ["XML_OUTPUT_FILE": place.path + "/out"]
    )
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("two reports cannot go into '"))
  }

  @Test func `equal runs give equal bytes with every number of workers`() throws {
    for jobs in ["1", "4"] {
      _ = try place.rehearse(
        ["test", "--jobs", jobs, "t", "g.md"] + files("jobs-\(jobs)"),
        input: [],
        environment: ["CI": "1"]
      )
    }
    for form in Self.forms {
      #expect(place.read("jobs-1.\(form)") == place.read("jobs-4.\(form)"))
    }
  }

  @Test(arguments: [
    (["test", "--coverage-json", "t/a.transcript", "t"], "t/a.transcript", "a transcript"),
    (["test", "--coverage-diagram", "g.md", "g.md"], "g.md", "a file that is replayed"),
    (["test", "--coverage-json", "x", "--reporter", "json=x", "t"], "x", "another report"),
    (["report", "one", "--reporter", "json=./one"], "./one", "a report to merge"),
    (["report", "one", "--coverage-json", "one"], "one", "a report to merge"),
  ])
  func `a report does not overwrite a played or merged file`(
    arguments: [String],
    path: String,
    victim: String
  ) throws {
    _ = try place.rehearse("test", "--no-history", "--no-pending", "--reporter", "json=one", "t")
    let before = [place.read("one"), place.read("t/a.transcript"), place.read("g.md")]
    let outcome = try place.rehearse(arguments, input: [])

    #expect(outcome.code == 2)
    let text = outcome.output + outcome.errors
    #expect(text.hasPrefix("error: \(path): the report would overwrite \(victim)\nhint: "))
    #expect([place.read("one"), place.read("t/a.transcript"), place.read("g.md")] == before)
    #expect(try !place.names().contains("x"))
  }

  @Test func `a run without transcripts writes a complete report, which can be merged`()
    throws
  {
    for part in 1...2 {
      let outcome = try place.rehearse(
        [
          "test", "--no-history", "--filter", "zzz", "--shard", "\(part)/2", "--reporter", "json",
          "t",
        ],
        input: []
      )
      #expect(outcome.code == 2)
      try place.write("part-\(part)", outcome.output)
    }
    let merged = try place.rehearse("report", "part-1", "part-2")

    #expect(
      merged.output == "error: no transcript whose path contains 'zzz' in: t\n0 passed\n"
    )
    #expect(merged.code == 2)
    let others = try place.rehearse(
      "test",
      "--reporter",
      "json",
      "h.md",
      before: """
        printf '```transcript Other\n> b\n```\n' > h.md; 
        """
    )
    #expect(others.code == 2)
    #expect(others.output.split(separator: "\n").last?.hasPrefix("{\"type\": \"end\", ") == true)
  }

  @Test func `annotations have paths relative to the checkout of a workflow`() throws {
    let test = ["test", "--no-history", "--no-pending", "--reporter", "github"]
    let run = { (paths: [String], root: String) in
      try place.rehearse(test + paths, input: [], environment: ["GITHUB_WORKSPACE": root])
        .output.split(separator: ",")[0]
    }
    let folder = place.path.split(separator: "/").last.map(String.init) ?? ""
    let above = String(place.path.dropLast(folder.count + 1))

    #expect(try run(["t"], above) == "::error file=\(folder)/t/b.transcript")
    #expect(try run([place.path + "/t"], place.path) == "::error file=t/b.transcript")
    #expect(try run(["t"], place.path + "/t/deeper") == "::error file=t/b.transcript")
  }

  @Test(arguments: [([:], []), (["TEST_TOTAL_SHARDS": "2"], ["green.transcript"])])
  func `reports of an earlier run are replaced if nothing can be played`(
    environment: [String: String],
    paths: [String]
  ) throws {
    try place.write("green.transcript", "> now\n  0.000s\n")
    let report = ["--reporter", "json=o"]
    _ = try place.rehearse(["test", "green.transcript"] + report, input: [])
    #expect(place.read("o").contains("\"ok\": true"))
    let outcome = try place.rehearse(
      ["test"] + paths + report,
      input: [],
      environment: environment
    )
    #expect(outcome.code == 2)
    #expect(place.read("o").contains("\"ok\": false"))
    #expect(place.read("o").contains("\"type\": \"error\""))
  }
}
