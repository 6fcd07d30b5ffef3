/// Discards the oldest events, commands and lanes of a recording, and writes the note about them.
extension Recording {
  /// The oldest part of a recording, which a long session discarded.
  public struct Omission: Codable, Sendable, Equatable {
    /// The start of the remaining part.
    public internal(set) var until = Duration.zero
    /// The number of discarded events.
    public internal(set) var events = 0
    /// The number of discarded commands.
    public internal(set) var records = 0
    /// The number of discarded lanes without any later event.
    public internal(set) var lanes = 0
    /// The number of remaining events that only describe attempts in flight at `until`. They are
    /// older than `until` and change no state.
    public internal(set) var beginnings = 0

    /// An omission of nothing.
    public init() {}

    /// Decodes the counts. A missing field counts as 0.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      until = try fields.decode(Duration.self, forKey: .until)
      events = try fields.decodeIfPresent(Int.self, forKey: .events) ?? 0
      records = try fields.decodeIfPresent(Int.self, forKey: .records) ?? 0
      lanes = try fields.decodeIfPresent(Int.self, forKey: .lanes) ?? 0
      beginnings = try fields.decodeIfPresent(Int.self, forKey: .beginnings) ?? 0
    }

    /// Returns a note for a picture that begins at `start`, nil if the picture lacks nothing.
    package func note(inPictureFrom start: Duration = .zero, inWords: (Duration) -> String)
      -> String?
    {
      guard events > 0, start <= until else { return nil }
      return
        "\(events) earlier event\(events == 1 ? "" : "s") left out, up to \(inWords(until))"
    }
  }

  /// Discards the oldest events and commands, and the lanes that become empty.
  ///
  /// Every lane then begins in the state it had at that time. For an attempt in flight, its
  /// beginning remains as an event that changes no state.
  ///
  /// - Parameters:
  ///   - eventCount: the number of events to keep, without the beginnings of attempts in flight.
  ///   - recordCount: the number of commands to keep.
  ///   - living: lanes to keep even if they are empty.
  /// - Returns: the indices of the lanes that stay.
  package mutating func omit(
    keepingEvents eventCount: Int,
    records recordCount: Int,
    lanes living: Set<Int>
  ) -> [Int] {
    // Beginnings that an earlier omission kept come first and do not count.
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

  /// Sets the lanes' initial states to those after the first events.
  ///
  /// - Returns: the beginnings of attempts in flight, and the events that released them.
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
    // An event may end one attempt and begin another; its position comes from the older one.
    return open.flatMap(\.values).joined()
      .sorted { ($0.key, $0.value.attempt ?? 0) < ($1.key, $1.value.attempt ?? 0) }.map(\.value)
  }

  /// Removes lanes without events, except `living`, and renumbers the others.
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
    if !isCommands { initial = event.state ?? initial }
    if phase != nil { phase = event.phase ?? phase }
    if case .governed(let rules) = event.kind { machine = rules }
  }
}

extension Recording.Event {
  /// The attempt that the event replaced.
  fileprivate var replaced: Int? {
    if case .started(let replaced, _) = kind { replaced } else { nil }
  }

  /// Returns the event as history before the recording's start, which changes no state.
  fileprivate func asPast(_ kind: Recording.Kind, of attempt: Int) -> Self {
    Self(time: time, lane: lane, attempt: attempt, kind: kind, process: process, cause: cause)
  }
}
