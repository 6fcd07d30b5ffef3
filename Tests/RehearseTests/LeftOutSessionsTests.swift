import LibC
import PseudoTerminal
import Testing

/// Parts of a session, a script or an accepted result that are left out are reported.
@Suite struct LeftOutSessionsTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  // MARK: Characters that look like line ends

  @Test(
    arguments: ["run", "explore", "timeline", "source", "-c", "pipe", "serve", "format"],
    [
      "\r": "a carriage return without a line feed",
      "\u{2028}": "the line separator U+2028",
    ]
  )
  func `a command cannot hide in a comment`(
    way: String,
    character: (key: String, value: String)
  ) throws {
    let comment = "# the new one\(character.key)expect feed loaded 2\n"
    let script = "loadable feed\nload feed 1\nsettle\n" + comment
    try place.write("s.rehearse", script)
    try place.write("routes.rehearse", "route GET /a 200\n" + comment)
    let outcome =
      switch way {
      case "source": try place.rehearse("-c", "source s.rehearse")
      case "-c": try place.rehearse("-c", script)
      case "pipe": try place.rehearse(input: script)
      case "serve": try place.rehearse("serve", "routes.rehearse")
      case "format": try place.rehearse("format", "--check", "s.rehearse")
      default: try place.rehearse(way, "s.rehearse")
      }

    #expect(outcome.code == (way == "format" || way == "serve" ? 2 : 1))
    #expect((outcome.output + outcome.errors).contains(character.value + " is in this line"))
  }

  // MARK: Lines and fences that are not performed

  @Test(arguments: ["run", "explore", "timeline"])
  func `a script below a transcript that nothing reads is an error`(way: String) throws {
    let lines = "> loadable a\n> load a 1\n-- later.rehearse --\nexpect a loaded 9\n"
    try place.write("a.transcript", lines)
    let outcome = try place.rehearse(way, "a.transcript")

    #expect(outcome.code != 0)
    #expect(
      (outcome.output + outcome.errors).contains("they are the file 'later.rehearse'"),
      "\(outcome)"
    )
  }

  @Test func `a transcript that sources its own part is explored, and 'run' says why it cannot`()
    throws
  {
    let lines = "> loadable a\n> source setup.rehearse\n-- setup.rehearse --\nload a 1\n"
    try place.write("a.transcript", lines)
    let explored = try place.rehearse("explore", "a.transcript")
    let played = try place.rehearse("run", "a.transcript")

    #expect(explored.code == 0, "\(explored)")
    #expect(played.code == 1)
    #expect(played.output.contains("setup.rehearse"), "\(played)")
    #expect(!(played.output + played.errors).contains("nothing reads it"), "\(played)")
  }

  @Test func `explore names the sessions of 'test', which it does not vary`() throws {
    try place.write("feed.transcript", "> loadable feed\n")
    try place.write("a.rehearse", "test feed.transcript\n")
    let outcome = try place.rehearse("explore", "a.rehearse")

    #expect(outcome.output.contains("not varied: the sessions of 'test feed.transcript'"))
    #expect(!outcome.output.contains("all orders"), "\(outcome)")
  }

  @Test(arguments: ["run", "explore", "timeline", "picture", "source", "pipe"])
  func `an indented prompt is an error`(way: String) throws {
    let transcript = "> loadable feed\n> load feed 1\n  > eventually feed loaded 2\n> settle\n"
    try place.write("a.transcript", transcript)
    let outcome =
      switch way {
      case "source": try place.rehearse("-c", "source a.transcript")
      case "pipe": try place.rehearse(input: transcript)
      default: try place.rehearse(way, "a.transcript")
      }

    #expect(outcome.code == (way == "source" || way == "pipe" ? 1 : 2))
    let text = outcome.output + outcome.errors
    #expect(text.contains("this prompt is indented, so the line is output and no command"))
    #expect(text.contains(way == "source" ? "a.transcript:3" : "line 3"))
  }

  @Test func `output with prompts is not an error for commands that print prompts`() throws {
    try place.write("a.transcript", "> help now\n      > now\n> test b\n   > now\n> now\n")
    let outcome = try place.rehearse("timeline", "a.transcript")

    #expect(!outcome.errors.contains("indented"))
  }

  @Test(arguments: ["run", "explore", "timeline", "source"])
  func `fences of other programs are named`(way: String) throws {
    let page = "```transcript\n> loadable a\n> load a 1\n```\n\n```transcript Other\n> go\n```\n"
    try place.write("p.md", page)
    let outcome =
      way == "source"
      ? try place.rehearse("-c", "source p.md") : try place.rehearse(way, "p.md")

    #expect((outcome.output + outcome.errors).contains("note: p.md: 1 code block left to Other\n"))
    #expect(outcome.code == 0)
  }

  @Test func `a transcript that plays itself fails`() throws {
    try place.write("a.transcript", "> test a.transcript\n")
    let outcome = try place.rehearse("test", "--no-history", "a.transcript")

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("error: more than 8 transcripts replay each other"))
  }

  @Test func `files that a transcript reads through another file are known`() throws {
    try place.write("a.transcript", "> test b.transcript\n  1 passed\n")
    try place.write("b.transcript", "> source s.rehearse\n  0.000s\n")
    try place.write("s.rehearse", "now\n")
    try place.write("c.transcript", "> now\n  0.000s\n")
    for shard in ["1", "2"] {
      _ = try place.rehearse(
        "test",
        "--no-history",
        "--shard",
        shard + "/2",
        "--reporter",
        "json=" + shard,
        "a.transcript",
        "c.transcript"
      )
    }

    #expect((place.read("1") + place.read("2")).contains("s.rehearse"))
  }

  @Test(arguments: [("test", 2), ("format", 2), ("review", 0)] as [(String, Int32)])
  func `deep folders are searched on a small stack`(command: String, code: Int32) throws {
    let folders = (1...1_500).map { String(repeating: "d/", count: $0) }
    for folder in folders { try #require(mkdir("\(place.path)/\(folder)", 0o700) == 0) }
    defer { for folder in folders.reversed() { rmdir("\(place.path)/\(folder)") } }
    let outcome = try place.rehearse(command, "d", before: "ulimit -s 256; ")

    #expect(outcome.code == code)
  }

  // MARK: Scripts and pipes

  @Test func `a limit of requests that none matches is named`() throws {
    let script = """
      route GET /posts 200 json 1
      loadable a
      always requests GET /psots at most 1
      load a from /posts
      settle
      """
    let outcome = try place.rehearse("-c", script)
    let known = try place.rehearse("-c", script.replacing("psots", with: "posts"))
    let prompts = script.split(separator: "\n").map { "> \($0)\n" }.joined()
    try place.write("a.transcript", prompts)
    _ = try place.rehearse("test", "--update", "a.transcript")
    let played = try place.rehearse("test", "--no-history", "a.transcript")

    let note = "note: no request matched 'always requests GET /psots at most 1'\n"
    #expect(outcome.code == 0 && outcome.errors == note)
    #expect(known.code == 0 && known.errors == "")
    #expect(played.output.contains("note: a.transcript: " + note.dropFirst(6)))
  }

  @Test func `a sometimes that does not hold in a single run is named, and is no failure`() throws {
    let script = "loadable a\nsometimes a error\nload a 1 or fail \"x\"\nsettle\n"
    let outcome = try place.rehearse("-c", script)
    let explored = try place.rehearse("-c", script + "explore")
    let later = try place.rehearse("-c", script + "explore\nload a 2")
    let held = try place.rehearse("-c", script.replacing("a error", with: "a loaded"))

    let note =
      "note: 'sometimes a error' did not hold in this run; 'explore' checks all runs\n"
    #expect(outcome.code == 0 && outcome.errors == note)
    #expect(explored.code == 0 && explored.errors == "")
    #expect(later.code == 0 && later.errors == note)
    #expect(held.code == 0 && held.errors == "")
  }

  @Test func `a rule is named if the session ends before the work that it is about`() throws {
    let script = "loadable a\nnever a error\nload a fail \"x\" after 2s\nwait 1s\n"
    let outcome = try place.rehearse("-c", script)
    let settled = try place.rehearse("-c", script + "settle")
    let prompts = script.split(separator: "\n").map { "> \($0)\n" }.joined()
    try place.write("a.transcript", prompts)
    _ = try place.rehearse("test", "--update", "a.transcript")
    let played = try place.rehearse("test", "--no-history", "a.transcript")
    let drawn = try place.rehearse("picture", "a.transcript", "-o", "a.svg")

    let note = "'never a error' held until the session ended at 1.000s, but work is due at 2.000s"
    #expect(outcome.code == 0 && outcome.errors == "note: \(note)\n")
    #expect(settled.code == 1 && !settled.errors.contains("session ended"))
    #expect(played.code == 0 && played.output.contains("note: a.transcript: \(note)"))
    #expect(drawn.code == 0 && drawn.errors == "note: \(note)\n")
  }

  @Test func `a rule is named if the session ends before an answer over a socket`() throws {
    let script = "route GET /a 500\nserve\nloadable p\nnever p error\nload p from /a over socket\n"
    let outcome = try place.rehearse("-c", script)

    #expect(outcome.code == 0)
    #expect(
      outcome.errors
        == "note: 'never p error' held until the session ended at 0.000s, but an operation outside of virtual time has not ended\n"
    )
  }

  @Test func `a check that ends in a question mark is named, because it checks nothing`() throws {
    let outcome = try place.rehearse("-c", "loadable a = 1\nexpect a loaded 2 ?\nlist ?")
    let later = try place.rehearse("-c", "loadable a = 1\nin 1s expect a loaded 2 ?\nsettle")

    let inner = "load a never interrupt after 1s do expect a loaded 9 ?"
    let nested = try place.rehearse("-c", "loadable a\n\(inner)\nsettle")

    let note = "has checked nothing: '?' only lists possible continuations\n"
    #expect(nested.errors == "note: '\(inner)' \(note)")
    #expect(outcome.errors == "note: 'expect a loaded 2 ?' \(note)")
    #expect(later.errors == "note: 'in 1s expect a loaded 2 ?' \(note)")
  }

  @Test func `the list of routes and that of rules differ if the end of a long line does`() throws {
    func texts(_ end: String) throws -> [String] {
      let long = String(repeating: "x", count: 300)
      let script =
        "route /a 200 text \"\(long)\(end)\"\nloadable a\nnever a loaded \"\(long)\(end)\"\n"
      return ["routes", "assertions"].compactMap { try? place.rehearse("-c", script + $0).output }
    }
    let (one, other) = (try texts("1"), try texts("2"))
    #expect(one.count == 2 && one[0] != other[0] && one[1] != other[1])
  }

  @Test func `jobs that nobody has chosen are named when the session ends`() throws {
    let script = "loadable a\nnever a error\nstep list\nload a fail \"x\"\n"
    let outcome = try place.rehearse("-c", script)
    let slept = try place.rehearse(
      "-c",
      script.replacing("\"x\"", with: "\"x\" after 1s") + "step 1"
    )
    let settled = try place.rehearse("-c", script + "settle")

    let rule = "note: 'never a error' is unchecked at the end of "
    let reason = "because the session ended before jobs that were ready"
    let jobs = "note: the session ended before jobs that were ready; 'settle' runs them\n"
    #expect(outcome.errors == rule + "0.000s, \(reason)\n" + jobs)
    #expect(
      slept.errors.hasPrefix("note: 'never a error' held until the session ended at 0.000s, but")
    )
    #expect(settled.code == 1 && !settled.errors.contains("the session ended"))
  }

  @Test func `an input is named if the session ends before all keys are typed`() throws {
    let script = "input q\nenter q \"abc\" every 1s\nwait 1s\n"
    let outcome = try place.rehearse("-c", script)
    let settled = try place.rehearse("-c", script + "settle")

    #expect(outcome.errors == "note: the session ended with 1 key of 'q' to come\n")
    #expect(outcome.code == 0 && settled.code == 0 && settled.errors == "")
  }

  @Test func `a printed line that looks like a pattern is saved as one that matches only it`()
    throws
  {
    let script = "loadable a\nload a \"[..] {{x}}\"\nsettle\n"
    _ = try place.rehearse("-c", script + "save a.transcript")
    let saved = place.read("a.transcript")
    let same = try place.rehearse("test", "--no-history", "--no-pending", "a.transcript")
    try place.write(
      "b.transcript",
      saved.replacing("load a \"[..] {{x}}\"", with: "load a \"-- x\"")
    )
    let other = try place.rehearse("test", "--no-history", "--no-pending", "b.transcript")

    #expect(saved.contains(#"loaded "{{\[\.\.\]}} {{\{\{}}x}}""#))
    #expect(same.code == 0 && other.code == 1)
  }

  @Test func `a hold that no request meets is named`() throws {
    let script = "route GET /a 200 json 1\nhold /b\nloadable a\nload a from /a\nsettle\n"
    try place.write("s.rehearse", script)
    let outcome = try place.rehearse("-c", "source s.rehearse")
    let ended = try place.rehearse("-c", script + "release")
    let met = try place.rehearse("-c", script.replacing("/b", with: "/a"))

    #expect(outcome.code == 0)
    #expect(outcome.errors == "note: no request matched 'hold /b' (s.rehearse:2)\n")
    #expect(ended.output.contains("no request was held"))
    #expect(ended.errors == "" && met.errors == "")
  }

  @Test func `a search names a hold that no request meets in the default schedule`() throws {
    let script = "route GET /a 200 json 1\nhold /b\nloadable a\nload a from /a\nsettle\n"
    try place.write("s.rehearse", script)
    let explored = try place.rehearse("explore", "s.rehearse")
    let report = try place.rehearse("explore", "s.rehearse", "--json")
    let session = try place.rehearse("-c", script + "explore")
    let met = try place.rehearse("-c", script.replacing("/b", with: "/a") + "explore")

    let note = "in the default schedule, no request matched 'hold /b'"
    #expect(explored.lines.contains { $0 == note })
    #expect(report.lines.contains { $0 == #"{"type": "note", "text": "\#(note)"}"# })
    #expect(session.lines.contains { $0 == "  " + note })
    #expect(!met.output.contains("no request matched"))
  }

  @Test func `a prompt names a hold that no request meets when the session ends`() throws {
    let terminal = try place.terminal([])
    for command in ["route GET /a 200 json 1", "hold /b", "loadable a", "load a from /a"] {
      try terminal.enter(command)
    }
    #expect(try terminal.quit() == 0)

    #expect(terminal.screen.text.contains("note: no request matched 'hold /b'"))
  }

  @Test func `a script with a byte order mark is performed`() throws {
    try place.write("s.rehearse", "\u{FEFF}loadable a\nexpect a absent\n")

    #expect(try place.rehearse("run", "s.rehearse").code == 0)
  }

  @Test(arguments: [
    ("loadable a\nexpect a loaded\n", "'expect a loaded' fails"),
    ("loadable a\neventually a loaded\n", "'eventually a loaded' was still open"),
    ("loadable a\nquit\nload a 1\n", "1 command is never performed: line 3"),
  ])
  func `a picture of a script that fails is an error`(script: String, error: String) throws {
    try place.write("s.rehearse", script)
    let outcome = try place.rehearse("picture", "s.rehearse")

    #expect(outcome.code == 1)
    #expect(outcome.errors.contains(error))
    #expect(outcome.output.hasPrefix("<svg"), "it is drawn all the same")
  }

  @Test(arguments: ["picture", "timeline", "diff"])
  func `a failing check that a transcript does not show is an error with a picture`(
    command: String
  ) throws {
    let shown = "> loadable a\n> expect a loaded\n  error: a is absent, not loaded\n"
    try place.write("shown.transcript", try updated(shown))
    try place.write("hidden.transcript", "> loadable a\n> expect a loaded\n  ok\n> load a 1\n")
    let second = { (file: String) in command == "diff" ? [file] : [] }
    let expected = try place.rehearse(
      [command, "shown.transcript"] + second("shown.transcript"),
      input: []
    )
    let hidden = try place.rehearse(
      [command, "hidden.transcript"] + second("hidden.transcript"),
      input: []
    )

    #expect(expected.code == 0)
    #expect(hidden.code == 1)
    #expect(hidden.output != "", "it is drawn all the same")
    #expect(
      hidden.errors.hasPrefix(
        """
        error: 'hidden.transcript': line 2: 'expect a loaded' fails, and the transcript does not show it
        hint: 'test' compares the whole output

        """
      )
    )
  }

  /// Returns a transcript with the output of its commands.
  private func updated(_ transcript: String) throws -> String {
    try place.write("u.transcript", transcript)
    _ = try place.rehearse(["test", "--update", "u.transcript"], input: [])
    return place.read("u.transcript")
  }

  @Test func `a recording knows what was not performed`() throws {
    try place.write("o.rehearse", "loadable a\neventually a loaded\nload a 1 after 1s\n")
    #expect(try place.rehearse("timeline", "o.rehearse", "-o", "o.json").code == 1)
    let outcome = try place.rehearse("diff", "o.json", "o.json")

    #expect(outcome.code == 1)
    #expect(outcome.output == "both runs have the same events, as far as they are known\n")
    #expect(outcome.errors.hasPrefix("error: 'o.json': 'eventually a loaded' was still open"))
  }

  @Test(arguments: ["{\"qty\": 2}", "{\"qty\": 1} with Authorization \"t2\""])
  func `requests with different bodies differ`(content: String) throws {
    let script = "route any /x 200 json 1\nloadable a\nload a from POST /x sending json "
    try place.write("a.rehearse", script + "{\"qty\": 1}\nsettle\n")
    try place.write("b.rehearse", script + content + "\nsettle\n")
    let outcome = try place.rehearse("diff", "a.rehearse", "b.rehearse")

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("other header fields or another body"))
    #expect(try place.rehearse("diff", "a.rehearse", "a.rehearse").code == 0)
  }

  @Test func `explore names an assertion that ends early`() throws {
    try place.write(
      "a.rehearse",
      "loadable a\nload a 1\nnever a error\nload a 2\nforget a\nloadable a\nload a fail \"x\"\n"
    )
    let outcome = try place.rehearse("explore", "a.rehearse")
    let text = outcome.output + outcome.errors

    #expect(
      text.contains("line 5: 'forget a': 'never a error' held until now, and ends"),
      "\(text)"
    )
  }

  @Test func `a session of the corpus that explores is an error`() throws {
    try place.makeFolder("corpus")
    try place.write(
      "corpus/x.transcript",
      "> loadable a\n> load a 1 or fail \"x\"\n> expect a loaded\n> explore\n"
    )
    try place.write("base.rehearse", "loadable a\nload a 1\n")
    let outcome = try place.rehearse(
      "explore",
      "--generate",
      "--schedules",
      "5",
      "--corpus",
      "corpus",
      "base.rehearse"
    )

    #expect(outcome.code == 1)
    let text = outcome.output + outcome.errors
    #expect(
      text.contains(
        "x.transcript:4: error: it no longer fits: a session of the corpus does not explore"
      ),
      "\(text)"
    )
  }

  @Test func `the second of two runs may crash`() throws {
    try place.write("a.rehearse", "now\n")
    try place.write("b.rehearse", "simulate crash\n")
    let outcome = try place.rehearse("diff", "a.rehearse", "b.rehearse")

    #expect(outcome.code != 0)
    #expect(outcome.errors.split(separator: "error: the program crashed").count == 2)
    #expect(outcome.errors.contains("in this command:\n  > simulate crash\n"))
  }

  @Test func `texts that look equal but have other bytes differ`() throws {
    try place.write("a.rehearse", "loadable a\nload a \"\u{E9}\"\nsettle\n")
    try place.write("b.rehearse", "loadable a\nload a \"e\u{301}\"\nsettle\n")

    #expect(try place.rehearse("diff", "a.rehearse", "b.rehearse").code == 1)
  }

  @Test func `undo and redo report that fewer commands are left than requested`() throws {
    let outcome = try place.rehearse("-c", "loadable a\nwait 1s\nundo 5\nredo 5")

    #expect(outcome.output.contains("  nothing else to undo: 2 of 5\n"))
    #expect(outcome.output.contains("  nothing else to redo: 2 of 5\n"))
  }

  private static let open =
    "error: 'in 9s expect a absent' was never performed: the session ended before 9.000s"

  @Test(arguments: ["run", "-c", "pipe", "quit"])
  func `a command that is due after the end of the session is an error`(way: String) throws {
    let script = "loadable a\nin 9s expect a absent\n"
    try place.write("s.rehearse", script)
    let outcome =
      switch way {
      case "run": try place.rehearse("run", "s.rehearse")
      case "-c": try place.rehearse("-c", script)
      case "pipe": try place.rehearse(input: script)
      default: try place.rehearse(input: script + "quit\n")
      }

    #expect(outcome.code == 1)
    #expect(outcome.errors.contains(Self.open))
    #expect(outcome.errors.contains("hint: let time pass: end with 'settle', or with 'wait D'"))
    // Standard output becomes a transcript.
    #expect(!outcome.output.contains("error"))
    let settled = try place.rehearse(
      "-c",
      "loadable a",
      "-c",
      "in 9s expect a absent",
      "-c",
      "settle"
    )
    #expect(settled.code == 0)
  }

  @Test(arguments: ["diff", "timeline"])
  func `a command that is due after the end of the session is also an error with a picture`(
    command: String
  ) throws {
    try place.write("s.rehearse", "loadable a\nin 9s expect a absent\n")
    try place.write("q.rehearse", "loadable a\nquit\nload a 1\n")
    let second = command == "diff" ? ["s.rehearse"] : []
    let outcome = try place.rehearse([command, "s.rehearse"] + second, input: [])
    let quit = try place.rehearse([command, "q.rehearse"] + second, input: [])

    #expect(outcome.code == 1)
    #expect(outcome.output != "", "it is drawn all the same")
    #expect(!outcome.output.contains("both runs have the same events\n"))
    #expect(
      outcome.errors.hasPrefix("error: 's.rehearse': 'in 9s expect a absent' was never performed")
    )
    #expect(quit.code == 1)
    #expect(
      quit.errors.hasPrefix(
        "error: 'q.rehearse': the session ended, and 1 command is never performed: line 3\n"
      )
    )
    try place.write("s.rehearse", "loadable a\nin 9s expect a absent\nsettle\n")
    #expect(try place.rehearse([command, "s.rehearse"] + second, input: []).code == 0)
  }

  @Test(arguments: ["diff", "timeline"])
  func `files without commands are not equal, and have no picture`(command: String) throws {
    try place.write("s.rehearse", "# nothing\n")
    let second = command == "diff" ? ["s.rehearse"] : []
    let outcome = try place.rehearse([command, "s.rehearse"] + second, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: there is no command in 's.rehearse'\n"))
  }

  @Test func `JSON output has the error as a line`() throws {
    let outcome = try place.rehearse("--json", input: "loadable a\neventually a loaded\n")

    #expect(outcome.code == 1)
    #expect(
      outcome.lines.last?.contains("'eventually a loaded' was still open when the session ended")
        == true
    )
  }

  @Test(arguments: ["run", "-c", "pipe"])
  func `commands after quit are named`(way: String) throws {
    let script = "now\nquit\n# more\nloadable a\nload a 1\n"
    try place.write("s.rehearse", script)
    let outcome =
      switch way {
      case "run": try place.rehearse("run", "s.rehearse")
      case "-c": try place.rehearse("-c", script)
      default: try place.rehearse(input: script)
      }

    #expect(outcome.code == 1)
    let words =
      way == "pipe"
      ? "the session ended, and 2 later lines were not performed"
      : "the session ended, and 2 commands are never performed: lines 4 to 5"
    #expect((outcome.output + outcome.errors).contains("error: \(words)\n"))
  }

  @Test func `commands after quit in a sourced file are named`() throws {
    try place.write("s.rehearse", "now\nquit\nlist\n")
    try place.write("a.transcript", "> source s.rehearse\n  ...\n  error: [..]\n  ...\n")
    let outcome = try place.rehearse("-c", "source s.rehearse")

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        "error: the session ended, and 1 command is never performed: line 3\n"
      )
    )
    #expect(
      try place.rehearse("test", "a.transcript").output == "1 passed (1 has commands that fail)\n"
    )
  }

  @Test func `a stray line of a transcript is an error`() throws {
    try place.write("a.transcript", "> loadable a\nload a 1\n> list\n  ...\n")
    let run = try place.rehearse("run", "a.transcript")
    let source = try place.rehearse("-c", "source a.transcript")

    #expect(run.code == 2)
    #expect(run.errors.hasPrefix("error: line 2: this line is neither a comment nor a command"))
    #expect(source.code == 1)
    #expect(source.output.contains("error: cannot read 'a.transcript:2': this line is neither"))
  }

  @Test(arguments: ["timeline", "picture"])
  func `a picture of a transcript with a stray line is an error`(command: String) throws {
    try place.write("a.transcript", "> loadable a\nload a 1\n")
    let outcome = try place.rehearse(command, "a.transcript")

    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("cannot be run: line 2: this line is neither"))
  }

  @Test(arguments: [("timeline", 2), ("picture", 2), ("explore", 1)])
  func `every subcommand refuses a transcript whose rest became a fixture`(
    command: String,
    code: Int
  ) throws {
    let part = "> loadable a\n> load a 1\n  ...\n-- x --\n> expect a loaded 2\n"
    try place.write("a.transcript", part)
    try place.write("b.transcript", "> source x\n  [..]error: [..]\n  ...\n" + part)
    let refused = try place.rehearse([command, "a.transcript"], input: [])
    let played = try place.rehearse([command, "b.transcript"], input: [])

    #expect(refused.code == code)
    #expect(refused.output == "")
    #expect(
      refused.errors.contains("line 4: the lines below are not replayed: they are the file 'x'")
    )
    #expect(played.code == 0)
  }

  @Test(arguments: [
    ("a.transcript", "> now\n-- x --\n> list\n", "line 2: the lines below are not replayed"),
    ("a.md", "> quoted\n", "line 1: this is a page of Markdown with 0 transcripts"),
  ])
  func `a file is refused if only a part of it would be performed`(
    name: String,
    text: String,
    words: String
  ) throws {
    try place.write(name, text)
    let outcome = try place.rehearse("run", name)

    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: \(words)"))
    #expect(try place.rehearse("-c", "source \(name)").code == 1)
  }

  @Test func `the only transcript of a page is performed`() throws {
    try place.write("a.md", "> quoted\n\n```transcript\n> now\n```\n")

    #expect(try place.rehearse("run", "a.md").output == "> now\n  0.000s\n")
  }

  @Test(arguments: [["a.transcript", "b.rehearse"], ["b.rehearse", "a.transcript"]])
  func `every comparison reports a stray line`(files: [String]) throws {
    try place.write("a.transcript", "> loadable a\nload a 1\n")
    try place.write("b.rehearse", "loadable a\n")
    let outcome = try place.rehearse(["diff"] + files, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(
      outcome.errors.contains("'a.transcript' cannot be run: line 2: this line is neither")
    )
  }

  @Test(arguments: ["explore", "run", "timeline", "picture", "source"])
  func `a fence that is nearly a transcript is reported next to the only transcript`(
    command: String
  ) throws {
    try place.write("a.md", "```transcript\n> loadable a\n```\n\n```Transcript\n> load a 1\n```\n")
    let outcome =
      try command == "source"
      ? place.rehearse("-c", "source a.md") : place.rehearse(command, "a.md")

    #expect(outcome.code == (command == "source" ? 1 : 2))
    let text = outcome.output + outcome.errors
    let line = command == "source" ? "'a.md:5'" : "line 5"
    #expect(text.contains("\(line): the code block marked 'Transcript' is not replayed"))
  }

  @Test func `a sourced file without commands is an error`() throws {
    try place.write("s.rehearse", "# nothing\n\n")
    try place.write("a.transcript", "> source s.rehearse\n")
    let outcome = try place.rehearse("-c", "source s.rehearse")

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains("error: cannot read 's.rehearse': there is no command in it\n")
    )
    #expect(try place.rehearse("test", "a.transcript").code == 1)
  }

  @Test(arguments: ["", "\n \n", "# nothing\n"])
  func `an option or a pipe without commands is an error`(text: String) throws {
    for outcome in [
      try place.rehearse("-c", text), try place.rehearse("-c", "now", "-c", text),
    ] {
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("error: there is no command in '-c'\n"))
    }
    for outcome in [try place.rehearse(input: text), try place.rehearse("--json", input: text)] {
      #expect(outcome.code == 2)
      #expect((outcome.output + outcome.errors).contains("there is no command in standard input"))
    }
    #expect(try place.rehearse(input: text + "\nnow").code == 0)
  }

  @Test func `a script without commands is an error`() throws {
    try place.write("s.rehearse", "# nothing\n\n")
    for outcome in [
      try place.rehearse("run", "s.rehearse"), try place.rehearse("run", "-", input: ""),
    ] {
      #expect(outcome.code == 2)
      #expect(outcome.errors.hasPrefix("error: there is no command in "))
    }
  }

  // MARK: Accepting

  private func writeSlips() throws {
    try place.write(
      "a.transcript",
      "> loadable a\n> load a 1\n> expect a loded\n> lod a\n  error: there is no command 'lod'\n  ...\n"
    )
  }

  @Test(arguments: [["--update"], ["--update", "--reporter", "markdown"]])
  func `an update names the failing commands that it wrote`(flags: [String]) throws {
    try writeSlips()
    let outcome = try place.rehearse(["test"] + flags + ["a.transcript"], input: [])

    #expect(outcome.code == 0)
    let line = "a.transcript:5: expects a failure: error: expected a state, but found 'loded'"
    #expect(outcome.output.contains(line))
    // This failure was in the transcript before.
    #expect(!outcome.output.contains("there is no command"))
    #expect(
      try place.rehearse("test", "a.transcript").output.contains("expects a failure: a.transcript")
    )
  }

  @Test func `an update of several fences names lines of the new page`() throws {
    let page = "```transcript\n> loadable a\n> load a 1\n```\n\n```transcript\n> expct a\n```\n"
    try place.write("p.md", page)
    let outcome = try place.rehearse("test", "--update", "p.md")

    #expect(
      outcome.output.contains("p.md:9: expects a failure: error: there is no command 'expct'")
    )
    let lines = place.read("p.md").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[8] == "> expct a")
  }

  @Test func `accepting names the failing commands that it wrote`() throws {
    try writeSlips()
    _ = try place.rehearse("test", "a.transcript")
    let review = try place.rehearse("review")
    #expect(
      review.output.contains(
        "note: this command fails: if you accept its output, the failure is expected"
      )
    )
    let json = try place.rehearse("review", "--json")
    #expect(json.output.contains("\"fails\": true"))
    let outcome = try place.rehearse("accept", "--all")

    #expect(outcome.code == 0)
    #expect(outcome.output == "accepted 2 in a.transcript\na.transcript:3: expects a failure\n")
  }

  @Test func `output is not accepted while a check is open`() throws {
    try place.write("a.transcript", "> loadable a\n> in 1s now\n> list\n")
    let outcome = try place.rehearse("test", "--update", "a.transcript")

    #expect(outcome.code == 1)
    #expect(outcome.output.contains("a.transcript:2: 'in 1s now' was never performed"))
    #expect(place.read("a.transcript") == "> loadable a\n> in 1s now\n> list\n")
  }

  // MARK: Formatting

  @Test func `a named folder or page with nothing to format is named`() throws {
    try place.makeFolder("t")
    try place.makeFolder("empty")
    try place.write("t/a.transcript", "> now\n  0.000s\n")
    try place.write("t/b.transcrpt", "> now\n")
    try place.write("t/c.md", "```Transcript\n> now\n```\n")
    try place.write("page.md", "# Nothing\n")
    let outcome = try place.rehearse("format", "--check", "t", "empty", "page.md")

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("error: empty: no transcript and no script in this folder\n"))
    #expect(
      outcome.errors.contains("error: page.md: no code block marked 'transcript' in this file\n")
    )
    #expect(
      outcome.output.contains(
        "note: t/b.transcrpt is not replayed: transcripts end in .transcript\n"
      )
    )
    #expect(
      outcome.output.contains("note: t/c.md:1: the code block marked 'Transcript' is not replayed")
    )
    let one = try place.rehearse("format", "--check", "t")
    #expect(one.code == 0)
  }

  @Test(arguments: ["", "# only this\n"])
  func `an input without commands is not canonical`(input: String) throws {
    let outcome = try place.rehearse("format", "--check", "-", input: input)

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("there is no command in standard input\n"))
  }

  @Test func `a page is named if all its fences are for other programs`() throws {
    try place.write("a.md", "```transcript Other\n>  now\n```\n")
    let outcome = try place.rehearse("format", "--check", "a.md")

    #expect(outcome.code == 0)
    #expect(outcome.output == "note: a.md: all code blocks are left to other programs: Other\n")
  }

  @Test func `fences of other programs in a page are counted`() throws {
    let page = "```transcript\n> now\n```\n\n```transcript Other\n>  now\n```\n"
    try place.write("a.md", page)
    let outcome = try place.rehearse("format", "--check", "a.md")

    #expect(outcome.code == 0)
    #expect(outcome.output == "note: a.md: 1 code block is left to other programs: Other\n")
  }

  @Test func `a file without commands is not canonical`() throws {
    try place.write("a.transcript", "# only this\n")
    let outcome = try place.rehearse("format", "--check", "a.transcript")

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: a.transcript: no command in this transcript\n"))
  }
}
