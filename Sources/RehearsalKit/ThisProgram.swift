import LibC
import Rehearsal

/// The program that runs, as its author describes it.
struct ThisProgram: Sendable {
  static let libraryVersion = "0.1.0"
  /// Of that version, for the manual.
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

  /// Says who runs, before anything else happens.
  static func introduce(_ program: ThisProgram) {
    precondition(
      !program.name.isEmpty
        && program.name.unicodeScalars.allSatisfy { $0 != "/" && $0.value >= 0x20 },
      "The name of a program is a name of a file as well: not empty, without slashes and controls."
    )
    introduced = program
    ProgramName.introduce(program.name)
  }

  static var current: ThisProgram {
    guard let introduced else {
      preconditionFailure("A program says who it is before it does anything.")
    }
    return introduced
  }

  /// Ends it, with nothing left to say: the parser of arguments would describe its commands first, to
  /// find out that it has no words for an exit code.
  static func end(with code: Int32) -> Never {
    CrashNotice.prepare(nil, recording: nil)
    exit(code)
  }

  /// Its path, to start it once more; nil where the system does not say.
  static var path: String? {
    #if os(Linux)
    "/proc/self/exe"
    #else
    nil
    #endif
  }
}
