import Staging

/// The services that a host provides to its sessions.
struct SessionEnvironment {
  var network = SessionNetwork.none
  var scenes: [Scene] = []
  /// Runs searches in other processes; nil if the session searches itself.
  var isolatedSearch: (any IsolatedSearch)?
  /// The progress of a script, a search or `undo`.
  var progress = WorkProgress()
}
