import ArgumentParser
import Exploring
import Harness
import LibC
import Rehearsal
import Script
import Workers

/// The hidden subcommand of the search process, which a shell starts.
struct SearchServiceCommand: ParsableCommand {
  static let name = "explore-session"

  static let configuration = CommandConfiguration(
    commandName: name,
    _superCommandName: ThisProgram.current.name,
    abstract: "Run the commands of a shell's session under many schedules.",
    shouldDisplay: false
  )

  func run() throws {
    guard let search = try? MessageCoding.decode(SessionSearch.self, from: Self.readInput()[...])
    else {
      StandardStreams.complain(
        "error: '\(Self.name)' is for internal use; type 'explore' in the shell"
      )
      throw ProgramExit.usage.asError
    }
    guard let rendered = StopSignals.listening({ rendered(search) }) else {
      throw ProgramExit.harness.asError
    }
    Self.send(.end(rendered))
  }

  /// Returns the result; nil if no worker can be started.
  private func rendered(_ search: SessionSearch) -> SessionSearch.Rendered? {
    search.inWorkers(count: ProcessControl.processorCount) {
      if Self.isAbandoned { ThisProgram.end(with: ProgramExit.harness.rawValue) }
    } report: {
      Self.send(.progress($0))
    }
  }

  /// Whether the shell no longer reads the output.
  private static var isAbandoned: Bool {
    var polled = pollfd(fd: 1, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Sends a message. Ends the process if the shell no longer reads it.
  private static func send(_ news: SearchNews) {
    do throws(FileProblem) {
      try FileBytes.write(MessageFrame.bytes(news), to: 1)
    } catch {
      ThisProgram.end(with: ProgramExit.harness.rawValue)
    }
  }

  private static func readInput() -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = Descriptor.readChunk(0) { bytes += chunk }
    return bytes
  }
}
