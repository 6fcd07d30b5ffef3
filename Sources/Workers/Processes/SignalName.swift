import LibC

/// Describes signals by their meaning, equally on all processors, which use different signals for a trap.
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
