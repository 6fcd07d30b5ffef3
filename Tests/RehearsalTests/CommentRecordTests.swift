import Testing

@testable import Rehearsal

@Suite struct CommentRecordTests {
  @Test func `a comment on its own line is kept in logs and transcripts`() throws {
    let files = MemoryFiles()
    let host = SessionHost(files: files) { _ in }
    for command in ["# What it proves.", "record a.transcript", "now  # time", "", " # And then."] {
      host.perform(command)
    }
    host.perform("save b.transcript all")
    host.end()
    for name in ["a.transcript", "b.transcript"] {
      let bytes = try host.stage.enter { try files.read(name) }
      #expect(
        String(decoding: bytes, as: UTF8.self)
          == "# What it proves.\n> now  # time\n  0.000s\n# And then.\n"
      )
    }
  }
}
