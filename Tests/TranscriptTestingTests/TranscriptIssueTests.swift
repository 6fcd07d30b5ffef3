import Foundation
import Rehearsal
import RehearsalTesting
import Synchronization
import Testing

@testable import TranscriptTesting

/// Transcripts as tests of Swift Testing.
@Suite struct TranscriptIssueTests {
  private func transcript(_ text: String) throws -> Transcript {
    let folder = NSTemporaryDirectory() + "rehearse-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try text.write(toFile: folder + "/a.transcript", atomically: true, encoding: .utf8)
    return try #require(Transcripts.in(folder, program: "Shell").first)
  }

  @Test func `a transcript without differences records no issue`() throws {
    try transcript("> now\n  0.000s\n").check(with: [])
  }

  @Test func `each difference is an issue at its line of the transcript`() throws {
    let transcript = try transcript(
      "> now\n  0.000s\n> wait 1s\n> now\n  2.000s\n> now\n  3.000s\n"
    )
    let places = Mutex<[String]>([])
    withKnownIssue {
      transcript.check(with: [])
    } matching: { issue in
      let place = issue.sourceLocation.map { "\($0.fileName):\($0.line):\($0.column)" }
      places.withLock { $0.append(place ?? "") }
      #expect(issue.sourceLocation?.filePath == transcript.path)
      return issue.comments.first?.rawValue.contains("output differs") == true
    }
    #expect(places.withLock(\.self) == ["a.transcript:5:1", "a.transcript:7:1"])
  }

  @Test func `a file or fence that looks like a transcript and is not replayed is a warning`()
    throws
  {
    let folder = NSTemporaryDirectory() + "rehearse-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let fence = { (mark: String) in "```\(mark)\n> now\n  0.000s\n```\n" }
    let files = [
      "a.transcript": "> now\n  0.000s\n", "b.transcrpt": "> now\n",
      "c.md": fence("transcript") + fence("Transcript") + fence("transcript Other"),
      "d.markdown": fence("transcript"),
    ]
    for (name, text) in files {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    let transcripts = Transcripts.in(folder)
    let notes = [
      "b.transcrpt is not replayed: transcripts end in .transcript",
      "d.markdown is not replayed: pages of Markdown end in .md",
      "c.md:5: the code block marked 'Transcript' is not replayed: the word is 'transcript'",
      "c.md: code blocks marked 'transcript Other' are not replayed: name the program, 'program: \"Other\"'",
    ].map { "\(folder)/\($0)" }

    #expect(transcripts.count == 2)
    #expect(transcripts[0].notes == notes)
    #expect(transcripts[1].notes == notes, "a test may choose any of them")
    #expect(Transcripts.in(folder, program: "Other")[0].notes == notes.dropLast())
    let warnings = Mutex<[String]>([])
    withKnownIssue {
      for transcript in transcripts.reversed() { transcript.check(with: []) }
    } matching: { issue in
      #expect(issue.severity == .warning)
      warnings.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    #expect(warnings.withLock(\.self) == notes, "each is recorded once")
    #expect(transcripts[0].takeNotes().isEmpty)
  }

  @Test func `a folder whose name differs only in case is named`() throws {
    let folder = NSTemporaryDirectory() + "rehearse-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["Transcripts", "transcripts", "transcriptS", "other"] {
      let path = "\(folder)/\(name)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard name != "transcriptS" else { continue }
      try "> now\n  0.000s\n".write(
        toFile: "\(path)/a.transcript",
        atomically: true,
        encoding: .utf8
      )
    }
    // Some file systems do not distinguish case.
    guard try FileManager.default.contentsOfDirectory(atPath: folder).count == 4 else { return }

    let note = "\(folder)/transcripts is not replayed: the named folder is \(folder)/Transcripts"
    #expect(Transcripts.in("\(folder)/Transcripts").map(\.notes) == [[note]])
    #expect(Transcripts.in("\(folder)/other").map(\.notes) == [[]])
  }

  @Test func `an issue shows the difference and how to accept it`() throws {
    let mismatch = #expect(throws: TranscriptMismatch.self) {
      try transcript("> now\n  1.000s\n").replay(with: [])
    }
    let issue = try #require(mismatch.flatMap { TranscriptIssue.issues(of: $0).first })

    #expect(issue.text.contains("\n > now\n-  1.000s\n+  0.000s\n"))
    #expect(issue.text.contains("\nto accept: swift run Shell test --update "))
  }

  @Test func `an error about a whole file is an issue at its first line`() throws {
    let mismatch = #expect(throws: TranscriptMismatch.self) {
      try Transcripts.in("nowhere/at/all").first?.replay(with: [])
    }
    let issue = try #require(mismatch.flatMap { TranscriptIssue.issues(of: $0).first })

    #expect(issue.location.line == 1)
    #expect(issue.location.filePath.hasPrefix("/"))
  }

  @Test func `a transcript is identified by its path`() throws {
    let transcript = try transcript("> now\n")
    let encoded = try JSONEncoder().encode(Encoded(transcript: transcript))

    #expect(String(decoding: encoded, as: UTF8.self).contains("a.transcript"))
  }

  private struct Encoded: Encodable {
    let transcript: Transcript

    func encode(to encoder: any Encoder) throws { try transcript.encodeTestArgument(to: encoder) }
  }

  // MARK: Crashes

  @Test func `a transcript that expects a crash is an issue, and does not crash the tests`() throws
  {
    let text = "> now\n  0.000s\n> simulate crash\n  error: crashed, by a trap\n"
    let mismatch = #expect(throws: TranscriptMismatch.self) {
      try transcript(text).replay(with: [])
    }
    let issue = try #require(mismatch.flatMap { TranscriptIssue.issues(of: $0).first })

    #expect(issue.location.line == 4)
    #expect(
      issue.text.contains(
        "it is expected to end its own process\nhint: replay it with the 'test' command of a shell"
      )
    )
  }

  @Test func `the message of a crash names the replayed transcripts`() {
    #expect(CrashWords.text([]) == nil)
    #expect(CrashWords.text(["a"])?.hasSuffix("in this transcript:\na") == true)
    #expect(
      CrashWords.text(["a\n", "b\n"])?.hasSuffix("in one of these transcripts:\na\nb\n") == true
    )
  }
}
