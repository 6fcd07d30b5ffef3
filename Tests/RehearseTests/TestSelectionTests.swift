import Foundation
import Testing

/// The selection of transcripts by arguments and the environment.
@Suite struct TestSelectionTests {
  private let place: Workplace

  init() throws {
    place = try Workplace()
    for number in 1...4 {
      try place.write(
        "t\(number).transcript",
        "# Number \(number).\n# tags: n\(number)\n> now\n  0.000s\n"
      )
    }
  }

  @Test(arguments: [
    (["--memory", "3MB"], "at least 64MB"), (["--memory", "much"], "512MB"),
    (["--memory", "100"], "512MB"), (["--timeout", "5"], "250ms"),
    (["--timeout", "0s"], "above zero"),
    (["--shard", "1/2", "--shard", "2/2"], "--shard takes one part"), (["--shard", "4/3"], "3/3"),
    (["--shard", "0/3"], "1/N"),
    (["--repeat", "0"], "from 1 to 10000"),
    (["--filter", "tag:"], "'tag:' has no text"), (["--filter", "!"], "'!' has no text"),
    (["--update", "--repeat", "2"], "--known-flaky"),
    (["--total-timeout", "soon"], "250ms"),
    (["--failed", "--no-history"], "--no-history"),
    (["--history", "h", "--no-history"], "exclude each other"),
    (["--check-determinism", "--repeat", "2"], "already replays each transcript twice"),
    (["--jobs", "-1"], "a number of at least 1, such as 4"),
    (["--repeat", "many"], "a number from 1 to 10000, such as 20"),
    (["--timeout", "-1s"], "'-1s'"), (["--shard", "-1/2"], "'-1/2'"),
    (["--coverage-threshold", "-1"], "from 0 to 100"), (["--order-seed", "-1"], "at least 0"),
    (["--list", "--update"], "so --update has no effect"),
    (["--list", "--repeat", "2"], "so --repeat has no effect"),
    (["--list", "--coverage"], "so --coverage has no effect"),
    (["--list", "--timeout", "10s"], "so --timeout has no effect"),
    (["--list", "--reporter", "junit=a.xml"], "so --reporter has no effect"),
    (["--list", "--watch"], "so --watch has no effect"),
    (["--check-determinism", "--coverage"], "counts no transitions"),
    (["--shard", "1/2", "--coverage-threshold", "50"], "needs the whole run"),
    (["--fail-fast", "--known-flaky", "list"], "--known-flaky allows"),
    (["--update", "--pending", "p"], "leaves no pending results"),
    (["--check-determinism", "--pending", "p"], "--pending excludes --repeat"),
    (["--pending", "t1.transcript"], "'t1.transcript' is not one"),
    (["--reporter", "nope"], "plain, tap, junit, json, github, markdown or html"),
    (["--reporter", "junit=./o", "--reporter", "tap=o"], "one file, 'o'"),
    (["--reporter", "junit", "--reporter", "tap=-"], "Only one report"),
    (["--timings"], "--reporter tap"), (["--json", "--reporter", "tap"], "Only one report"),
    (["-"], "standard input is not replayed"), (["--", "-"], "standard input is not replayed"),
  ])
  func `invalid arguments are named, and nothing is played`(
    arguments: [String],
    word: String
  ) throws {
    let outcome = try place.rehearse(["test"] + arguments + ["."], input: [])

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(word))
    #expect(outcome.output == "")
  }

  @Test func `--list works with selections, and may print JSON`() throws {
    #expect(try place.rehearse("test", "--list", "--shard", "1/1", ".").code == 0)
    #expect(try place.rehearse("test", "--list", "--reporter", "json", ".").output.contains("n2"))
    #expect(try place.rehearse("--json", "test", "--timings", ".").output.contains("\"time\""))
  }

  @Test func `filters by path, name and tag must all hold`() throws {
    let list = { (arguments: [String]) in
      try place.rehearse(["test", "--list"] + arguments + ["."], input: []).output
    }

    #expect(try list(["--filter", "t2"]) == "t2.transcript  # Number 2.  [n2]\n")
    #expect(try list(["--filter", "name:Number 3"]) == "t3.transcript  # Number 3.  [n3]\n")
    #expect(
      try list(["--filter", "tag:n4", "--filter", "!t1"]) == "t4.transcript  # Number 4.  [n4]\n"
    )
    #expect(try list(["--filter", "tag:n4", "--filter", "!t4"]).hasPrefix("error: no transcript "))
  }

  @Test func `failures are remembered for the folder of the run, and played again`() throws {
    try place.write("t2.transcript", "> now\n  1.000s\n")
    #expect(try place.rehearse("test", ".").code == 1)
    #expect(try place.rehearse("test", "--failed", ".").output.hasSuffix("\n0 passed, 1 failed\n"))
    #expect(try place.rehearse("test", "--failed", "t1.transcript").code == 2)

    try place.write("t2.transcript", "> now\n  0.000s\n")
    #expect(try place.rehearse("test", "--failed", "./t2.transcript").output == "1 passed\n")
    #expect(try place.rehearse("test", "--failed", ".").code == 2)
  }

  @Test func `Bazel's variables select a shard, and the status file is created`() throws {
    var passed = 0
    for index in 0..<3 {
      let outcome = try place.rehearse(
        "test",
        ".",
        environment: [
          "TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "\(index)",
          "TEST_TMPDIR": place.path, "TEST_SHARD_STATUS_FILE": place.path + "/deep/er/\(index)",
        ]
      )
      #expect(outcome.code == 0)
      passed += outcome.lines.last?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }

    #expect(passed == 4)
    let told = try FileManager.default.contentsOfDirectory(atPath: place.path + "/deep/er")
    #expect(told.sorted() == ["0", "1", "2"])
    // Runs outside of Bazel write the history, and runs in Bazel do not.
    #expect(try !place.names().contains(".local"))
    let filtered = try place.rehearse("test", ".", environment: ["TESTBRIDGE_TEST_ONLY": "tag:n2"])
    #expect(
      filtered.output
        == "note: only transcripts with the tag 'n2' were chosen, from 1 of 4 files\n1 passed\n"
    )
    let wrong = ["TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "3"]
    #expect(try place.rehearse("test", ".", environment: wrong).code == 2)
  }

  @Test(arguments: [
    (["test", "file/x"], "file/x: a part of the path", 2),
    (["test", ".", "--pending", "file/x"], "no pending result was written: a part of the path", 0),
    (["format", "file/x.transcript"], "cannot read 'file/x.transcript': a part of the path", 2),
    (["new", "q", "--in", "file"], "cannot write 'file/q.transcript': a part of the path", 3),
    (["new", "q", "--in", "file/x"], "cannot write 'file/x/q.transcript': a part of the path", 3),
    (["review", "file/x"], "file/x: a part of the path", 2),
    (["report", "file/x"], "file/x: a part of the path", 2),
    (["-c", "source file/x"], "cannot read 'file/x': a part of the path", 1),
  ])
  func `an error names a file in place of a folder`(
    arguments: [String],
    words: String,
    code: Int32
  ) throws {
    try place.write("file", "")
    let outcome = try place.rehearse(arguments, input: [])

    #expect((outcome.output + outcome.errors).contains("\(words) is a file, not a folder"))
    #expect(outcome.code == code)
  }

  @Test(arguments: [["test", "."], ["explore", "a.rehearse"]])
  func `a shard is not replayed if the status file cannot be written`(arguments: [String]) throws {
    try place.write("a.rehearse", "now\n")
    let variables = [
      "TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "0",
      "TEST_SHARD_STATUS_FILE": "t1.transcript/a",
    ]
    let outcome = try place.rehearse(arguments, input: [], environment: variables)

    #expect(
      outcome.errors == """
        error: cannot write TEST_SHARD_STATUS_FILE, 't1.transcript/a': a part of the path is a file, not a folder
        hint: name a file that can be written; without it, Bazel takes each part for the whole

        """
    )
    #expect(outcome.output == "")
    #expect(outcome.code == 3)
  }

  @Test func `a shuffled order prints its seed`() throws {
    let output = try place.rehearse("test", "--repeat", "2", ".").output
    let seed = try #require(output.firstMatch(of: /--order-seed (\d+)/)?.output.1)

    #expect(try place.rehearse("test", "--repeat", "2", ".").output == output)
    #expect(
      try place.rehearse("test", "--repeat", "2", "--order-seed", String(seed), ".").output
        == output
    )
  }

  @Test func `a session prints the same twice under load`() throws {
    #expect(try place.rehearse("test", "--check-determinism", ".").output == "4 passed\n")
  }
}
