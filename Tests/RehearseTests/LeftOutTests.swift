import Testing

/// Omissions of `test`: each is reported.
@Suite struct LeftOutTests {
  private let place: Workplace
  private static let good = "> now\n  0.000s\n"
  private static let wrong = "> now\n  9.000s\n"

  init() throws {
    place = try Workplace()
    try place.makeFolder("t")
    try place.write("t/a.transcript", Self.good)
  }

  // MARK: Folders

  @Test func `both usual folders are played`() throws {
    for folder in ["transcripts", "Transcripts"] { try place.makeFolder(folder) }
    try place.write("transcripts/a.transcript", Self.good)
    try place.write("Transcripts/b.transcript", Self.wrong)
    let outcome = try place.rehearse("test", "--no-pending")

    #expect(outcome.code == 1)
    #expect(outcome.output.hasPrefix("Transcripts/b.transcript:2: output differs\n"))
    #expect(outcome.output.hasSuffix("1 passed, 1 failed\n"))
    let format = try place.rehearse("format", "--check", "--json")
    #expect(format.output.contains("\"files\": 2"))
  }

  @Test func `a usual folder in other capitals is played`() throws {
    for folder in ["transcripts", "TRANSCRIPTS"] { try place.makeFolder(folder) }
    try place.write("transcripts/a.transcript", Self.good)
    try place.write("TRANSCRIPTS/b.transcript", Self.wrong)

    #expect(try place.rehearse("test", "--no-pending").output.hasSuffix("1 passed, 1 failed\n"))
  }

  @Test func `two names of one usual folder are played once`() throws {
    try place.makeFolder("transcripts")
    try place.write("transcripts/a.transcript", Self.good)
    let outcome = try place.rehearse("test", before: "ln -s transcripts Transcripts; ")

    #expect(outcome.output == "1 passed\n")
  }

