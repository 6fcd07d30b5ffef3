/// Two recordings laid over each other: where they part, and how they end.
public struct RecordingDifference: Sendable {
  let recordings: (a: Recording, b: Recording)
  let pairs: [LanePair]
  /// The first moment at which not the same happens; nil where the same happens all along.
  let parting: Parting?
  /// What happens where they part. At least one of the two has an event then.
  struct Parting {
    let time: Duration
    let a: Happening?
    let b: Happening?
  }

  /// An event that the other recording does not have.
  struct Happening {
    let lane: String
    let event: Recording.Event
    /// The command that told it to happen.
    let command: String?
  }

  /// Compares what happens in two recordings; which commands brought it about does not count.
  ///
  /// - Parameters:
  ///   - a: the first recording.
  ///   - b: the second recording.
  public init(_ a: Recording, _ b: Recording) {
    recordings = (a, b)
    pairs = LanePair.pairs(of: a, b)
    parting = Self.firstDifference(of: a, b, pairs)
  }

  /// Whether both have the same events and the same lanes. False if something was not performed or is left out, because
  /// its events are unknown.
  public var isSame: Bool { hasSameEvents && leftOut == nil && areWhole }

  /// Whether both performed everything in their files.
  private var areWhole: Bool {
    recordings.a.unperformed.isEmpty && recordings.b.unperformed.isEmpty
  }

  /// Whether no difference is known.
  var hasSameEvents: Bool { parting == nil && pairs.allSatisfy(\.isSame) }

  /// The note about events that cannot be compared, because a long session left them out; nil for none.
  var leftOut: String? {
    let (a, b) = (recordings.a.omitted.events, recordings.b.omitted.events)
    guard a > 0 || b > 0 else { return nil }
    return "not compared: the earliest events, which are left out, \(a) of a and \(b) of b"
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

  /// Points at where they part; nil where the same happens all along.
  public var pointer: Pointer? { parting.map { Pointer("here they part", at: $0.time) } }

  /// Both as one recording: lanes in which the same happens once, the others twice, as `profile a` and
  /// `profile b`.
  public var overlaid: Recording {
    overlay.recording
  }

  private var overlay: RecordingOverlay { RecordingOverlay(pairs, recordings.a, recordings.b) }

  /// Draws both as one: what stands at the same place in both runs stands there in the picture, and
  /// something points at where they part.
  public func text(as format: TimelineFormat, _ drawing: TimelineFormat.Drawing) -> String {
    let overlay = overlay
    var drawing = drawing
    drawing.together = overlay.together
    drawing.pointer = pointer
    return format.text(of: overlay.recording, drawing)
  }
}

extension Recording {
  /// An event with whoever told it to happen: itself, or the attempt that it belongs to.
  fileprivate func happening(_ index: Int) -> RecordingDifference.Happening? {
    guard index < events.count else { return nil }
    let event = events[index]
    let told = events[...index].last {
      $0.lane == event.lane && $0.attempt == event.attempt && $0.cause != nil
    }
    return RecordingDifference.Happening(
      lane: lanes[event.lane].name,
      event: event,
      command: told?.cause.map { records[$0].command }
    )
  }
}
