import RehearsalBase

/// Writes a recording as JSON, reads it back, and has the errors of a wrong text.
extension Recording {
  /// The recording as JSON, one event a line. `docs/timelines.md` lists the fields.
  ///
  /// The same recording gives the same text, and `init(json:)` restores the recording.
  public var json: String {
    var json = JSONText()
    json.append("{\n\"format\": \"\(Self.formatName)\",\n\"version\": \(Self.formatVersion),\n")
    json.append("\"end\": \(end.decimal(attosecondDigits: 18)),\n")
    if omitted != Omission() {
      json.append("\"omitted\": ")
      json.append(encoding: omitted)
      json.append(",\n")
    }
    if !unperformed.isEmpty {
      json.append("\"unperformed\": ")
      json.append(encoding: unperformed)
      json.append(",\n")
    }
    json.append(list: "lanes", lanes)
    json.append(",\n")
    json.append(list: "records", records)
    json.append(",\n")
    json.append(list: "events", events)
    json.append("\n}\n")
    return json.text
  }

  /// The value of the field `format`.
  static let formatName = "rehearse-timeline"
  /// The value of the field `version`. It increases if old readers would misread the file; new
  /// fields alone do not increase it.
  static let formatVersion = 1

  /// Reads the text of `json`, or other JSON with its schema. Unknown fields are ignored.
  ///
  /// - Throws: `RecordingProblem` if the text has another format.
  public init(json bytes: [UInt8]) throws(RecordingProblem) {
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(json: bytes)
    } catch {
      let line = JSONProblem.place(of: error.range.lowerBound, in: bytes).line
      throw .notJSON(error.sentence, line: line)
    }
    guard let header = try? value.decode(Header.self), header.format == Self.formatName else {
      throw .notARecording
    }
    guard let version = header.version else { throw .expected("there", path: "version") }
    guard version <= Self.formatVersion else { throw .newerVersion(version) }
    do throws(JSONMismatch) {
      self = try value.decode()
    } catch {
      throw RecordingProblem(error)
    }
  }

  private struct Header: Decodable {
    let format: String?
    let version: Int?
  }
}

extension JSONText {
  fileprivate mutating func append(list name: String, _ elements: [some Encodable]) {
    append("\"\(name)\": [")
    for (index, element) in elements.enumerated() {
      append(index == 0 ? "\n" : ",\n")
      append(encoding: element)
    }
    append("]")
  }
}

extension Recording: Codable {
  private enum CodingKeys: String, CodingKey {
    case format, version, end, omitted, unperformed, lanes, events
    case records = "records"
  }

  /// Encodes the fields of `json`.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(Self.formatName, forKey: .format)
    try fields.encode(Self.formatVersion, forKey: .version)
    try fields.encode(end, forKey: .end)
    if omitted != Omission() { try fields.encode(omitted, forKey: .omitted) }
    if !unperformed.isEmpty { try fields.encode(unperformed, forKey: .unperformed) }
    try fields.encode(lanes, forKey: .lanes)
    try fields.encode(records, forKey: .records)
    try fields.encode(events, forKey: .events)
  }

  /// Decodes the fields of `json` and checks that they are consistent.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    // The order of encoding: the coders of messages rely on it.
    _ = try fields.decodeIfPresent(String.self, forKey: .format)
    _ = try fields.decodeIfPresent(Int.self, forKey: .version)
    let end = try fields.decode(Duration.self, forKey: .end)
    let omitted = try fields.decodeIfPresent(Omission.self, forKey: .omitted)
    unperformed = try fields.decodeIfPresent([String].self, forKey: .unperformed) ?? []
    lanes = try fields.decode([Lane].self, forKey: .lanes)
    records = try fields.decode([CommandRecord].self, forKey: .records)
    events = try fields.decode([Event].self, forKey: .events)
    for (index, lane) in lanes.enumerated() {
      try Self.check(lane.owner, below: lanes.count, "lanes[\(index)].owner")
    }
    try checkRecords()
    try checkEvents()
    try readEnd(end, omitted)
  }

  private func checkRecords() throws(JSONMismatch) {
    var next = 0
    for (index, record) in records.enumerated() {
      let path = "records[\(index)].firstEvent"
      try Self.check(record.firstEvent, in: next...events.count, path)
      next = record.firstEvent
    }
  }

  private func checkEvents() throws(JSONMismatch) {
    for (index, event) in events.enumerated() {
      let path = "events[\(index)]"
      try Self.check(event.lane, below: lanes.count, path + ".lane")
      try Self.check(event.attempt, path + ".attempt")
      try Self.check(event.cause, below: records.count, path + ".cause")
      guard index == 0 || events[index - 1].time <= event.time else {
        throw JSONMismatch(path + ".time", .notThis("at or after the time of the previous event"))
      }
    }
  }

  private mutating func readEnd(_ end: Duration, _ omitted: Omission?) throws(JSONMismatch) {
    let last = max(events.last?.time ?? .zero, records.map(\.time).max() ?? .zero)
    guard end >= last else {
      throw JSONMismatch("end", .notThis("at or after the last event"))
    }
    advance(to: end)
    guard let omitted else { return }
    guard omitted.until <= end else {
      throw JSONMismatch("omitted.until", .notThis("at or before the end"))
    }
    try Self.check(omitted.events, "omitted.events")
    try Self.check(omitted.records, "omitted.records")
    try Self.check(omitted.lanes, "omitted.lanes")
    try Self.check(omitted.beginnings, in: 0...events.count, "omitted.beginnings")
    self.omitted = omitted
  }

  private static func check(
    _ number: Int?,
    in range: ClosedRange<Int> = 0...Int.max,
    _ path: String
  ) throws(JSONMismatch) {
    guard let number, !range.contains(number) else { return }
    let last = range.upperBound == .max ? "" : " to \(range.upperBound)"
    throw JSONMismatch(path, .notThis("a whole number from \(range.lowerBound)\(last)"))
  }

  private static func check(
    _ index: Int?,
    below count: Int,
    _ path: String
  ) throws(JSONMismatch) {
    try check(index, path)
    guard let index, index >= count else { return }
    throw JSONMismatch(path, .notThis("an index below \(count)"))
  }
}

