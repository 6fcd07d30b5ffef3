import RehearsalBase

/// Writes the difference of two recordings for a terminal and as JSON.
extension RecordingDifference {
  /// Returns the difference for a terminal: the first difference, a picture of both runs on one
  /// time scale, and the final states. Lines have no indentation and no line ends.
  public func lines(width: Int = 80, style: TextTimeline.Style = .unicode) -> [String] {
    guard !isSame else { return ["both runs have the same events"] }
    let note = [leftOut].compactMap(\.self)
    guard !hasSameEvents else {
      return ["both runs have the same events, as far as they are known"] + note
    }
    let picture = text(as: style == .ascii ? .ascii : .text, .init(width: width))
    return differenceLines + picture.split(separator: "\n").map(String.init) + endLines + note
  }

  private var differenceLines: [String] {
    guard let parting else {
      let hasBoth = pairs.allSatisfy { $0.lanes.a != nil && $0.lanes.b != nil }
      let head =
        hasBoth
        ? pairs.allSatisfy { $0.isSame || sendsDifferentData($0) }
          ? "the requests differ" : "the members begin differently"
        : "the members differ"
      return [head] + differingBeginnings
    }
    return [
      "first difference at \(parting.time.compact)",
      "  a: " + Self.summary(of: parting.a),
      "  b: " + Self.summary(of: parting.b),
    ]
  }

  /// The members whose beginnings differ.
  private var differingBeginnings: [String] {
    pairs.filter { !$0.isSame }.compactMap { pair in
      guard let a = pair.lanes.a, let b = pair.lanes.b else { return nil }
      let (first, second) = (recordings.a.lanes[a], recordings.b.lanes[b])
      if sendsDifferentData(pair) {
        return "  \(pair.name)  other header fields or another body".escapingControls
      }
      return "  \(pair.name)  a: \(first.beginning)  b: \(second.beginning)".escapingControls
    }
  }

  /// Returns whether the two requests of a pair have different header fields or bodies.
  private func sendsDifferentData(_ pair: LanePair) -> Bool {
    guard let a = pair.lanes.a, let b = pair.lanes.b else { return false }
    return recordings.a.lanes[a].sent != recordings.b.lanes[b].sent
  }

  private static func summary(of happening: Happening?) -> String {
    guard let happening else { return "nothing" }
    let command = happening.command.map { ", command: " + $0.printable(atMost: 100) } ?? ""
    return happening.lane.escapingControls + "  " + happening.event.words.escapingControls + command
  }

  private var endLines: [String] {
    let others = pairs.filter { $0.ends.a != $0.ends.b }
    guard !others.isEmpty else { return ["the final states are the same"] }
    return ["final states"]
      + others.map { pair in
        let (a, b) = (pair.ends.a ?? "not there", pair.ends.b ?? "not there")
        return "  \(pair.name.escapingControls)  a: \(a.escapingControls)  b: \(b.escapingControls)"
      }
  }

  /// The difference as JSON: one object, on one line.
  public var json: String {
    var json = JSONText()
    json.append("{\"same\": \(isSame)")
    if leftOut != nil {
      let (a, b) = (recordings.a.omitted.events, recordings.b.omitted.events)
      json.append(", \"leftOut\": {\"a\": \(a), \"b\": \(b)}")
    }
    if let parting {
      json.append(", \"parting\": {\"time\": \(parting.time.decimal(attosecondDigits: 18))")
      for (name, happening) in [("a", parting.a), ("b", parting.b)] {
        guard let happening else { continue }
        json.append(", \"\(name)\": {\"lane\": ")
        json.append(text: happening.lane)
        json.append(field: "happened", happening.event.words)
        json.append(field: "command", happening.command)
        json.append("}")
      }
      json.append("}")
    }
    json.append(", \"ends\": [")
    for (index, pair) in pairs.filter({ $0.ends.a != $0.ends.b }).enumerated() {
      json.append(index == 0 ? "{\"lane\": " : ", {\"lane\": ")
      json.append(text: pair.name)
      json.append(field: "a", pair.ends.a)
      json.append(field: "b", pair.ends.b)
      json.append("}")
    }
    json.append("]}\n")
    return json.text
  }
}

extension Recording.Lane {
  /// The machine (or the kind of lane) and the initial state.
  fileprivate var beginning: String { (machine ?? word) + ", " + initial }
}

extension Recording.Event {
  /// The event in a few words: `#1 loaded "old"`, `#1 too late, dropped "old"`.
  fileprivate var words: String {
    let says =
      switch kind {
      case .started(let replacing, _):
        "started" + (process.map { " " + $0 } ?? "")
          + (replacing.map { ", replacing #\($0)" } ?? "")
      case .ended(.cancelled, _): "ended by cancellation"
      case _ where kind.changesState: state ?? EventMark(kind).meaning ?? ""
      default: EventMark(kind).meaning ?? ""
      }
    let delivered = kind.changesState ? nil : answer
    return [attempt.map { "#\($0)" }, says, delivered].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Recording.Kind {
  /// Whether the state after the event describes it best.
  fileprivate var changesState: Bool {
    switch self {
    case .yielded(dropped: false), .ended(_, dropped: false), .stopped(_, pending: false),
      .assigned,
      .changed, .reset:
      true
    case .started, .queued, .refused, .yielded, .interrupted, .retrying, .stopped, .ended,
      .cancelled,
      .governed, .forgotten:
      false
    }
  }
}
