import RehearsalBase

extension RecordingDifference {
  /// The difference for a terminal: where they part, both on one time scale, how they end. Without
  /// indentation and line ends.
  public func lines(width: Int = 80, style: TextTimeline.Style = .unicode) -> [String] {
    guard !isSame else { return ["the same happens in both"] }
    let note = [leftOut].compactMap(\.self)
    guard !hasSameEvents else {
      return ["the same happens in both, as far as is known"] + note
    }
    let picture = text(as: style == .ascii ? .ascii : .text, .init(width: width))
    return sentences + picture.split(separator: "\n").map(String.init) + endings + note
  }

  private var sentences: [String] {
    guard let parting else {
      let hasBoth = pairs.allSatisfy { $0.lanes.a != nil && $0.lanes.b != nil }
      let head =
        hasBoth
        ? pairs.allSatisfy { $0.isSame || sendsOtherwise($0) }
          ? "the requests do not send the same" : "the members do not begin alike"
        : "they have not the same members"
      return [head] + otherwise
    }
    return [
      "they part at \(parting.time.compact)",
      "  a: " + Self.sentence(parting.a),
      "  b: " + Self.sentence(parting.b),
    ]
  }

  /// The members that begin otherwise.
  private var otherwise: [String] {
    pairs.filter { !$0.isSame }.compactMap { pair in
      guard let a = pair.lanes.a, let b = pair.lanes.b else { return nil }
      let (first, second) = (recordings.a.lanes[a], recordings.b.lanes[b])
      if sendsOtherwise(pair) {
        return "  \(pair.name)  other header fields or another body".escapingControls
      }
      return "  \(pair.name)  a: \(first.beginning)  b: \(second.beginning)".escapingControls
    }
  }

  /// Whether the two requests of a pair differ in their header fields or bodies.
  private func sendsOtherwise(_ pair: LanePair) -> Bool {
    guard let a = pair.lanes.a, let b = pair.lanes.b else { return false }
    return recordings.a.lanes[a].sent != recordings.b.lanes[b].sent
  }

  private static func sentence(_ happening: Happening?) -> String {
    guard let happening else { return "nothing" }
    let command = happening.command.map { ", told by: " + $0.printable(atMost: 100) } ?? ""
    return happening.lane.escapingControls + "  " + happening.event.words.escapingControls + command
  }

  private var endings: [String] {
    let others = pairs.filter { $0.ends.a != $0.ends.b }
    guard !others.isEmpty else { return ["they end alike"] }
    return ["at the end"]
      + others.map { pair in
        let (a, b) = (pair.ends.a ?? "not there", pair.ends.b ?? "not there")
        return "  \(pair.name.escapingControls)  a: \(a.escapingControls)  b: \(b.escapingControls)"
      }
  }

  /// The difference for programs: one object, on one line.
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
  /// By which rules it moves, and from which state on.
  fileprivate var beginning: String { (machine ?? word) + ", " + initial }
}

extension Recording.Event {
  /// What happened in a few words: `#1 loaded "old"`, `#1 too late, dropped "old"`.
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
  /// Whether the state that follows says best what happened.
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
