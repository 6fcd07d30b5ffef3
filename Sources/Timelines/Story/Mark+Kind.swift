extension Recording.Kind {
  /// Whether the attempt's bar ends here.
  var ends: Bool {
    if case .ended = self { true } else { false }
  }

  /// Whether the attempt no longer counts from here on.
  var releases: Bool {
    switch self {
    case .cancelled, .reset, .assigned, .stopped(_, pending: false): true
    case .started, .queued, .refused, .yielded, .interrupted, .retrying, .stopped, .ended,
      .changed, .governed, .forgotten:
      false
    }
  }
}

extension Mark {
  init(_ kind: Recording.Kind) {
    switch kind {
    case .started: self = .started
    case .queued: self = .queued
    case .refused: self = .refused
    case .yielded(let dropped): self = dropped ? .dropped : .yielded
    case .interrupted: self = .interrupted
    case .retrying: self = .retrying
    case .stopped(_, pending: true): self = .cancelled
    case .stopped(let end, pending: false): self = Mark(end)
    case .ended(.cancelled, dropped: true): self = .cancelled
    case .ended(_, dropped: true): self = .dropped
    case .ended(let end, dropped: false): self = Mark(end)
    case .cancelled: self = .cancelled
    case .reset: self = .reset
    case .assigned: self = .assigned
    case .changed, .governed: self = .changed
    case .forgotten: self = .forgotten
    }
  }

  private init(_ end: Recording.End) {
    switch end {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    case .reset: self = .reset
    case .empty: self = .empty
    }
  }
}
