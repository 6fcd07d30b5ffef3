import RehearsalBase

extension Recording {
  /// The recording as JSON, an event a line: `docs/timelines.md` says what stands where.
  ///
  /// The same recording has the same text, and `init(json:)` makes the same recording of it.
  public var json: String {
    var json = JSONText()
    json.append("{\n\"format\": \"\(Self.formatName)\",\n\"version\": \(Self.formatVersion),\n")
    json.append("\"end\": \(end.jsonSeconds),\n")
    if omitted != Omission() { json.append(omitted) }
    json.append(list: "lanes", lanes) { $0.append($1) }
    json.append(",\n")
    json.append(list: "passages", passages) { $0.append($1) }
    json.append(",\n")
    json.append(list: "events", events) { $0.append($1) }
    json.append("\n}\n")
    return json.text
  }

  /// What the field `format` says.
  static let formatName = "rehearse-timeline"
  /// What the field `version` says. It is raised when old readers would misunderstand; new fields alone
  /// do not raise it.
  static let formatVersion = 1
}

extension Recording.Lane {
  /// The lane as the recording's JSON has it, on one line.
  package var json: String {
    var json = JSONText()
    json.append(self)
    return json.text
  }
}

extension Recording.Event {
  /// The event as the recording's JSON has it, on one line.
  package var json: String {
    var json = JSONText()
    json.append(self)
    return json.text
  }
}

extension Duration {
  fileprivate var jsonSeconds: String { decimal(attosecondDigits: 18) }
}

extension JSONText {
  fileprivate mutating func append<Element>(
    list name: String,
    _ elements: [Element],
    each write: (inout JSONText, Element) -> Void
  ) {
    append("\"\(name)\": [")
    for (index, element) in elements.enumerated() {
      append(index == 0 ? "\n" : ",\n")
      write(&self, element)
    }
    append("]")
  }

  fileprivate mutating func append(_ omitted: Recording.Omission) {
    append("\"omitted\": {\"until\": \(omitted.until.jsonSeconds)")
    append(field: "events", omitted.events)
    append(field: "passages", omitted.passages)
    append(field: "lanes", omitted.lanes)
    append(field: "beginnings", omitted.beginnings)
    append("},\n")
  }

  fileprivate mutating func append(_ lane: Recording.Lane) {
    append("{\"name\": ")
    append(text: lane.name)
    append(field: "word", lane.word)
    append(field: "initial", lane.initial)
    append(field: "phase", lane.phase?.rawValue)
    append(field: "machine", lane.machine)
    append(field: "owner", lane.owner)
    append("}")
  }

  fileprivate mutating func append(_ passage: Recording.Passage) {
    append("{\"time\": \(passage.time.jsonSeconds)")
    append(field: "command", passage.command)
    append(field: "firstEvent", passage.firstEvent)
    append(", \"output\": [")
    for (index, line) in passage.output.enumerated() {
      if index > 0 { append(", ") }
      append(text: line)
    }
    append("]}")
  }

  fileprivate mutating func append(_ event: Recording.Event) {
    append("{\"time\": \(event.time.jsonSeconds), \"lane\": \(event.lane)")
    append(field: "attempt", event.attempt)
    append(field: "kind", event.kind.word)
    append(detailsOf: event.kind)
    append(field: "state", event.state)
    append(field: "phase", event.phase?.rawValue)
    append(field: "answer", event.answer)
    append(field: "process", event.process)
    append(field: "cause", event.cause)
    append("}")
  }

  private mutating func append(detailsOf kind: Recording.Kind) {
    switch kind {
    case .started(let replacing, let silently):
      append(field: "replacing", replacing)
      append(field: "silently", silently)
    case .yielded(let dropped): append(field: "dropped", dropped)
    case .stopped(let end, let pending):
      append(field: "outcome", end.rawValue)
      append(field: "pending", pending)
    case .ended(let end, let dropped):
      append(field: "outcome", end.rawValue)
      append(field: "dropped", dropped)
    case .governed(let machine): append(field: "machine", machine)
    case .queued, .refused, .interrupted, .retrying, .cancelled, .reset, .assigned, .changed,
      .forgotten:
      break
    }
  }
}
