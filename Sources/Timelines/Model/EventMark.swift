/// A symbol on a bar for an event at one moment.
///
/// A legend explains the cases in this order.
enum EventMark: CaseIterable, Hashable {
  case started, replaced, restarted, left
  case queued, refused
  case yielded, interrupted, retrying
  case succeeded, failed, empty
  case cancelled, reset, assigned, changed, performed
  case dropped, forgotten
  case entered, open, several

  /// The text for a legend, nil if the picture explains itself.
  var meaning: String? {
    switch self {
    case .started, .left: nil
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
    case .performed: "command"
    case .dropped: "too late, dropped"
    case .forgotten: "forgotten"
    case .entered: "began earlier"
    case .open: "still going on"
    case .several: "several in one column"
    }
  }
}

extension Recording.Kind {
  /// Whether the attempt's bar ends here.
  var ends: Bool {
    if case .ended = self { true } else { false }
  }

  /// Whether the attempt loses its influence on the state here.
  var releases: Bool {
    switch self {
    case .cancelled, .reset, .assigned, .stopped(_, pending: false): true
    case .started, .queued, .refused, .yielded, .interrupted, .retrying, .stopped, .ended,
      .changed, .governed, .forgotten:
      false
    }
  }
}

extension EventMark {
  init(_ kind: Recording.Kind) {
    switch kind {
    case .started: self = .started
    case .queued: self = .queued
    case .refused: self = .refused
    case .yielded(let dropped): self = dropped ? .dropped : .yielded
    case .interrupted: self = .interrupted
    case .retrying: self = .retrying
    case .stopped(_, pending: true): self = .cancelled
    case .stopped(let end, pending: false): self = EventMark(end)
    case .ended(.cancelled, dropped: true): self = .cancelled
    case .ended(_, dropped: true): self = .dropped
    case .ended(let end, dropped: false): self = EventMark(end)
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

/// The line style of a bar between two marks.
enum Stroke: CaseIterable, Hashable {
  /// In flight, and the state shows it.
  case visible
  /// In flight, and the state does not show it.
  case silent
  /// Cancelled, replaced or stopped; the block is still running.
  case released
  /// Queued, not begun yet.
  case waiting

  /// The text for a legend, nil if the picture explains itself.
  var meaning: String? {
    switch self {
    case .visible: nil
    case .silent: "silent"
    case .released: "no longer counts"
    case .waiting: "waiting"
    }
  }
}

extension Recording.Phase {
  /// The text for a legend.
  var meaning: String {
    switch self {
    case .resting: "at rest"
    case .inFlight: "in flight"
    case .succeeded: "succeeded"
    case .failed: "failed"
    }
  }
}
