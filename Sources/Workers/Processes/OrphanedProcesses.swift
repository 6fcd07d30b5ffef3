internal import CForking
import LibC

/// The processes that workers have started, and that are left when the workers have ended, such as the helper for HTTPS
/// of a killed worker. On Linux this process inherits them; elsewhere the system does.
struct OrphanedProcesses {
  /// The children that this process had before.
  private let others: Set<pid_t>

  /// Makes this process inherit them from now on.
  init() {
    others = Set(Self.children)
    _ = cfk_inherit_orphans()
  }

  /// Ends them and waits for them, so that none continues or stays as a zombie. All workers must have ended.
  func end() {
    // The children of an ended process are found in the next round.
    while true {
      let orphans = Self.children.filter { !others.contains($0) }
      if orphans.isEmpty { return }
      for process in orphans {
        kill(process, SIGKILL)
        _ = ProcessEnd.wait(for: process, blocking: true)
      }
    }
  }

  /// The children of this process. Looked up only if there are any.
  private static var children: [pid_t] {
    var information = siginfo_t()
    let hasChildren = waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
    return hasChildren ? ProcessActivity.children(of: getpid()) : []
  }
}
