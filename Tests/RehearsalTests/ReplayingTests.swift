import Testing

@testable import Harness
@testable import Rehearsal

/// Transcripts of a package under `swift test`.
@Suite struct ReplayingTests {
  private static let scenes = [
    Scene("counter", "Nothing much.") { _ in }
  ]

  private func transcript(_ text: String) -> Transcript {
    Transcript(path: "a.transcript", bytes: Array(text.utf8))
  }

  @Test func `a transcript that passes throws nothing`() throws {
    try transcript("> scenes\n  counter  Nothing much.\n").replay(with: Self.scenes)
  }

  @Test func `a mismatch is thrown with its place first, and how to accept it`() throws {
    var transcript = transcript("# Ten.\n> wait 1s\n> now\n  10.000s\n")
    transcript.program = "Shell"
    let mismatch = #expect(throws: TranscriptMismatch.self) {
      try transcript.replay(with: Self.scenes)
    }

    #expect(
      mismatch?.description == """
        a.transcript:4: output differs
         > now
        -  10.000s
        +  1.000s
        note: only times differ (each 9s earlier)
        to accept: swift run Shell test --update a.transcript

        """
    )
    #expect(mismatch?.failures.map(\.line) == [4])
  }

  @Test func `without a program there is no hint to run one`() throws {
    let mismatch = #expect(throws: TranscriptMismatch.self) {
      try transcript("> now\n  1s\n").replay(with: [])
    }

    #expect(mismatch?.description.contains("\n+  0.000s\n") == true)
    #expect(mismatch?.description.contains("to accept") == false)
  }

  @Test func `a folder is found in the package of the source file that names it`() {
    let found = Transcripts.in("transcripts/runner")
    let source = #filePath

    #expect(found.count > 5)
    #expect(PackageFolder.path(of: "/tmp/a", besides: source) == "/tmp/a")
    #expect(PackageFolder.path(of: "a", besides: "/nowhere/Tests/A.swift") == "a")
  }
}
