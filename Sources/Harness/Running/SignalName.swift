#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Signals by what they mean to someone who reads a failure.
enum SignalName {
  static func of(_ signal: Int) -> String {
    switch Int32(signal) {
    case SIGILL, SIGTRAP: "a trap (signal \(signal))"
    case SIGSEGV, SIGBUS: "a bad memory access (signal \(signal))"
    case SIGABRT: "an abort (signal \(signal))"
    case SIGFPE: "a bad calculation (signal \(signal))"
    case SIGKILL: "a kill (signal \(signal)), perhaps for lack of memory"
    default: "signal \(signal)"
    }
  }
}
