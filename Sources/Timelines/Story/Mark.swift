/// A sign on a bar: something that happened at one moment.
///
/// In the order in which a legend explains them.
enum Mark: CaseIterable, Hashable {
  case started, replaced, restarted
  case queued, refused
  case yielded, interrupted, retrying
  case succeeded, failed, empty
  case cancelled, reset, assigned, changed
  case dropped, forgotten
  case entered, open, several

  /// What a legend says; nil for what the picture shows by itself.
  var meaning: String? {
    switch self {
    case .started: nil
    case .replaced, .restarted: "replaced"
    case .queued: "queued"
    case .refused: "start refused"
    case .yielded: "yield"
    case .interrupted: "interrupt"
    case .retrying: "retry"
    case .succeeded: "answer"
    case .failed: "error"
    case .empty: "ended without a value"
    case .cancelled: "cancel"
    case .reset: "reset"
    case .assigned: "set by hand"
    case .changed: "change"
    case .dropped: "too late, dropped"
    case .forgotten: "forgotten"
    case .entered: "began earlier"
    case .open: "still going on"
    case .several: "several in one column"
    }
  }
}
