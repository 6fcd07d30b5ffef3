import ArgumentParser
import Exploring
import Harness
import LibC
import Rehearsal
import Script
import Workers

/// What a shell starts to search for it; nobody types it.
struct SearchServiceCommand: ParsableCommand {
  static let name = "explore-session"

  static let configuration = CommandConfiguration(
    commandName: name,
    _superCommandName: ThisProgram.current.name,
    abstract: "Perform what a shell's session was told under many schedules.",
    shouldDisplay: false
  )

  func run() throws {
    guard let search = try? MessageCoding.decode(SessionSearch.self, from: Self.readInput()[...])
    else {
      StandardStreams.complain("error: '\(Self.name)' is for shells, which 'explore' in one starts")
      throw ProgramExit.usage.asError
    }
    guard let rendered = StopSignals.listening({ rendered(search) }) else {
      throw ProgramExit.harness.asError
    }
    Self.send(.end(rendered))
  }

  /// Nil where no worker can be started.
  private func rendered(_ search: SessionSearch) -> SessionSearch.Rendered? {
    search.inWorkers(count: ProcessControl.processorCount) {
      if Self.isAbandoned { ThisProgram.end(with: ProgramExit.harness.rawValue) }
    } report: {
      Self.send(.progress($0))
    }
  }

  /// Whether nobody reads any more what is found.
  private static var isAbandoned: Bool {
    var polled = pollfd(fd: 1, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Where nobody reads it any more, the search ends.
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
