import Foundation
import Testing

/// The files after a run was killed during an update.
@Suite struct KillingTests {
  private static let names = (0..<12).map { "\($0).transcript" }.sorted()
  private static let old = "> echo new\n  old\n"
  private static let new = "> echo new\n  new\n"

  @Test(arguments: 0..<20)
  func `a killed update leaves the old or the new file`(moment: Int) throws {
    let folder = try TemporaryFolder()
    for name in Self.names { try folder.write(name, Self.old) }

    try update(folder, killingAfter: UInt32(moment) * 2_000)
    for name in Self.names {
      #expect([Self.old, Self.new].contains(try folder.text(name)))
    }
    try update(folder, killingAfter: nil)
    #expect(try folder.names == Self.names)
    for name in Self.names { #expect(try folder.text(name) == Self.new) }
  }

  @Test func `the next update removes the leftovers of a killed run, even if nothing differs`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", Self.new)
    try folder.write(".a.transcript.new", "hal")

    try update(folder, killingAfter: nil)
    #expect(try folder.names == ["a.transcript"])
  }

  @Test(arguments: ["> hang\n", "> block\n", "> nest hang\n"], [0, 20_000, 100_000])
  func `workers end when their runner ends`(text: String, delay: UInt32) throws {
    let folder = try TemporaryFolder()
    for name in Self.names { try folder.write(name, text) }
    // This descriptor is never redirected, so the pipe closes with the last of the processes.
    let arguments = ["-c", "exec \"$0\" \"$@\" 3>&1", try HostRun.program().path]
    let host = Process()
    host.executableURL = URL(fileURLWithPath: "/bin/sh")
    host.arguments = arguments + ["--jobs", "2", "--check-determinism", "."]
    host.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let pipe = Pipe()
    host.standardOutput = pipe
    try host.run()
    usleep(delay)  // It is killed at a moment of real time, whatever it does then.
    kill(host.processIdentifier, SIGKILL)
    host.waitUntilExit()

    var polled = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: 0, revents: 0)
    #expect(poll(&polled, 1, 10_000) == 1)
  }

  /// Updates a folder in a separate process, and kills it after a number of microseconds. Returns when its workers, which
  /// hold the pipe, have also ended.
  private func update(_ folder: TemporaryFolder, killingAfter delay: UInt32?) throws {
    let process = Process()
    process.executableURL = try HostRun.program()
    process.arguments = ["--update", "."]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    if let delay {
      usleep(delay)  // It is killed at a moment of real time, whatever it does then.
      kill(process.processIdentifier, SIGKILL)
    }
    _ = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
  }
}
