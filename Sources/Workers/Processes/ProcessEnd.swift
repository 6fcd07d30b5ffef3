package import LibC

/// How a process ended.
package enum ProcessEnd: Equatable, Sendable {
  case status(Int)
  case signal(Int)

  private init(_ status: Int32) {
    let signal = Int(status & 0x7F)
    self = signal == 0 ? .status(Int(status >> 8 & 0xFF)) : .signal(signal)
  }

  /// Waits for a child of this process; nil if it is still running and `blocking` is false.
  package static func wait(for child: Int32, blocking: Bool) -> ProcessEnd? {
    var usage = rusage()
    return wait(for: child, blocking: blocking, usage: &usage)
  }

  /// Waits for a child of this process, and returns the resources that it used.
  package static func wait(
    for child: Int32,
    blocking: Bool,
    usage: inout rusage
  ) -> ProcessEnd? {
    var status: Int32 = 0
    while true {
      let found = wait4(child, &status, blocking ? 0 : WNOHANG, &usage)
      if found == 0 { return nil }
      if found == child { return ProcessEnd(status) }
      if errno != EINTR { return .status(-1) }
    }
  }
}
