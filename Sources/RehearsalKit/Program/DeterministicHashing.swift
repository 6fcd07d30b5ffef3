import LibC
import Staging

/// Hashing without random seeds.
///
/// Swift seeds its hashing randomly in each process, so code that iterates over a dictionary would behave
/// differently in each run. Only the start of a process can change that: in the runtime, or else by an environment
/// variable and a restart.
enum DeterministicHashing {
  private static let variable = "SWIFT_DETERMINISTIC_HASHING"

  /// Turns random seeds off. Call it before anything is hashed. It may restart the program, but not for `--help` and
  /// `--version`.
  static func ensure() {
    if Hashing.makeDeterministic() { return }
    let words = CommandLine.arguments.dropFirst()
    guard getenv(variable) == nil, words.first != "--version", words.first != "--help" else {
      return
    }
    setenv(variable, "1", 1)
    #if os(Linux)
    // If this fails, the program continues, and the order in dictionaries is random.
    execv("/proc/self/exe", CommandLine.unsafeArgv)
    #else
    execvp(CommandLine.unsafeArgv[0], CommandLine.unsafeArgv)
    #endif
  }
}
