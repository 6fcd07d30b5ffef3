import RehearsalBase
import Script

/// A strict checker of the documented trace format. Importers silently ignore many mistakes.
struct TraceChecker {
  private(set) var events: [JSONValue] = []
  /// The mistakes found.
  private(set) var faults: [String] = []
  private var open: [Int: [(start: Double, end: Double)]] = [:]
  private var starts: Set<String> = []
  private var named: Set<Int> = []

  init(_ text: String) throws {
    let top = try JSONValue(json: Array(text.utf8))
    guard case .array(let events)? = top["traceEvents"] else {
      faults.append("there are no traceEvents")
      return
    }
    self.events = events
    for (index, event) in events.enumerated() where !check(event) {
      faults.append("event \(index): \(event.text)")
    }
    if !starts.isEmpty { faults.append("arrows lead nowhere: \(starts.sorted())") }
  }

  private mutating func check(_ event: JSONValue) -> Bool {
    guard case .string(let phase)? = event["ph"], case .string? = event["name"],
      event.number("pid") == 1
    else { return false }
    if phase == "M" { return checkMetadata(event) }
    guard let track = event.number("tid").map({ Int($0) }), named.contains(track),
      let time = event.number("ts"), time >= 0
    else { return false }
    switch phase {
    case "X": return nests(event, track: track, from: time)
    case "i": return event["s"] == .string("t")
    case "s": return isInSlice(track, time) && starts.insert("\(event.number("id") ?? -1)").inserted
    case "f":
      return event["bp"] == .string("e") && starts.remove("\(event.number("id") ?? -1)") != nil
    default: return false
    }
  }

  private mutating func checkMetadata(_ event: JSONValue) -> Bool {
    switch event["name"] {
    case .string("process_name"): return event["args"]?["name"] != nil
    case .string("thread_name"):
      guard let track = event.number("tid") else { return false }
      return named.insert(Int(track)).inserted && event["args"]?["name"] != nil
    case .string("thread_sort_index"): return event["args"]?.number("sort_index") != nil
    default: return false
    }
  }

  /// Checks that slices of one track are ordered by start and properly nested.
  private mutating func nests(_ event: JSONValue, track: Int, from start: Double) -> Bool {
    guard let length = event.number("dur"), length >= 0 else { return false }
    var stack = open[track] ?? []
    if let latest = stack.last, latest.start > start { return false }
    while let last = stack.last, last.end <= start { stack.removeLast() }
    let fits = stack.last.map { start + length <= $0.end } ?? true
    open[track] = stack + [(start, start + length)]
    return fits
  }

  private func isInSlice(_ track: Int, _ time: Double) -> Bool {
    open[track]?.last.map { $0.start <= time && time <= $0.end } ?? false
  }

  /// The names of the tracks, in order.
  var tracks: [String] {
    events.filter { $0["name"] == .string("thread_name") }.compactMap {
      if case .string(let name)? = $0["args"]?["name"] { name } else { nil }
    }
  }
}

extension JSONValue {
  subscript(name: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  func number(_ name: String) -> Double? {
    if case .number(let text)? = self[name] { Double(text) } else { nil }
  }
}
