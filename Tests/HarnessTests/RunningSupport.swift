import Foundation
import Testing

/// A run in the host program of the tests, which has one thread and can therefore have workers.
struct HostRun: Equatable {
  var code: Int32
  var text: String

  init(code: Int32, text: String) {
    self.code = code
    self.text = text
  }

  /// The path of the host program.
  static func program() throws -> URL {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folders = [program, URL(fileURLWithPath: CommandLine.arguments[0])]
      .map { $0.deletingLastPathComponent() }
    let host = folders.map { $0.appendingPathComponent("RunnerHost") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return try #require(host, "the host was not built beside the tests")
  }

  init(in folder: TemporaryFolder, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = try Self.program()
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    code = process.terminationStatus
    text = String(decoding: data, as: UTF8.self)
  }
}
