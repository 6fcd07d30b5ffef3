import Staging

/// What a host gives to its sessions.
struct SessionEnvironment {
  var network = SessionNetwork.none
  var scenes: [Scene] = []
  /// Where a session searches; nil if it does so itself.
  var isolatedSearch: (any IsolatedSearch)?
  /// The progress of a script, a search or `undo`.
  var progress = WorkProgress()
}
