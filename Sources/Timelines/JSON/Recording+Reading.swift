import RehearsalBase

extension Recording {
  /// Reads what `json` has written, or anything else that follows its schema. Fields that it does not
  /// know it skips.
  ///
  /// - Throws: `RecordingProblem` where the text is no such JSON.
  public init(json bytes: [UInt8]) throws(RecordingProblem) {
    let value = try Self.value(of: bytes)
    guard let top = try? JSONFields(value, path: ""),
      try top.optionalText("format") == Self.formatName
    else { throw .notARecording }
    let version = try top.required("version", try top.optionalNumber("version"))
    guard version <= Self.formatVersion else { throw .newerVersion(version) }
    self.init()
    let lanes = try top.list("lanes")
    for lane in lanes { _ = addLane(try lane.lane(of: lanes.count)) }
    try read(events: top.list("events"), passages: top.list("passages"))
    let end = try top.time("end")
    guard end >= self.end else { throw .expected("not before anything that happened", path: "end") }
    advance(to: end)
    if let fields = try top.optionalObject("omitted") {
      omitted = try fields.omission(until: end, events: events.count)
    }
  }

  private static func value(of bytes: [UInt8]) throws(RecordingProblem) -> JSONValue {
    do throws(JSONProblem) {
      return try JSONValue(json: bytes)
    } catch {
      let line = JSONProblem.place(of: error.range.lowerBound, in: bytes).line
      throw .notJSON(error.sentence, line: line)
    }
  }

  /// A passage stands before the first of its events.
  private mutating func read(
    events: [JSONFields],
    passages: [JSONFields]
  ) throws(RecordingProblem) {
    var next = 0
    for passage in passages {
      let first = try passage.optionalNumber("firstEvent", in: next...events.count)
      let end = try passage.required("firstEvent", first)
      for event in events[next..<end] { try add(event, passages: passages.count) }
      next = end
      _ = begin(try passage.text("command"), at: try passage.time("time"))
      for line in try passage.texts("output") { print(line) }
    }
    for event in events[next...] { try add(event, passages: passages.count) }
  }

  private mutating func add(_ fields: JSONFields, passages: Int) throws(RecordingProblem) {
    let event = try fields.event(lanes: lanes.count, passages: passages)
    guard events.last.map({ $0.time <= event.time }) ?? true else {
      throw fields.problem("time", "not before the event above it")
    }
    append(event)
  }
}

extension JSONFields {
  fileprivate func lane(of count: Int) throws(RecordingProblem) -> Recording.Lane {
    Recording.Lane(
      name: try text("name"),
      word: try text("word"),
      initial: try text("initial"),
      phase: try optionalWord("phase", as: Recording.Phase.self),
      machine: try optionalText("machine"),
      owner: try optionalIndex("owner", count: count)
    )
  }

  fileprivate func omission(
    until end: Duration,
    events: Int
  ) throws(RecordingProblem) -> Recording.Omission {
    var omission = Recording.Omission()
    omission.until = try time("until")
    guard omission.until <= end else { throw problem("until", "not after the end") }
    omission.events = try optionalNumber("events") ?? 0
    omission.passages = try optionalNumber("passages") ?? 0
    omission.lanes = try optionalNumber("lanes") ?? 0
    omission.beginnings = try optionalNumber("beginnings", in: 0...events) ?? 0
    return omission
  }

  fileprivate func event(lanes: Int, passages: Int) throws(RecordingProblem) -> Recording.Event {
    Recording.Event(
      time: try time("time"),
      lane: try required("lane", try optionalIndex("lane", count: lanes)),
      attempt: try optionalNumber("attempt"),
      kind: try kind(),
      state: try optionalText("state"),
      phase: try optionalWord("phase", as: Recording.Phase.self),
      answer: try optionalText("answer"),
      process: try optionalText("process"),
      cause: try optionalIndex("cause", count: passages)
    )
  }

  private func kind() throws(RecordingProblem) -> Recording.Kind {
    switch try text("kind") {
    case "started":
      .started(
        replacing: try optionalNumber("replacing", in: Int.min...Int.max),
        silently: try flag("silently")
      )
    case "yielded": .yielded(dropped: try flag("dropped"))
    case "stopped": .stopped(try outcome(), pending: try flag("pending"))
    case "ended": .ended(try outcome(), dropped: try flag("dropped"))
    case "governed": .governed(by: try text("machine"))
    case let word:
      try wordOfKind(word)
    }
  }

  private func wordOfKind(_ word: String) throws(RecordingProblem) -> Recording.Kind {
    if let kind = Self.kindsWithoutDetails.first(where: { $0.word == word }) { return kind }
    throw problem("kind", "a kind of event, and not '\(word.printable(atMost: 30))'")
  }

  private static let kindsWithoutDetails: [Recording.Kind] = [
    .queued, .refused, .interrupted, .retrying, .cancelled, .reset, .assigned, .changed, .forgotten,
  ]

  private func outcome() throws(RecordingProblem) -> Recording.End {
    try required("outcome", try optionalWord("outcome", as: Recording.End.self))
  }
}
