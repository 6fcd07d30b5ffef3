extension Recording {
  /// What a recording does not have any more, since its session went on for too long.
  public struct Omission: Codable, Sendable, Equatable {
    /// When the others began.
    public internal(set) var until = Duration.zero
    /// How many of the oldest events, as they happened.
    public internal(set) var events = 0
    /// How many of the oldest commands.
    public internal(set) var records = 0
    /// How many lanes that nothing happens in any more.
    public internal(set) var lanes = 0
    /// How many of the events that are there only say what was going on then: they are older, and no state
    /// changes by them.
    public internal(set) var beginnings = 0

    private enum CodingKeys: String, CodingKey {
      case until, events, lanes, beginnings
      case records = "passages"
    }

    /// Nothing is missing.
    public init() {}

    /// Decodes what is missing; of what the JSON does not name, nothing is.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      until = try fields.decode(Duration.self, forKey: .until)
      events = try fields.decodeIfPresent(Int.self, forKey: .events) ?? 0
      records = try fields.decodeIfPresent(Int.self, forKey: .records) ?? 0
      lanes = try fields.decodeIfPresent(Int.self, forKey: .lanes) ?? 0
      beginnings = try fields.decodeIfPresent(Int.self, forKey: .beginnings) ?? 0
    }

    /// What a picture says of it that begins at `start`; nil where nothing of it is missing.
    package func note(inPictureFrom start: Duration = .zero, inWords: (Duration) -> String)
      -> String?
    {
      guard events > 0, start <= until else { return nil }
      return
        "\(events) earlier event\(events == 1 ? "" : "s") left out, up to \(inWords(until))"
    }
  }

  /// Leaves out the oldest events and command records, and the lanes in which nothing is left.
  ///
  /// Every lane begins in the state that it was in then. Of an attempt that was going on its beginning
  /// stays, as an event that changes no state.
  ///
  /// - Parameters:
  ///   - eventCount: how many events stay, beside the beginnings of attempts that were going on.
  ///   - recordCount: how many command records stay.
  ///   - living: the lanes that stay in any case.
  /// - Returns: the indices of the lanes that stay.
  package mutating func omit(
    keepingEvents eventCount: Int,
    records recordCount: Int,
    lanes living: Set<Int>
  ) -> [Int] {
    // Beginnings that were kept before stand in front of what is counted.
    let surplus = events.count - omitted.beginnings - eventCount
    let goneEvents = surplus > 0 ? omitted.beginnings + surplus : 0
    let goneRecords = max(0, records.count - recordCount)
    let beginnings = settle(first: goneEvents)
    let shift = goneEvents - beginnings.count
    events.replaceSubrange(..<goneEvents, with: beginnings)
    records.removeFirst(goneRecords)
    for index in records.indices {
      records[index].firstEvent = max(0, records[index].firstEvent - shift)
    }
    for index in events.indices {
      events[index].cause = events[index].cause.flatMap {
        $0 < goneRecords ? nil : $0 - goneRecords
      }
    }
    omitted.records += goneRecords
    if goneEvents > 0 {
      omitted.events += surplus
      omitted.beginnings = beginnings.count
      omitted.until = events.dropFirst(omitted.beginnings).first?.time ?? end
    }
    return keepLanes(living)
  }

  /// Gives lanes the states that the first events have left them in.
  ///
  /// - Returns: how the attempts began that were still going on, and that they counted no longer.
  private mutating func settle(first count: Int) -> [Event] {
    var open: [[Int: [Int: Event]]] = Array(repeating: [:], count: lanes.count)
    for (index, event) in events.prefix(count).enumerated() {
      lanes[event.lane].follow(event)
      if event.kind == .forgotten { open[event.lane] = [:] }
      if let replaced = event.replaced {
        open[event.lane][replaced]?[index] = event.asPast(.cancelled, of: replaced)
      }
      guard let attempt = event.attempt else { continue }
      switch event.kind {
      case .started(_, let silently):
        let kind = Kind.started(replacing: nil, silently: silently)
        open[event.lane][attempt] = [index: event.asPast(kind, of: attempt)]
      case .queued: open[event.lane][attempt] = [index: event.asPast(.queued, of: attempt)]
      case .ended: open[event.lane][attempt] = nil
      case let kind where kind.releases:
        open[event.lane][attempt]?[index] = event.asPast(.cancelled, of: attempt)
      default: break
      }
    }
    // The start of one attempt may be the end of another, which was there before.
    return open.flatMap(\.values).joined()
      .sorted { ($0.key, $0.value.attempt ?? 0) < ($1.key, $1.value.attempt ?? 0) }.map(\.value)
  }

  /// Leaves out lanes without events, but for `living`; the others are counted anew.
  private mutating func keepLanes(_ living: Set<Int>) -> [Int] {
    var stays = living
    for event in events { stays.insert(event.lane) }
    for lane in stays { lanes[lane].owner.map { _ = stays.insert($0) } }
    let kept = stays.sorted()
    guard kept.count < lanes.count else { return kept }
    var places = [Int](repeating: 0, count: lanes.count)
    for (place, index) in kept.enumerated() { places[index] = place }
    omitted.lanes += lanes.count - kept.count
    lanes = kept.map { lanes[$0] }
    for index in lanes.indices { lanes[index].owner = lanes[index].owner.map { places[$0] } }
    for index in events.indices { events[index].lane = places[events[index].lane] }
    return kept
  }
}

extension Recording.Lane {
  fileprivate mutating func follow(_ event: Recording.Event) {
    initial = event.state ?? initial
    if phase != nil { phase = event.phase ?? phase }
    if case .governed(let rules) = event.kind { machine = rules }
  }
}

extension Recording.Event {
  /// The attempt that it replaced.
  fileprivate var replaced: Int? {
    if case .started(let replaced, _) = kind { replaced } else { nil }
  }

  /// The same as something that was over before the recording begins: whatever that changed was before.
  fileprivate func asPast(_ kind: Recording.Kind, of attempt: Int) -> Self {
    Self(time: time, lane: lane, attempt: attempt, kind: kind, process: process, cause: cause)
  }
}
