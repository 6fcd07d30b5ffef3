import Foundation
import Testing

/// What a run leaves behind that was killed while it updated.
@Suite struct KillingTests {
  private static let names = (0..<12).map { "\($0).transcript" }.sorted()
  private static let old = "> echo new\n  old\n"
  private static let new = "> echo new\n  new\n"

  @Test(arguments: 0..<20)
  func `a file is old or new as a whole whenever its update is killed`(moment: Int) throws {
    let folder = try TemporaryFolder()
    for name in Self.names { try folder.write(name, Self.old) }

    try update(folder, killingAfter: UInt32.random(in: 0..<40_000))
    for name in Self.names {
      #expect([Self.old, Self.new].contains(try folder.text(name)))
    }
    try update(folder, killingAfter: nil)
    #expect(try folder.names == Self.names)
    for name in Self.names { #expect(try folder.text(name) == Self.new) }
  }

  @Test func `what a killed run left goes with the next update, also where nothing differs`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", Self.new)
    try folder.write(".a.transcript.new", "hal")

    try update(folder, killingAfter: nil)
    #expect(try folder.names == ["a.transcript"])
  }

  /// Updates a folder in a process of its own, and kills it after so many microseconds. Returns when its
  /// workers have ended as well: they hold the pipe.
  private func update(_ folder: TemporaryFolder, killingAfter delay: UInt32?) throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folders = [program, URL(fileURLWithPath: CommandLine.arguments[0])]
      .map { $0.deletingLastPathComponent() }
    let host = folders.map { $0.appendingPathComponent("RunnerHost") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    let process = Process()
    let found: URL = try #require(host, "the host was not built beside the tests")
    process.executableURL = found
    process.arguments = ["--update", "."]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    if let delay {
      usleep(delay)
      kill(process.processIdentifier, SIGKILL)
    }
    _ = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
  }
}