  @Test(arguments: [[], ["--filter", "a"], ["--filter", "!z"], ["--filter", "!tag:slow"]])
  func `a named folder without transcripts is named, and fails, also with one that has some`(
    filter: [String]
  ) throws {
    try place.makeFolder("empty/deeper")
    try place.makeFolder("pages")
    try place.write("pages/notes.md", "# Notes\n\n```sh\nls\n```\n")
    let outcome = try place.rehearse(["test"] + filter + ["t", "empty", "pages/"], input: [])

    #expect(outcome.code == 2)
    #expect(!outcome.output.contains("note: only transcripts "), "none is left out")
    #expect(
      outcome.lines.filter { !$0.hasPrefix("note: ") } == [
        "empty: no transcript in this folder", "pages: no transcript in this folder",
        "1 passed, 2 failed",
      ]
    )
    #expect(try place.rehearse("test", "empty").code == 2)
    let list = try place.rehearse("test", "--list", "t", "empty")
    #expect(list.code == 2)
    #expect(list.output.contains("error: empty: no transcript in this folder\n"))
    // A subfolder need not have transcripts.
    #expect(try place.rehearse("test", ".").code == 0)
  }

  @Test func `a named folder without transcripts is in one shard`() throws {
    try place.makeFolder("empty")
    let reports = ["1", "2", "3"]
    for part in reports {
      let shard = ["--shard", "\(part)/3", "--reporter", "json=\(part)"]
      _ = try place.rehearse(["test"] + shard + ["t", "empty"], input: [])
    }
    let merged = try place.rehearse(["report"] + reports, input: [])

    #expect(merged.code == 2)
    #expect(merged.output == "empty: no transcript in this folder\n\n1 passed, 1 failed\n")
  }

  @Test func `fences of other programs count as transcripts of a folder`() throws {
    try place.makeFolder("pages")
    try place.write("pages/notes.md", "```transcript Other\n> b\n```\n")

    #expect(try place.rehearse("test", "t", "pages").output == "1 passed, 1 left to Other\n")
  }

  @Test func `a usual folder that is a broken link is named, also with the other one`() throws {
    try place.makeFolder("Transcripts")
    try place.write("Transcripts/a.transcript", Self.good)
    let outcome = try place.rehearse("test", before: "ln -s elsewhere transcripts; ")

    #expect(outcome.code == 2)
    #expect(
      outcome.output == "transcripts: the symbolic link leads nowhere\n\n1 passed, 1 failed\n"
    )
  }

  // MARK: Filters by name and tag

  @Test(arguments: ["tag:slow", "!tag:slow", "name:late", "!name:late"])
  func `a transcript whose name and tags cannot be read passes every filter, and fails`(
    filter: String
  ) throws {
    let slow = filter.hasPrefix("!") ? "# early\n" : "# late\n# tags: slow\n"
    try place.write("t/a.transcript", slow + Self.good)
    try place.write("t/b.transcript", Array("# late\n# tags: slow\n> now\n".utf8) + [0xFF])
    try place.write("t/c.transcript", "<<<<<<< a\n# tags: slow\n=======\n>>>>>>> b\n" + Self.good)
    try place.write("t/d.transcript", "")
    try place.write("t/e.md", "text\n")
    let outcome = try place.rehearse("test", "--filter", filter, "t", "t/e.md")

    #expect(outcome.code == 2)
    let failing = [
      "t/b.transcript:4: line 4", "t/c.transcript:1: a merge conflict", "t/d.transcript: no",
    ]
    for line in failing + ["t/e.md: no code block"] { #expect(outcome.output.contains(line)) }
    #expect(outcome.output.hasSuffix("1 passed, 4 failed\n"))
  }

  @Test(arguments: [
    ("tag:slow", "from 1 of 3 files", 1), ("name:late", "from 1 of 3 files", 1),
    ("!tag:slow", "from 1 of 3 files", 1), ("!tag:quick", nil, 2),
  ])
  func `a fence that is nearly a transcript is named, with any name and tags`(
    filter: String,
    chosen: String?,
    count: Int
  ) throws {
    try place.write("t/a.transcript", "# late\n# tags: slow\n" + Self.good)
    try place.write("t/b.transcript", Self.good)
    try place.write("t/p.md", "```Transcript\n# tags: slow\n\(Self.good)```\n")
    let outcome = try place.rehearse("test", "--filter", filter, "t")

    #expect(outcome.code == 0)
    #expect(
      outcome.output.contains("note: t/p.md:1: the code block marked 'Transcript' is not replayed")
    )
    #expect(outcome.output.contains("were chosen") == (chosen != nil))
    #expect(chosen.map { outcome.output.contains($0) } ?? true)
    #expect(outcome.output.hasSuffix("\n\(count) passed\n"))
  }

  // MARK: Links

  @Test(arguments: ["plain", "tap", "junit", "json", "github", "markdown", "html"])
  func `a dangling link is named in every form of report`(form: String) throws {
    let outcome = try place.rehearse(
      "test",
      "t",
      "--reporter",
      "\(form)=o",
      before: "ln -s ../elsewhere t/shared; "
    )
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("note: t/shared leads nowhere: if transcripts belong there, "))
    #expect(place.read("o").contains("t/shared leads nowhere"))
  }

  @Test func `a folder that cannot be searched is not an error if a filter by path excludes it`()
    throws
  {
    let loop = "ln -s loop t/loop; "
    let filtered = try place.rehearse("test", "--filter", "a.transcript", "t", before: loop)
    #expect(filtered.code == 2)
    #expect(filtered.output.hasPrefix("t/loop: the symbolic links form a cycle\n"))
    #expect(
      try place.rehearse("test", "--filter", "!t/loop", "t").output == """
        note: only transcripts whose path lacks 't/loop' were chosen, from 1 of 2 files
        1 passed

        """
    )
  }

  // MARK: History

  @Test func `a transcript that failed last and is gone is named`() throws {
    for name in ["b", "c"] { try place.write("t/\(name).transcript", Self.wrong) }
    #expect(try place.rehearse("test", "t").code == 1)
    try place.write("t/b.transcript", Self.good)
    let outcome = try place.rehearse(
      "test",
      "--failed",
      "t",
      before: "mv t/c.transcript t/d.transcript; "
    )
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        note: only transcripts that failed last were chosen, from 1 of 3 files
        note: t/c.transcript failed last and no longer exists; without '--failed' all are replayed
        1 passed

        """
    )
  }

  @Test func `a shard reports that its history does not affect the parts`() throws {
    let outcome = try place.rehearse("test", "--shard", "1/1", "--history", "h", "t")

    #expect(outcome.code == 0)
    #expect(
      outcome.output
        == "note: h has no times yet: files are divided into shards by their paths\n1 passed\n"
    )
  }

  @Test func `a damaged history is named if '--failed' finds nothing`() throws {
    try place.write("t/a.transcript", Self.wrong)
    _ = try place.rehearse("test", "--history", "h", "t")
    let outcome = try place.rehearse(
      "test",
      "--failed",
      "--history",
      "h",
      "t",
      before: "echo what >> h; "
    )
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("no transcript is known to have failed"))
    #expect(outcome.output.hasPrefix("error: h is not a valid test history;"))
  }

  // MARK: Failures that are expected

  private func writeExpectedFailures() throws {
    try place.write(
      "t/bug.transcript",
      "> loadable n\n> expect n loaded 1\n  error: expected n loaded 1, but it is absent\n  ...\n"
    )
    try place.write(
      "t/rule.transcript",
      "> loadable n\n> never n error\n> load n fail \"x\"\n  ...\n  error: [..]\n  ...\n"
    )
    try place.write("t/crash.transcript", "> simulate crash\n  error: crashed, by a trap\n")
    try place.write("t/slip.transcript", "> lod n\n  error: there is no command 'lod'\n  ...\n")
    try place.write(
      "t/page.md",
      "```transcript\n\(Self.good)```\n\n```transcript\n> loadable n\n> expect n loaded\n  error: [..]\n  ...\n```\n"
    )
  }

  private static let expected =
    "t/bug.transcript, t/crash.transcript, t/page.md (code block 2), t/rule.transcript"

  @Test(arguments: [
    [], ["--repeat", "2"], ["--check-determinism"], ["--jobs", "1"], ["--coverage"],
  ])
  func `transcripts that expect a failure are listed in the summary`(arguments: [String]) throws {
    try writeExpectedFailures()
    let outcome = try place.rehearse(["test"] + arguments + ["t"], input: [])

    #expect(outcome.code == 0)
    #expect(outcome.output.contains("expects a failure: \(Self.expected)\n"))
    #expect(outcome.output.contains("\n7 passed (4 expect a failure, 1 has commands that fail)\n"))
  }

  @Test(arguments: ["plain", "tap", "junit", "json", "github", "markdown", "html"])
  func `transcripts that expect a failure are listed in every form of report`(form: String) throws {
    try writeExpectedFailures()
    _ = try place.rehearse("test", "t", "--reporter", "\(form)=o", "--reporter", "json=r")
    let report = place.read("o")

    #expect(
      form == "json"
        ? report.contains("\"outcome\": \"passed\", \"expectsFailure\": true")
          && report.contains("\"expectsFailure\": 4,")
        : report.contains("expects a failure: t/bug.transcript, ")
          && (form == "junit"
            || report.contains("7 passed (4 expect a failure, 1 has commands that fail)"))
    )
    _ = try place.rehearse("report", "r", "--reporter", "\(form)=again")
    #expect(place.read("again") == report)
  }

  @Test func `all transcripts that expect a failure are listed`() throws {
    let names = (10..<40).map { "t/\($0).transcript" }
    for name in names { try place.write(name, "> expect n loaded\n  error: [..]\n  ...\n") }

    #expect(
      try place.rehearse("test", "t").output == """
        expects a failure: \(names.joined(separator: ", "))
        31 passed (30 expect a failure)

        """
    )
  }

  @Test func `a transcript that no longer expects a failure is not listed`() throws {
    try place.write("t/bug.transcript", "> loadable n\n> expect n absent\n  ok\n")

    #expect(try place.rehearse("test", "t").output == "2 passed\n")
  }
}
