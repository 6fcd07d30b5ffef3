import LibC
import Staging

/// Swift seeds its hashing anew in each process, so code that walks a dictionary would behave
/// differently in each run. That can be switched off only at the start: in the runtime, or where it does
/// not offer it, by the environment of a process that is started anew.
enum DeterministicHashing {
  private static let variable = "SWIFT_DETERMINISTIC_HASHING"

  /// Sees to it, before anything is hashed. Where that takes another start, there is one, unless the
  /// program will only say what it is.
  static func ensure() {
    if Hashing.makeDeterministic() { return }
    let words = CommandLine.arguments.dropFirst()
    guard getenv(variable) == nil, words.first != "--version", words.first != "--help" else {
      return
    }
    setenv(variable, "1", 1)
    #if os(Linux)
    // Where this fails the program goes on: only the order in dictionaries is lost.
    execv("/proc/self/exe", CommandLine.unsafeArgv)
    #else
    execvp(CommandLine.unsafeArgv[0], CommandLine.unsafeArgv)
    #endif
  }
}