extension Recording.Event: Codable {
  private enum CodingKeys: String, CodingKey {
    case time, lane, attempt, kind, replacing, silently, dropped, outcome, pending, machine
    case state, phase, answer, process, cause
  }

  /// Encodes the fields of an event and those of its kind.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(time, forKey: .time)
    try fields.encode(lane, forKey: .lane)
    try fields.encodeIfPresent(attempt, forKey: .attempt)
    try fields.encode(kind.word, forKey: .kind)
    func encode(flag: Bool, _ key: CodingKeys) throws {
      if flag { try fields.encode(true, forKey: key) }
    }
    switch kind {
    case .started(let replacing, let silently):
      try fields.encodeIfPresent(replacing, forKey: .replacing)
      try encode(flag: silently, .silently)
    case .yielded(let dropped): try encode(flag: dropped, .dropped)
    case .stopped(let end, let pending):
      try fields.encode(end, forKey: .outcome)
      try encode(flag: pending, .pending)
    case .ended(let end, let dropped):
      try fields.encode(end, forKey: .outcome)
      try encode(flag: dropped, .dropped)
    case .governed(let machine): try fields.encode(machine, forKey: .machine)
    case .queued, .refused, .interrupted, .retrying, .cancelled, .reset, .assigned, .changed,
      .forgotten:
      break
    }
    try fields.encodeIfPresent(state, forKey: .state)
    try fields.encodeIfPresent(phase, forKey: .phase)
    try fields.encodeIfPresent(answer, forKey: .answer)
    try fields.encodeIfPresent(process, forKey: .process)
    try fields.encodeIfPresent(cause, forKey: .cause)
  }

  /// Decodes the fields of an event and those of its kind.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      time: try fields.decode(Duration.self, forKey: .time),
      lane: try fields.decode(Int.self, forKey: .lane),
      attempt: try fields.decodeIfPresent(Int.self, forKey: .attempt),
      kind: try Self.kind(fields),
      state: try fields.decodeIfPresent(String.self, forKey: .state),
      phase: try fields.decodeIfPresent(Recording.Phase.self, forKey: .phase),
      answer: try fields.decodeIfPresent(String.self, forKey: .answer),
      process: try fields.decodeIfPresent(String.self, forKey: .process),
      cause: try fields.decodeIfPresent(Int.self, forKey: .cause)
    )
  }

  private static func kind(
    _ fields: KeyedDecodingContainer<CodingKeys>
  ) throws -> Recording.Kind {
    func flag(_ key: CodingKeys) throws -> Bool {
      try fields.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    func end() throws -> Recording.End { try fields.decode(Recording.End.self, forKey: .outcome) }
    let word = try fields.decode(String.self, forKey: .kind)
    switch word {
    case "started":
      return .started(
        replacing: try fields.decodeIfPresent(Int.self, forKey: .replacing),
        silently: try flag(.silently)
      )
    case "yielded": return .yielded(dropped: try flag(.dropped))
    case "stopped": return .stopped(try end(), pending: try flag(.pending))
    case "ended": return .ended(try end(), dropped: try flag(.dropped))
    case "governed": return .governed(by: try fields.decode(String.self, forKey: .machine))
    default:
      if let kind = Recording.Kind.plain.first(where: { $0.word == word }) { return kind }
      let found = word.printable(atMost: 30)
      let path = fields.codingPath + [CodingKeys.kind]
      throw JSONMismatch(path, .notThis("a kind of event, and not '\(found)'"))
    }
  }
}

extension Recording.Kind {
  /// The kinds without associated values.
  fileprivate static let plain: [Self] = [
    .queued, .refused, .interrupted, .retrying, .cancelled, .reset, .assigned, .changed, .forgotten,
  ]

  fileprivate var word: String {
    switch self {
    case .started: "started"
    case .yielded: "yielded"
    case .stopped: "stopped"
    case .ended: "ended"
    case .governed: "governed"
    case .queued, .refused, .interrupted, .retrying, .cancelled, .reset, .assigned, .changed,
      .forgotten:
      // The names of the cases are the JSON values.
      "\(self)"
    }
  }
}

/// The reason why a text is not a recording.
public enum RecordingProblem: Error, Equatable {
  /// The text is not JSON. The line counts from 1.
  case notJSON(String, line: Int)
  /// The text is JSON without the format name of a recording.
  case notARecording
  /// A newer program wrote the recording.
  case newerVersion(Int)
  /// The value at the path has the wrong type or is out of range.
  case expected(String, path: String)

  /// The problem in words, lower case, without a full stop.
  public var sentence: String {
    switch self {
    case .notJSON(let reason, let line): "line \(line): \(reason)"
    case .notARecording: "not a recording: it lacks \"format\": \"\(Recording.formatName)\""
    case .newerVersion(let version):
      "version \(version) is newer than \(Recording.formatVersion), the latest known version"
    case .expected(let what, let path): "'\(path)' should be \(what)"
    }
  }

  init(_ mismatch: JSONMismatch) {
    switch mismatch.reason {
    case .missing: self = .expected("there", path: mismatch.path)
    case .notThis(let what), .refused(let what): self = .expected(what, path: mismatch.path)
    }
  }
}
