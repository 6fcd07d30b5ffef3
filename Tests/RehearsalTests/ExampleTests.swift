import NetworkAccess
import Scenes
import Script
import Testing

@testable import Rehearsal

/// The examples in the help are transcripts, and they replay.
@Suite struct ExampleTests {
  @Test(arguments: ShellCommands.table.verbs)
  func `the examples of a command replay`(verb: String) throws {
    let index = try #require(ShellCommands.table.index(of: verb))
    for (number, text) in ShellCommands.all[index].definition.examples.enumerated() {
      let path = "help \(verb), example \(number + 1)"
      let transcript = Transcript(path: path, bytes: Array((text + "\n").utf8))
      let failures = transcript.replay {
        SessionPerformer(fixtures: $0, folder: $1, network: .sockets(), scenes: Scenes.all)
      }
      #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
    }
  }

  @Test func `every command except simulate has an example`() {
    let without = ShellCommands.all.filter(\.definition.examples.isEmpty).map(\.definition.verb)
    #expect(without == ["simulate"])
  }

  @Test func `a wrong example fails`() {
    let transcript = Transcript(path: "wrong", bytes: Array("> now\n  0.001s\n".utf8))
    #expect(
      transcript.replay {
        SessionPerformer(fixtures: $0, folder: $1, network: .sockets(), scenes: Scenes.all)
      }.count
        == 1
    )
  }
}
