import Loading
import RehearsalBase
import Script

/// The values of a member so far, for run assertions.
struct ValueHistory {
  private(set) var current: State
  private var visits: Visits<State>

  /// The latest value, and the end, if it has ended.
  struct State {
    var value: JSONValue?
    var end: End?
  }

  enum End {
    case finished
    case failed(any Error)
    case cancelled
  }

  init(_ value: JSONValue?, at time: Duration) {
    current = State(value: value)
    visits = Visits(current, at: time)
  }

  mutating func note(_ value: JSONValue, at time: Duration) {
    current.value = value
    visits.append(current, at: time)
  }

  mutating func note(_ end: End, at time: Duration) {
    current.end = end
    visits.append(current, at: time)
  }

  var count: Int { visits.count }
  var knownSince: Duration? { visits.knownSince }

  mutating func forget(before time: Duration, most: Int) { visits.forget(before: time, most: most) }

  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration? {
    visits.firstTime(from: visit) { $0.satisfies(pattern) == isSo }
  }
}

extension ValueHistory.State {
  /// The text in a list: the latest value, or the end.
  func text(waiting: String) -> String {
    let value = value?.text(within: valueColumns)
    let end: String? =
      switch end {
      case nil: nil
      case .finished: "finished"
      case .failed(let error): "failed " + errorText(error)
      case .cancelled: "cancelled"
      }
    let parts = [value, end].compactMap { $0 }
    return parts.isEmpty ? waiting : parts.joined(separator: ", ")
  }

  func satisfies(_ pattern: StatePattern) -> Bool {
    switch (pattern.word, end) {
    case ("value", _): value.map(pattern.accepts) ?? false
    case ("finished", .finished), ("cancelled", .cancelled): true
    case ("failed", .failed(let error)): pattern.accepts(error)
    default: false
    }
  }
}
