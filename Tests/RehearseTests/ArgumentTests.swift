import LibC
import Testing

/// The arguments of the program, and its exit codes.
@Suite struct ArgumentTests {
  @Test func `the version is printed on one line`() throws {
    let outcome = try Workplace().rehearse("--version")

    // The tests run a debug build, whose version ends so.
    #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+ \(debug build\)\n/) != nil)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
  }

  @Test(arguments: [
    ([], "--help"), (["test"], "-h"), (["run"], "-help"), (["record"], "--help"), (["har"], "-h"),
  ])
  func `help ends with code 0`(command: [String], flag: String) throws {
    let outcome = try Workplace().rehearse(command + [flag], input: [])

    #expect(outcome.output.contains("USAGE: " + (["rehearse"] + command).joined(separator: " ")))
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
  }

  @Test(arguments: [
    (["--colour"], "--colour"), (["tset"], "hint: did you mean 'test'?"),
    (["a.transcript"], "hint: 'rehearse test a.transcript' replays a transcript"),
    (["a.rehearse"], "hint: 'rehearse run a.rehearse' runs a script"),
    (["help", "tset"], "hint: did you mean 'test'?"), (["help", "nope"], "no subcommand 'nope'"),
    (["test", "--covrage"], "'--coverage'"), (["--times", "nevr"], "expected seconds"),
    (["--policy", "latst"], "did you mean 'latest'?"),
    (
      ["test", "--times", "clock"], "unknown option '--times'\nhint: 'rehearse run' has this option"
    ),
    (["-c", "now", "har", "a.har"], "unknown option '-c'"),
    (["picture", "a.transcript", "--json"], "unknown option '--json'"),
    (["reference", "--policy=ignore"], "unknown option '--policy'"),
    (["test"], "no folder 'transcripts' or 'Transcripts' here"), (["-c"], "-c <commands>"),
    (["test", "--job", "2"], "--job"), (["test", "-shard", "1/2"], "unknown option '-shard'"),
    (["test", "a", "-history", "h"], "unknown option '-history'"),
    (["explore", "--generate", "a", "-schedules", "9"], "unknown option '-schedules'"),
    (["report", "-threshold", "a"], "unknown option '-threshold'"),
    (["-show.transcript"], "unknown option '-show.transcript'\nhint: an option has two dashes"),
    (
      ["--runs", "5"],
      "hint: did you mean 'rehearse explore --schedules' or 'rehearse test --repeat'?"
    ),
    (["--jobs", "2"], "hint: did you mean 'rehearse test --jobs'"), (["-v"], "'--version'"),
    (["--widht", "40"], "unknown option '--widht'\nhint: did you mean '--width'?"),
    (
      ["fuzz", "a", "--seed", "42", "--runs", "9"], "'rehearse explore a --seed 42 --schedules 9'?"
    ),
    (["run", "a", "--reporter", "junit"], "hint: 'rehearse test' has this option"),
    (
      ["test", "a", "--reporter", "junit", "--output", "b.xml"],
      "hint: '--reporter junit=FILE' writes it"
    ),
    (
      ["render", "x"], "there is no subcommand 'render'\nhint: did you mean 'rehearse timeline x'?"
    ),
    (["replay", "x"], "there is no subcommand 'replay'\nhint: did you mean 'rehearse test x'?"),
    (["--json", "watch"], "hint: did you mean 'test --watch'?"),
    (["load", "n", "1"], "hint: 'load' is a command of the shell; rehearse -c 'load n 1' runs it"),
    (["shell"], "hint: without arguments, 'rehearse' opens the shell"),
    (["transcripts/login"], "hint: 'rehearse test transcripts/login' replays the transcripts"),
    (["run", "-c", "settle"], "hint: 'rehearse -c COMMAND' runs commands, without a subcommand"),
    (["test", "-n5"], "unknown option '-n5'\nhint: did you mean '--repeat'?"),
    (["record"], "hint: as in 'rehearse record transcripts/login/slow.transcript'"),
    // The value of an unknown option is no second file.
    (
      ["explore", "a", "--runs", "9"], "unknown option '--runs'\nhint: did you mean '--schedules'?"
    ),
    (["explore", "a", "--until-failure"], "the first failure ends the search"),
    (["explore", "-n", "9", "a"], "unknown option '-n'\nhint: did you mean '--schedules'?"),
    (["test", "-x", "a"], "unknown option '-x'\nhint: an option has two dashes"),
    (["test", "--runs=9"], "hint: did you mean '--repeat'?"),
    (["run"], "script"), (["record"], "file"), (["test", "--jobs", "0"], "at least 1"),
    (["test", "--timeout", "soon"], "soon"), (["test", "--force"], "--update"),
  ])
  func `a mistake in the arguments is named, and the code is 2`(
    arguments: [String],
    word: String
  ) throws {
    let outcome = try Workplace().rehearse(arguments, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(word))
    #expect(outcome.errors.hasPrefix("error: "))
    #expect(outcome.output == "")
  }

  @Test func `arguments after two dashes are not flags`() throws {
    let place = try Workplace()
    try place.write("--times", "now\n")
    let outcome = try place.rehearse("run", "--", "--times")

    #expect(outcome.output == "> now\n  0.000s\n")
  }

  @Test func `commands are performed in the order in which they are given`() throws {
    let outcome = try Workplace()
      .rehearse("-c", "loadable n", "-c", "load n 1 after 1s\nsettle")

    #expect(
      outcome.output == """
        > loadable n
        > load n 1 after 1s
             0.000s  n  absent → loading #1
        > settle
             1.000s  n  loading #1 → loaded 1

        """
    )
    #expect(outcome.code == 0)
  }

  @Test(arguments: ["transcripts", "Transcripts"])
  func `the usual folder of transcripts is found`(folder: String) throws {
    let place = try Workplace()
    mkdir("\(place.path)/\(folder)", 0o700)
    try place.write("\(folder)/a.transcript", "> now\n  0.000s\n")

    let outcome = try place.rehearse("test")
    #expect(outcome.output == "1 passed\n")
    #expect(outcome.code == 0)
  }

  @Test(arguments: [
    ["\u{1B}[31mv"], ["test", "--filter", "\u{1B}[31mv"], ["test", "\u{1B}[31mv"],
    ["run", "\u{1B}[31mv"], ["timeline", "a", "--as", "\u{1B}[31mv"],
    ["timeline", "a", "--last", "\u{1B}[31mv"], ["diff", "\u{1B}[31mv", "a"],
    ["test", "--coverage-json", "/none/\u{1B}[31mv.json", "a.transcript"],
  ])
  func `control characters in quoted arguments are escaped`(arguments: [String]) throws {
    let place = try Workplace()
    try place.write("a.transcript", "> now\n  0.000s\n")
    mkdir("\(place.path)/transcripts", 0o700)

    let outcome = try place.rehearse(arguments, input: [])
    #expect(!(outcome.output + outcome.errors).contains("\u{1B}"))
    #expect((outcome.output + outcome.errors).contains("[31mv"))
    #expect(outcome.code == 2)
  }
}
