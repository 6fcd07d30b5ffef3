#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Swift seeds its hashing anew in each process, so code that walks a dictionary would behave
/// differently in each run. Only the environment can switch that off, and only at the start.
enum DeterministicHashing {
  private static let variable = "SWIFT_DETERMINISTIC_HASHING"

  /// Starts this program over with the variable set, once, unless it will only say what it is.
  static func ensure() {
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
