import Foundation
import Testing

@testable import Harness

/// Input that cannot be used: a clear message, and never another file instead.
@Suite struct BadInputTests {
  private func failed(
    _ problem: TranscriptProblem,
    _ outcome: TranscriptResult.Outcome = .failed
  ) -> TranscriptResult {
    var test = TranscriptResult(path: "a.transcript", outcome: outcome)
    test.failures = [TranscriptFailure(path: "a.transcript", line: 0, problem: problem)]
    return test
  }

  @Test(
    arguments: [
      (.notPermitted, .usage), (.symlinkLoop, .usage), (.notUTF8(line: 3), .usage),
      (.tooLarge(limitInBytes: 16 << 20), .usage), (.changed, .usage), (.nameNotUTF8, .usage),
      (.diskFull, .harness), (.readOnly, .harness), (.notWritable, .harness),
      (FileProblem(errno: EFBIG), .harness),
    ] as [(FileProblem, ProgramExit)]
  )
  func `an unreadable or unwritable file is not a difference`(
    problem: FileProblem,
    code: ProgramExit
  ) {
    var report = RunReport()
    report.tests = [failed(.file(problem)), failed(.differs(after: nil))]
    #expect(report.exit == code)
    #expect(PendingProblem.unreadable(problem).exit == (problem == .changed ? .differences : code))

    report.tests = [failed(.file(problem), .knownFlaky)]
    #expect(report.exit == .success)
    report.tests = [failed(.differs(after: nil))]
    #expect(report.exit == .differences)
  }

  @Test func `a problem with a name survives the pipe and the report`() {
    let problem = TranscriptProblem.file(.nameNotUTF8)
    let (word, number, text) = problem.spelling
    #expect(TranscriptProblem(word: word, number: number, text: text) == problem)
  }

  @Test func `a folder with a too long path is reported and not skipped`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo\n")
    let name = String(repeating: "n", count: 200)
    let long = Array(repeating: name, count: 12).joined(separator: "/")
    for part in ["b", "c"] { try folder.write("\(part)/\(long)/x.transcript", "> echo\n") }
    let (place, deep) = (folder.path + "/c", folder.path + "/b/" + long + "/c")
    try #require(rename(place, deep) == 0)
    defer { rename(deep, place) }  // Or nobody could remove it.
    let entries = TranscriptSelection(paths: [folder.path]).entries

    #expect(
      entries.map(\.problem) == [nil, FileProblem(errno: ENAMETOOLONG), nil]
    )
  }

  @Test func `a file name that is not UTF-8 is reported and not confused with another one`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write("b\u{FFFD}.transcript", "> echo\n")
    for name in ["b\\377.transcript", "n\\377.txt"].map({ Self.bytes(folder.path + "/" + $0) }) {
      let file = name.withUnsafeBufferPointer { open($0.baseAddress!, O_WRONLY | O_CREAT, 0o600) }
      try #require(file >= 0)
      close(file)
    }
    let inner = Self.bytes(folder.path + "/d\\377")
    #expect(inner.withUnsafeBufferPointer { mkdir($0.baseAddress!, 0o700) } == 0)
    let entries = TranscriptSelection(paths: [folder.path]).entries
    let names = entries.map { String($0.path.dropFirst(folder.path.count + 1)) }

    #expect(names == ["b\\xff.transcript", "b\u{FFFD}.transcript", "d\\xff"])
    #expect(entries.map(\.problem) == [.nameNotUTF8, nil, .nameNotUTF8])
  }

  @Test(arguments: [["."], ["é.transcript", "e\u{301}.transcript"]])
  func `two canonically equivalent names are refused`(
    arguments: [String]
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("\u{E9}.transcript", "> echo a\n  a\n")
    try folder.write("e\u{301}.transcript", "> echo a\n  b\n")
    let run = try HostRun(in: folder, arguments)

    #expect(run.code == 2)
    #expect(
      run.text == """
        error: two files have the same name in different code points: 'e\\u{301}.transcript' and \
        '\\u{e9}.transcript'
        hint: rename one of them

        """
    )
  }

  /// Converts a path to bytes, `\377` to that byte.
  private static func bytes(_ path: String) -> [CChar] {
    var bytes = Array(path.utf8)
    while let start = bytes.firstRange(of: Array("\\377".utf8)) {
      bytes.replaceSubrange(start, with: [0xFF])
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }

  @Test func `of a long line, the part with the difference is shown`() {
    let same = String(repeating: "é", count: 1_000_000)
    var failure = TranscriptFailure(path: "a", line: 2, problem: .differs(after: nil))
    failure.diff = [
      .init(.same, "x"), .init(.expected, same + "old" + same), .init(.actual, same + "new" + same),
      .init(.actual, same),
    ]
    let lines = FailureText(colour: false).text(of: failure).split(separator: "\n")

    #expect(lines[1] == "   x")
    #expect(lines[2].hasPrefix("-  (1999920 bytes) …ééé") && lines[2].contains("éoldé"))
    #expect(lines[3].hasPrefix("+  (1999920 bytes) …ééé") && lines[3].contains("énewé"))
    #expect(lines[3].hasSuffix("… (4000003 bytes)"))
    #expect(lines[4].hasPrefix("+  ééé") && lines[4].hasSuffix("… (2000000 bytes)"))
    #expect(lines.allSatisfy { $0.utf8.count < 2_100 })
  }
}
