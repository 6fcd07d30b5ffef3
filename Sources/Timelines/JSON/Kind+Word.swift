extension Recording.Kind {
  /// As programs read it, without its details.
  var word: String {
    switch self {
    case .started: "started"
    case .queued: "queued"
    case .refused: "refused"
    case .yielded: "yielded"
    case .interrupted: "interrupted"
    case .retrying: "retrying"
    case .stopped: "stopped"
    case .ended: "ended"
    case .cancelled: "cancelled"
    case .reset: "reset"
    case .assigned: "assigned"
    case .changed: "changed"
    case .governed: "governed"
    case .forgotten: "forgotten"
    }
  }
}
