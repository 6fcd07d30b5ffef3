import LibC

/// Signals by what they mean to someone who reads a failure, alike on all processors: a trap has one number or another.
package enum SignalName {
  package static func of(_ signal: Int) -> String {
    switch Int32(exactly: signal) {
    case SIGILL, SIGTRAP: "a trap"
    case SIGSEGV, SIGBUS: "a bad memory access"
    case SIGABRT: "an abort"
    case SIGFPE: "a bad calculation"
    case SIGKILL: "a kill (signal \(signal)), perhaps for lack of memory"
    default: "signal \(signal)"
    }
  }
}
