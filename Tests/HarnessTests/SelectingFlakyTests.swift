import Testing

@testable import Harness

@Suite struct SelectingFlakyTests {
  private static let text = """
    limit 3
    # The socket is slow.
    a.transcript

    # Both wait for the same lock.
    b.transcript
    c.transcript

    # Nobody's comment.

    """

  private func list(
    _ text: String = text,
    path: String = "flaky.txt",
    folder: String = "/f"
  ) -> KnownFlaky {
    KnownFlaky(path: path, bytes: Array(text.utf8), naming: PathKey(folder: folder))
  }

  private func failed(_ path: String) -> TranscriptResult {
    TranscriptResult(path: path, outcome: .failed)
  }

  @Test func `a list names files, each with the comment above it`() {
    #expect(list().entries.map(\.path) == ["a.transcript", "b.transcript", "c.transcript"])
    #expect(
      list().entries.map(\.reason)
        == [
          "The socket is slow.", "Both wait for the same lock.", "Both wait for the same lock.",
        ]
    )
    #expect(list().problems.isEmpty)
  }

  @Test func `failures of listed files do not fail the run, others do`() {
    var tests = [failed("./a.transcript"), failed("d.transcript")]
    let (gone, problems) = list().apply(
      &tests,
      exists: { _ in true },
      isSteady: { _ in false }
    )

    #expect(tests.map(\.outcome) == [.knownFlaky, .failed])
    #expect(tests[0].reason == "The socket is slow.")
    #expect(gone.isEmpty)
    #expect(problems.isEmpty)
  }

  @Test(arguments: [
    TranscriptProblem.file(.missing), .file(.notPermitted), .file(.notUTF8(line: 1)), .noCommand,
    .noFence, .stray(.unindented), .needsOwnProcess, .unread(limitInMilliseconds: 1),
    .outOfTime(limitInMilliseconds: 1), .endedEarly, .unreadFixture("x"),
  ])
  func `a listed transcript that was not replayed to its end fails the run`(
    problem: TranscriptProblem
  ) {
    var tests = [failed("a.transcript"), failed("b.transcript")]
    tests[0].failures = [
      .init(path: "a.transcript", line: 1, problem: .differs(after: nil)),
      .init(path: "a.transcript", line: 2, problem: problem),
    ]
    tests[1].failures = [.init(path: "b.transcript", line: 1, problem: .crashed(signal: 6))]
    _ = list().apply(&tests, exists: { _ in true }, isSteady: { _ in false })

    #expect(tests.map(\.outcome) == [.failed, .knownFlaky])
  }

  @Test func `a command that was not due is ignored only together with other output`() {
    var tests = [failed("a.transcript"), failed("b.transcript")]
    let open = TranscriptProblem.unperformed(.notDue, "in 9s list", "9.000s")
    for index in tests.indices {
      tests[index].failures = [.init(path: tests[index].path, line: 1, problem: open)]
    }
    tests[1].failures.append(.init(path: "b.transcript", line: 2, problem: .differs(after: nil)))
    _ = list().apply(&tests, exists: { _ in true }, isSteady: { _ in false })

    #expect(tests.map(\.outcome) == [.failed, .knownFlaky])
  }

  @Test func `a list covers neither an unplayable file nor a run without a pass`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  b\n")
    try folder.write("b.transcript", "")
    try folder.write("c.transcript", [0x3E, 0x20, 0xFF, 0x0A])
    let run = { (file: String) in
      try folder.write("list", "limit 1\n\(file)\n")
      return try HostRun(in: folder, ["--known-flaky", "list", file])
    }

    #expect(
      try run("a.transcript").text == """
        a.transcript: known to be flaky
        error: no transcript passed, so the run fails
        0 passed, 1 known to be flaky

        """
    )
    #expect(try run("a.transcript").code == 1)
    #expect(try run("b.transcript").text.hasSuffix("\n0 passed, 1 failed\n"))
    #expect(try run("c.transcript").code == 2)
    try folder.write("d.transcript", "> echo a\n  a\n")
    try folder.write("list", "limit 1\na.transcript\n")
    let both = ["--known-flaky", "list", "a.transcript", "d.transcript"]
    #expect(try HostRun(in: folder, both).code == 0)
  }

  @Test func `a stale entry must be removed`() {
    var tests: [TranscriptResult] = []
    let list = list()
    let (gone, _) = list.apply(
      &tests,
      exists: { $0 != "a.transcript" },
      isSteady: { $0 == "c.transcript" }
    )

    #expect(
      gone.map { list.problem($0.entry, $0.why) }
        == [
          "flaky.txt:3: a.transcript is gone; remove this line",
          "flaky.txt:7: c.transcript passed every time; remove this line",
        ]
    )
  }

  @Test(arguments: [
    (
      [0],
      "limit 2\n\n# Both wait for the same lock.\nb.transcript\nc.transcript\n\n# Nobody's comment.\n"
    ),
    (
      [2],
      "limit 2\n# The socket is slow.\na.transcript\n\n# Both wait for the same lock.\nb.transcript\n\n# Nobody's comment.\n"
    ),
    (
      [1],
      "limit 2\n# The socket is slow.\na.transcript\n\n# Both wait for the same lock.\nc.transcript\n\n# Nobody's comment.\n"
    ),
    ([0, 1, 2], "limit 0\n\n\n# Nobody's comment.\n"),
    ([], text),
  ])
  func `removing an entry removes its own comment and lowers the limit`(
    removed: [Int],
    result: String
  ) {
    let list = list()

    #expect(list.text(without: removed.map { list.entries[$0] }) == result)
  }

  @Test func `a file that is not a list is refused with its first invalid line`() {
    let refusal = { (text: String) in self.list(text).refusal(named: []) { _ in false } }

    #expect(
      refusal("# It is slow.\n> now\n  0.000s\n")
        == "flaky.txt:2: '> now' is not the path of a transcript"
    )
    #expect(refusal("gone.transcript\ngone.md\n") == nil)
    #expect(refusal(Self.text) == nil)
  }

  @Test
  func `an entry without a transcript's name is refused, unless it is played under that name`() {
    let refusal = { (list: KnownFlaky) in
      list.refusal(named: ["./played.txt", "x"]) { $0.hasPrefix("x") }
    }

    #expect(refusal(list("played.txt\n")) == nil)
    #expect(
      refusal(list("other.txt\n")) == "flaky.txt:1: other.txt is not the path of a transcript"
    )
    for folder in ["x", "x.transcript", "x.md"] {
      #expect(
        refusal(list("\(folder)\n")) == "flaky.txt:1: \(folder) is not the path of a transcript"
      )
    }
    #expect(
      refusal(list("f.md\n", path: "../f/f.md"))
        == "../f/f.md:1: f.md is not the path of a transcript"
    )
  }

  @Test func `more entries than the limit, and an invalid limit, are problems`() {
    #expect(
      list("limit 1\na\nb\n").problems == [
        "flaky.txt:1: 2 files are listed, more than its limit of 1"
      ]
    )
    #expect(
      list("a\nb\n").problems == [
        "flaky.txt:1: the list has no limit; begin it with 'limit 2'"
      ]
    )
    for other in ["a", "./a", "b/../a", "/f/a"] {
      #expect(
        list("limit 2\na\n\(other)\n").problems == ["flaky.txt:3: \(other) is listed twice"]
      )
    }
    #expect(list("# none\n").problems.isEmpty)
    #expect(
      list("limit 0\na\n").problems == ["flaky.txt:1: 1 file is listed, more than its limit of 0"]
    )
    #expect(list("limit x\na\n").problems == ["flaky.txt:1: 'limit' takes a number"])
    #expect(list("a\nlimit 1\n").entries.count == 2)
  }

  @Test func `a limit above the number of entries is a problem, and an update lowers it`() {
    let loose = list("limit 9\na\nb\n")

    #expect(
      loose.slack == "flaky.txt:1: 2 files are listed, fewer than its limit of 9; lower it"
    )
    #expect(loose.text(without: []) == "limit 2\na\nb\n")
    #expect(loose.text(without: [loose.entries[0]]) == "limit 1\nb\n")
    #expect(list().slack == nil)
    let windows = list("limit 9\r\n# why\r\na\r\nb\r\n")
    #expect(windows.entries.map(\.path) == ["a", "b"])
    #expect(windows.entries.map(\.reason) == ["why", "why"])
    #expect(windows.text(without: [windows.entries[0]]) == "limit 1\r\n# why\r\nb\r\n")
    let open = list("limit 2\r\na\r\nb")
    #expect(open.text(without: [open.entries[0]]) == "limit 1\r\nb")
    #expect(open.text(without: [open.entries[1]]) == "limit 1\r\na")
    #expect(open.text(without: open.entries) == "limit 0")
  }

  @Test func `a byte order mark is ignored and kept`() {
    let marked = list("\u{FEFF}limit 2\na\nb\n")

    #expect(marked.problems.isEmpty)
    #expect(marked.entries.map(\.path) == ["a", "b"])
    #expect(marked.text(without: [marked.entries[0]]) == "\u{FEFF}limit 1\nb\n")
    #expect(list("\u{FEFF}a\n").entries.map(\.path) == ["a"])
  }

  @Test func `an entry relative to another folder is not stale`() {
    var tests = [failed("f/a.transcript")]
    let (gone, problems) = list("limit 1\na.transcript\n", folder: "/").apply(
      &tests,
      exists: { $0 == "f/a.transcript" },
      isSteady: { _ in false }
    )

    #expect(gone.isEmpty)
    #expect(
      problems == [
        "flaky.txt:2: a.transcript is f/a.transcript from this folder; run it in the other"
      ]
    )
    #expect(tests[0].outcome == .failed)
  }
}
