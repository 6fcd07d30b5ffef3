import RehearsalBase
import Testing
import Timelines
import Workers

@testable import Harness

@Suite struct TranscriptsDifferenceTests {
  @Test func `a failure shows place, command, both outputs and the command that accepts`() {
    let found = failures("# why\n> lines a,b,c\n  a\n  x\n  c\n")

    #expect(
      found.map(\.description) == [
        """
        a.transcript:4: output differs
         > lines a,b,c
           a
        -  x
        +  b
           c
        to accept: rehearse test --update a.transcript

        """
      ]
    )
  }

  @Test func `a later difference may come from the first`() {
    let found = failures("> echo a\n  x\n> echo b\n  b\n> echo c\n  y\n")

    #expect(found.map(\.problem) == [.differs(after: nil), .differs(after: 2)])
    #expect(found[1].message == "output differs, perhaps because of line 2")
  }

  @Test(arguments: [
    ("> echo a\n", 1), ("> lines a,b\n  a\n", 2), ("> nothing\n  a\n", 2),
    ("> lines a,b\n  a\n  x\n", 3), ("> shout\n. x\n", 1),
  ])
  func `the place is the first line that differs`(text: String, line: Int) {
    #expect(failures(text).map(\.line) == [line])
  }

  @Test func `lines that differ only in trailing spaces have a note`() {
    let notes = failures("> echo a\n  a \n").first?.notes

    #expect(notes == ["the lines differ only in spaces at their ends"])
  }

  @Test func `commands after the end of the session are a failure`() {
    let found = failures("> quit\n> echo a\n  a\n")

    #expect(found.map(\.problem) == [.endedEarly])
    #expect(found.map(\.line) == [2])
    #expect(failures("> echo a\n  a\n> quit\n").isEmpty)
  }

  @Test func `output above the limit is a separate failure`() {
    let found = failures("> much\n  ...\n")

    #expect(found.map(\.problem) == [.tooLong])
    #expect(found.first?.isAcceptable == false)
  }

  @Test func `a long difference is cut in the report`() {
    let lines = (0..<500).map { "\($0)" }.joined(separator: ",")
    let text = failures("> lines \(lines)\n").first?.description ?? ""

    #expect(text.contains(" … 300 more lines\n"))
  }

  @Test func `control characters never reach a terminal`() {
    let text = failures("> echo \u{1B}[2J\u{9B}1m\n  x\n").first?.description ?? ""

    #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
    #expect(text.contains("\\u{1b}[2J\\u{9b}1m"))
  }

  @Test func `a long line is cut with its size`() {
    let text = failures("> echo \(String(repeating: "x", count: 5_000))\n").first?.description ?? ""

    #expect(text.contains("x… (5000 bytes)\n"))
  }

  @Test func `characters that a terminal interprets or that reorder text are spelled out`() {
    let text = failures("> echo \u{1B}[2J\n  \u{202E}x\ty\u{85}\n").map(\.description).joined()

    #expect(text.contains(" > echo \\u{1b}[2J\n"))
    #expect(text.contains("-  \\u{202e}x\ty\\u{85}\n"))
  }

  @Test func `colour marks lines only on request`() {
    let found = failures("> echo a\n  b\n")

    #expect(!FailureText(colour: false).text(of: found[0]).contains("\u{1B}"))
    #expect(FailureText(colour: true).text(of: found[0]).contains("\u{1B}[31m-  b\u{1B}[0m\n"))
  }

  @Test func `colour marks the words of a line that changed`() {
    let found = failures("> echo the new word\n  the old word\n")
    let text = FailureText(colour: true).text(of: found[0])

    #expect(text.contains("\u{1B}[31m-  the \u{1B}[1;4;31mold\u{1B}[0;31m word\u{1B}[0m\n"))
    #expect(text.contains("\u{1B}[32m+  the \u{1B}[1;4;32mnew\u{1B}[0;32m word\u{1B}[0m\n"))
  }

  @Test(arguments: [
    ("a/b.transcript", "a/b.transcript"), ("a b", "'a b'"), ("a'b", "'a'\\''b'"), ("-x", "'./-x'"),
    ("漢", "漢"), ("a\u{1B}[2Jb", #"$'a\x1b[2Jb'"#), ("-\n\t'\\", #"$'./-\n\t\'\\'"#),
    ("\u{7}0", #"$'\x070'"#), ("\u{9B}1m", #"$'\xc2\x9b1m'"#), ("\u{202E}x", #"$'\xe2\x80\xaex'"#),
  ])
  func `a path is quoted for a shell, without escape sequences`(
    path: String,
    quoted: String
  ) {
    #expect(FailureText.quoted(path) == quoted)
  }

  @Test(arguments: ["> quit\n> echo b\n", "> much\n"])
  func `a difference that cannot be accepted because of another mistake says so`(other: String) {
    let found = failures("> echo a\n  b\n" + other)

    #expect(found[0].notes.last?.hasPrefix("cannot be accepted until line ") == true)
    #expect(found.allSatisfy { $0.acceptance == nil })
    #expect(!found.map(\.description).joined().contains("to accept:"))
  }

  @Test func `every failure crosses a pipe unchanged`() throws {
    let problems: [TranscriptProblem] = [
      .differs(after: nil), .differs(after: 7), .tooLong, .stray(.conflictMarker),
      .stray(.outputAlone), .stray(.carriageReturns), .stray(.swiftExpectation),
      .stray(.outsideFixture("é")),
      .stray(.repeatedFixture("f")), .stray(.script), .stray(.lookalike(.nextLine)),
      .endedEarly, .crashed(signal: 4), .exited(status: 3), .slow(limitInMilliseconds: 10),
      .unstable, .noCommand, .noFence, .file(.noTranscript), .file(.missing), .file(.notPermitted),
      .file(.notWritable),
      .file(.symlinkLoop), .file(.folder), .file(.notAFile), .file(.notUTF8(line: 9)),
      .file(.tooLarge(limitInBytes: 9)), .file(.diskFull), .file(.readOnly),
      .file(.other(code: 99)), .tooMuchMemory(limitInBytes: 7), .outOfTime(limitInMilliseconds: 9),
      .otherOutput, .overflowed, .needsOwnProcess,
    ]
    var sent: [TranscriptFailure] = problems.map { .init(path: "p/é", line: 3, problem: $0) }
    sent[0].command = "one\ntwo"
    sent[1].diff = [.init(.same, "a"), .init(.expected, ""), .init(.actual, "→")]
    sent[2].notes = ["note"]
    sent[3].acceptance = "accept p"
    var play = TranscriptPlay(file: 5, fence: 2, place: 4, failures: sent)
    play.readings = [FileReading(of: "/"), FileReading(of: "/not/there")]
    #expect(
      try MessageCoding.decode(TranscriptPlay.self, from: MessageCoding.encode(play)[...]) == play
    )
    #expect(try JSONValue(json: JSONText(encoding: play).bytes).decode() == play)

    let recording = Recording.sample
    let sentRecording = MessageCoding.encode(recording)
    #expect(try MessageCoding.decode(Recording.self, from: sentRecording[...]) == recording)
    let transitions = TransitionCounts(recording)
    #expect(
      try MessageCoding.decode(TransitionCounts.self, from: MessageCoding.encode(transitions)[...])
        == transitions
    )

    let edit = TextEdit(range: 3..<5, replacement: Array("a\n\u{1B}→".utf8))
    let proposal = Proposal(base: .max, edits: [edit], result: 7, failing: [1])
    let sentProposal = MessageCoding.encode(proposal)
    #expect(try MessageCoding.decode(Proposal.self, from: sentProposal[...]) == proposal)
  }
}
