import LibC
import Rehearsal

/// The running program, as its author describes it.
struct ThisProgram: Sendable {
  static let libraryVersion = "0.1.0"
  /// The date of that version, for the manual.
  static let date = "2026-11-21"

  let name: String
  let version: String
  /// The version, and the build if it is not the optimised one.
  var versionOfBuild: String {
    #if DEBUG
    version + " (debug build)"
    #else
    version
    #endif
  }
  let abstract: String
  let scenes: [Scene]

  // Written once, by `introduce`, before there is a second thread.
  nonisolated(unsafe) private static var introduced: ThisProgram?

  /// Sets the running program. Call it before anything else.
  static func introduce(_ program: ThisProgram) {
    precondition(
      !program.name.isEmpty
        && program.name.unicodeScalars.allSatisfy { $0 != "/" && $0.value >= 0x20 },
      "The name of a program is also a file name: not empty, without slashes and control characters."
    )
    introduced = program
    ProgramName.introduce(program.name) { PackageShell.command(of: program.name) }
  }

  static var current: ThisProgram {
    guard let introduced else {
      preconditionFailure("'introduce' must be called first.")
    }
    return introduced
  }

  /// Ends the program without a message. The argument parser would first describe all commands, to find that an exit code
  /// has no message.
  static func end(with code: Int32) -> Never {
    CrashNotice.prepare(nil, recording: nil)
    exit(code)
  }

  /// The path of the program, to start it again; nil if the system does not report it.
  static var path: String? {
    #if os(Linux)
    "/proc/self/exe"
    #else
    nil
    #endif
  }
}
