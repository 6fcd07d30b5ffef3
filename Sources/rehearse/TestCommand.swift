import ArgumentParser
import Rehearsal

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Replay transcripts."
  )
  func run() throws {}
}
