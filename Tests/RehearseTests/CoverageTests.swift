import Testing

/// Tests of `test --coverage`.
@Suite struct CoverageTests {
  private static let loaded = """
    > process sync policy remoteContent
    > run sync
         0.000s  sync  idle → running #1
         0.000s  sync  running #1 → finished

    """
  private static let failed = """
    > process sync policy parallel
    > run sync fail timeout
         0.000s  sync  idle → running #1
         0.000s  sync  running #1 → failed timeout

    """

  private let place: Workplace

  init() throws {
    place = try Workplace()
    for number in 1...6 {
      try place.write("\(number).transcript", number % 2 == 0 ? Self.failed : Self.loaded)
    }
  }

  @Test func `coverage does not depend on the number of workers`() throws {
    try place.write(
      "notes.md",
      "```transcript\n\(Self.loaded)```\n\n```transcript\n\(Self.failed)```\n"
    )
    let one = try place.rehearse("test", ".", "--coverage", "--jobs", "1")
    let several = try place.rehearse("test", ".", "--coverage", "--jobs", "4")

    #expect(one.output == several.output)
    #expect(one.code == 0)
    #expect(
      one.output.contains(
        "8 passed\ncoverage:\n  process parallel       2 of 49 transitions taken, 4%\n"
      )
    )
    #expect(one.output.contains("\n    running    ┄┄┄┄┄▶ running   start, refuse, dropped\n"))
  }

  @Test func `coverage is only printed on request`() throws {
    #expect(try place.rehearse("test", ".").output == "6 passed\n")
  }

  @Test func `a transcript that crashes loses only its own coverage`() throws {
    try place.write("crash.transcript", Self.loaded + "> simulate crash\n")
    let outcome = try place.rehearse("test", ".", "--coverage-json", "c.json", "--jobs", "1")

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("6 passed, 1 failed\ncoverage:\n"))
    #expect(
      place.read("c.json").contains(
        #"{"from": "idle", "cause": "start", "to": "running", "count": 3}"#
      )
    )
  }

  @Test func `too little coverage fails the run and names the machine`() throws {
    let enough = try place.rehearse("test", ".", "--coverage-threshold", "4")
    let tooLittle = try place.rehearse("test", ".", "--coverage-threshold", "5")

    #expect(enough.code == 0)
    #expect(tooLittle.code == 1)
    #expect(
      tooLittle.output.contains(
        "\nerror: 'process parallel' is covered to 4%, less than 5%\n"
          + "error: 'process remoteContent' is covered to 4%, less than 5%\n6 passed\ncoverage:\n"
      )
    )
  }

  @Test(arguments: ["tap", "junit", "json", "github", "markdown", "html"])
  func `every form of report says that a threshold is missed`(form: String) throws {
    let arguments = ["test", ".", "--coverage-threshold", "5", "--reporter"]
    let outcome = try place.rehearse(arguments + ["\(form)=o"], input: [])
    let direct = try place.rehearse(arguments + [form], input: [])

    #expect(outcome.code == 1 && direct.code == 1)
    #expect(place.read("o").contains("'process parallel' is covered to 4%"))
    #expect(direct.output.hasPrefix(place.read("o")))
  }

  @Test func `a report of a run that missed its threshold fails`() throws {
    _ = try place.rehearse(
      "test",
      ".",
      "--coverage-threshold",
      "5",
      "--reporter",
      "json=o",
      "--reporter",
      "junit=o.xml"
    )
    let report = try place.rehearse("report", "o", "--reporter", "junit=again.xml")

    #expect(report.code == 1)
    #expect(report.output.hasSuffix("less than 5%\n6 passed\n"))
    #expect(place.read("again.xml") == place.read("o.xml"))
    #expect(place.read("o.xml").contains("<testsuite name=\"the run\""))
  }

  @Test(arguments: [["--coverage"], ["--coverage-threshold", "0"]])
  func `report has no coverage for reports that count none`(flags: [String]) throws {
    try place.write("z.transcript", "> now\n  0.000s\n")
    _ = try place.rehearse("test", "z.transcript", "--reporter", "json=r")
    let outcome = try place.rehearse(["report", "r"] + flags, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: there is no coverage in r\n"))
  }

  @Test func `the threshold of shards is checked when their reports are merged`() throws {
    for part in 1...2 {
      let shard = ["--shard", "\(part)/2", "--coverage", "--reporter", "json=\(part).json"]
      #expect(try place.rehearse(["test", "."] + shard, input: []).code == 0)
    }
    let report = { (percent: String) in
      try place.rehearse("report", "1.json", "2.json", "--coverage-threshold", percent)
    }

    #expect(try report("4").code == 0)
    let missed = try report("5")
    #expect(missed.code == 1)
    #expect(missed.output.contains("\nerror: 'process parallel' is covered to 4%, less than 5%\n"))
    let bazel = try place.rehearse(
      ["test", ".", "--coverage-threshold", "5"],
      input: [],
      environment: ["TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "0"]
    )
    #expect(bazel.code == 2)
    #expect(bazel.errors.contains("needs the whole run"))
  }

  @Test func `a threshold fails if nothing is covered`() throws {
    try place.write("none.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse("test", "none.transcript", "--coverage-threshold", "1")

    #expect(outcome.code == 1)
    #expect(
      outcome.output.hasPrefix(
        "error: no transition was taken, so there is no coverage to compare\n"
      )
    )
  }

  @Test(arguments: [("c.svg", "<svg "), ("c.md", "# Coverage\n"), ("c.mmd", "stateDiagram-v2\n")])
  func `diagrams come in the format of the file's name`(name: String, start: String) throws {
    let outcome = try place.rehearse("test", ".", "--coverage-diagram", name)

    #expect(outcome.code == 0)
    #expect(place.read(name).hasPrefix(start))
    #expect(place.read(name).contains("process parallel"))
  }

  @Test(arguments: [
    ["--coverage-diagram", "c.png"], ["--coverage-threshold", "101"],
    ["--coverage-threshold", "-1"], ["--coverage-threshold", "much"],
  ])
  func `invalid options are refused before transcripts are played`(options: [String]) throws {
    let outcome = try place.rehearse(["test", "."] + options, input: [])

    #expect(outcome.code == 2)
    #expect(!outcome.output.contains("passed"))
  }

  @Test func `a file that cannot be written is an error`() throws {
    let outcome = try place.rehearse("test", ".", "--coverage-json", "none/c.json")

    #expect(outcome.code == 2)
    #expect(outcome.output.contains("error: cannot write none/c.json"))
  }

  @Test func `the coverage file of an earlier run is replaced if nothing is played`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> loadable a\n> load a 1\n  ...\n")
    let test = ["test", "--no-history", "--coverage-json", "c.json", "--coverage-diagram", "c.svg"]
    #expect(try place.rehearse(test + ["a.transcript"], input: []).code == 0)
    #expect(!place.read("c.json").isEmpty && !place.read("c.svg").isEmpty)
    #expect(try place.rehearse(test + ["--filter", "zzz", "."], input: []).code == 2)

    #expect(try place.names() == ["a.transcript"])
  }

  @Test func `machines that no transcript uses are named with a threshold`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> loadable a\n> load a 1\n  ...\n")
    let test = ["test", "--no-history", "--coverage-threshold", "1", "a.transcript"]
    let outcome = try place.rehearse(test + ["--reporter", "junit=r.xml"], input: [])
    let note = "not compared with the threshold, because none of their transitions was taken: "

    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("note: \(note)'loadable "))
    #expect(outcome.lines[0].contains("'process latest'"))
    #expect(!outcome.lines[0].contains("'loadable latest'"))
    #expect(place.read("r.xml").contains(note))
  }
}
