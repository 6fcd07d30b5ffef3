import Foundation
import PseudoTerminal

/// A temporary folder for a test and its program. It is removed with the last reference.
final class Workplace: Sendable {
  let path: String
  private let program: String

  // `program` is the executable.
  init(program: String = "rehearse") throws {
    self.program = program
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    path = folder.path + "/rehearse-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // A test may have removed the permission.
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path + "/" + name,
      withIntermediateDirectories: true
    )
  }

  /// Returns the text of a file; empty if there is no file.
  func read(_ name: String) -> String {
    String(
      decoding: FileManager.default.contents(atPath: path + "/" + name) ?? Data(),
      as: UTF8.self
    )
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func permissions(of name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return attributes[.posixPermissions] as? Int
  }

  /// The environment of programs: nothing is inherited, and the history is in this folder.
  var environment: [String: String] {
    [
      "HOME": path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TERM": "xterm",
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  /// Arguments of `/bin/sh` that run the program in this folder.
  func shellArguments(
    _ arguments: [String],
    before: String = "",
    after: String = ""
  ) -> [String] {
    let run = after.isEmpty ? "exec \"$@\"" : "\"$@\"" + after
    return ["-c", "cd \"$0\" && \(before)\(run)", path, BuildProducts.path(of: program)]
      + arguments
  }

  /// Opens the program on a terminal.
  func terminal(
    _ arguments: [String] = [],
    environment more: [String: String] = [:],
    rows: Int = 24,
    columns: Int = 80
  ) throws -> TerminalSession {
    let session = try TerminalSession(
      "/bin/sh",
      arguments: shellArguments(arguments),
      environment: environment.merging(more) { $1 },
      rows: rows,
      columns: columns
    )
    session.companion = self
    return session
  }
}
