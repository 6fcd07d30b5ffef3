/// A comparison of two recordings: the first difference and the final states.
public struct RecordingDifference: Sendable {
  let recordings: (a: Recording, b: Recording)
  let pairs: [LanePair]
  /// The first moment at which the events differ, nil if all events are the same.
  let parting: Parting?
  /// The first difference. At least one of the two recordings has an event there.
  struct Parting {
    let time: Duration
    let a: Happening?
    let b: Happening?
  }

  /// An event that the other recording does not have.
  struct Happening {
    let lane: String
    let event: Recording.Event
    /// The command that caused the event.
    let command: String?
  }

  /// Compares the events of two recordings. The commands that caused them may differ.
  ///
  /// - Parameters:
  ///   - a: the first recording.
  ///   - b: the second recording.
  public init(_ a: Recording, _ b: Recording) {
    recordings = (a, b)
    pairs = LanePair.pairs(of: a, b)
    parting = Self.firstDifference(of: a, b, pairs)
  }

  /// Whether both have the same events and the same lanes. False if commands were not performed or
  /// events were left out, because the missing events are unknown.
  public var isSame: Bool { hasSameEvents && leftOut == nil && areWhole }

  /// Whether both runs performed every command of their files.
  private var areWhole: Bool {
    recordings.a.unperformed.isEmpty && recordings.b.unperformed.isEmpty
  }

  /// Whether the known events and lanes are the same.
  var hasSameEvents: Bool { parting == nil && pairs.allSatisfy(\.isSame) }

  /// A note about events that cannot be compared because a long session left them out, or nil.
  var leftOut: String? {
    let (a, b) = (recordings.a.omitted.events, recordings.b.omitted.events)
    guard a > 0 || b > 0 else { return nil }
    return "not compared: the earliest events, which were left out (\(a) of a, \(b) of b)"
  }

  private static func firstDifference(
    of a: Recording,
    _ b: Recording,
    _ pairs: [LanePair]
  ) -> Parting? {
    var counterparts = [Int?](repeating: nil, count: a.lanes.count)
    for pair in pairs {
      if let lane = pair.lanes.a { counterparts[lane] = pair.lanes.b }
    }
    let common = zip(a.events, b.events).prefix {
      counterparts[$0.lane] == $1.lane && $0.isLike($1)
    }
    let index = common.count
    let (first, second) = (a.happening(index), b.happening(index))
    guard let time = [first?.event.time, second?.event.time].compactMap(\.self).min() else {
      return nil
    }
    return Parting(
      time: time,
      a: first?.event.time == time ? first : nil,
      b: second?.event.time == time ? second : nil
    )
  }

  /// Points at the first difference; nil if all events are the same.
  public var pointer: Pointer? { parting.map { Pointer("first difference", at: $0.time) } }

  /// Both as one recording. Lanes with the same events appear once, the others twice, as `profile
  /// a` and `profile b`.
  public var overlaid: Recording {
    overlay.recording
  }

  private var overlay: RecordingOverlay { RecordingOverlay(pairs, recordings.a, recordings.b) }

  /// Whether both have the same events at the instant of the first difference, in another order.
  private var differsInOrder: Bool {
    guard let time = parting?.time else { return false }
    var counterparts: [Int: Int] = [:]
    for pair in pairs {
      if let lane = pair.lanes.b { counterparts[lane] = pair.lanes.a }
    }
    var left = recordings.a.events.filter { $0.time == time }
    let others = recordings.b.events.filter { $0.time == time }
    return left.count == others.count
      && others.allSatisfy { other in
        let match = left.firstIndex { counterparts[other.lane] == $0.lane && $0.isLike(other) }
        if let match { left.remove(at: match) }
        return match != nil
      }
  }

  /// Returns a picture of both recordings as one. Events that are the same in both share a
  /// position, and a pointer marks the first difference. If that is the order of events at one instant, the picture is
  /// widened, because on a linear axis the runs would look the same.
  public func text(as format: TimelineFormat, _ drawing: TimelineFormat.Drawing) -> String {
    let overlay = overlay
    var drawing = drawing
    drawing.together = overlay.together
    drawing.isWidened = drawing.isWidened || differsInOrder
    drawing.pointer = pointer
    return format.text(of: overlay.recording, drawing)
  }
}

extension Recording {
  /// Returns an event with the command that caused it or that began its attempt.
  fileprivate func happening(_ index: Int) -> RecordingDifference.Happening? {
    guard index < events.count else { return nil }
    let event = events[index]
    let origin = events[...index].last {
      $0.lane == event.lane && $0.attempt == event.attempt && $0.cause != nil
    }
    return RecordingDifference.Happening(
      lane: lanes[event.lane].name,
      event: event,
      command: origin?.cause.map { records[$0].command }
    )
  }
}
