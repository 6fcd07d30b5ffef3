import Harness
import PublishedScenes
import Rehearsal
import Testing
import TranscriptTesting

/// The transcripts of the scenes that have a twin with published code.
@Suite struct TwinTests {
  private static let names = PublishedScenes.twins.map(\.name)

  /// The transcripts that begin one of the scenes.
  private static let transcripts = Transcripts.in("transcripts/scenes").filter { transcript in
    transcript.commands.contains { command in
      names.contains { command == "scene \($0)" }
    }
  }

  @Test(arguments: transcripts)
  func `a transcript of a scene passes with its published code`(transcript: Transcript) {
    transcript.check(with: PublishedScenes.all)
  }

  @Test func `every scene with published code has transcripts`() {
    let commands = Set(Self.transcripts.flatMap(\.commands))
    #expect(Self.names.count == 5)
    #expect(Self.names.allSatisfy { commands.contains("scene \($0)") })
    #expect(Self.transcripts.count > 40)
  }

  @Test func `the help of a twin names its schedulers`() {
    for scene in PublishedScenes.twins {
      #expect(scene.details[0].contains("hard-coded"))
    }
  }
}
