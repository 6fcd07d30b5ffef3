import CVirtualTime

/// What the tasks of a stage did that explains why one waits. Only for the thread that runs the stage.
final class WaitHistory {
  /// For the thread that runs the stage.
  let notes: OpaquePointer?

  init() {
    // Continuations that end before this are not noticed.
    _ = TaskLayout.knowsContinuations
    notes = TaskLayout.makeHistory()
  }

  deinit { notes.map(cvt_history_destroy) }

  /// Returns how the continuation was dropped that a suspended task waits for; nil if it was not, or if that is unknown.
  func drop(of task: UnsafeMutableRawPointer) -> DroppedContinuation? {
    var drop = cvt_drop()
    guard let notes, cvt_history_drop(notes, task, &drop) else { return nil }
    return DroppedContinuation(drop)
  }

  /// Returns the first cancellation of a suspended task; nil if it is unknown.
  func cancellation(of task: UnsafeMutableRawPointer) -> TaskCancellation? {
    var cancellation = cvt_cancellation()
    guard let notes, cvt_history_cancellation(notes, task, &cancellation) else { return nil }
    return TaskCancellation(cancellation)
  }

  /// The latest entries into actors, the oldest first.
  private var visits: [ActorVisit] = []

  /// Reads the entries into actors. Call it before `actor(in:_:)`.
  func readVisits() {
    guard let notes else { return }
    var found = [cvt_visit](repeating: cvt_visit(), count: Int(CVT_VISITS))
    let count = cvt_history_visits(notes, &found, found.count)
    visits = found.prefix(count).map(ActorVisit.init)
    latest = Dictionary(zip(visits.map(\.task), visits.indices)) { _, last in last }
    StackFunction.findPlaces(of: visits.map(\.addresses))
    calls = [:]
  }

  /// The latest entry of each task, as an index.
  private var latest: [UnsafeMutableRawPointer: Int] = [:]

  private var calls: [UnsafeMutableRawPointer: ActorCalls] = [:]

  /// Returns the calls of the actor in whose function a task is suspended; nil if it is in none, or if it is unknown.
  ///
  /// - Parameters:
  ///   - task: the address of a suspended task.
  ///   - addresses: the addresses at which it continues.
  ///   - stack: the functions of the tested code in which it is suspended, the innermost first.
  /// - Returns: the calls, in order.
  func actor(
    of task: UnsafeMutableRawPointer,
    at addresses: [UInt],
    _ stack: [SourceFrame]
  ) -> ActorCalls? {
    guard let visit = latest[task].map({ visits[$0] }), let called = visit.stack.first,
      called.isOf(visit.type), stack.contains(where: { $0.function == called.function }),
      visit.addresses.dropFirst().allSatisfy(addresses.contains)
    else { return nil }
    if let known = calls[visit.actor] { return known }
    let found = ActorCalls(
      type: visit.type,
      visits.filter { $0.actor == visit.actor },
      isComplete: visits.count < Int(CVT_VISITS),
      state: ActorCalls.state(of: visit.actor)
    )
    calls[visit.actor] = found
    return found
  }
}

/// The entry of a task into an actor.
struct ActorVisit {
  let actor, task: UnsafeMutableRawPointer
  let type: String
  /// The addresses at which the functions of the task continue, the innermost first.
  let addresses: [UInt]

  init(_ visit: cvt_visit) {
    (actor, task) = (visit.actor, visit.task)
    type = _typeName(unsafeBitCast(visit.type, to: Any.Type.self), qualified: false)
    addresses = withUnsafeBytes(of: visit.frames) { frames in
      // Lookups subtract 1, as for return addresses.
      frames.bindMemory(to: UInt.self).prefix(Int(visit.count)).map { $0 + 1 }
    }
  }

  /// The functions of the tested code, the innermost first.
  var stack: [SourceFrame] { StackFunction.frames(at: addresses) }

  /// Whether the entered function is that of an earlier entry, which returns from a function elsewhere.
  func continues(_ call: ActorVisit) -> Bool {
    let functions = StackFunction.callers(at: addresses)
    guard let tested = functions.firstIndex(where: \.isTested) else { return false }
    // Both are cut to the same number of addresses.
    let callers = zip(addresses.dropFirst(tested + 1), call.addresses.dropFirst())
    return callers.allSatisfy(==) && (tested > 0 || addresses.first != call.addresses.first)
  }
}

/// The calls of an actor.
package struct ActorCalls: Sendable, Hashable, Codable {
  /// The name of the actor's type.
  package let type: String
  /// The latest calls, in order. Equal calls in a row are one.
  package let calls: [Call]
  /// Whether there were earlier calls.
  package let isCut: Bool
  /// The simple values of the actor: `permits = 0`.
  package let state: [String]

  package struct Call: Sendable, Hashable, Codable {
    /// The function, and for a function of the actor, the function outside of it that led to the call.
    package let stack: [SourceFrame]
    package fileprivate(set) var count: Int
  }

  private static let mostCalls = 8
  private static let mostValues = 8

  fileprivate init(type: String, _ visits: [ActorVisit], isComplete: Bool, state: [String]) {
    (self.type, self.state) = (type, state)
    var calls: [Call] = []
    // The beginning of the latest call of each task.
    var begun: [UnsafeMutableRawPointer: ActorVisit] = [:]
    for visit in visits {
      let stack = visit.stack
      guard let first = stack.first else { continue }
      // A function of the actor that comes back from a function elsewhere is no new call.
      if first.isOf(type), let call = begun[visit.task], visit.continues(call) { continue }
      begun[visit.task] = visit
      let caller = first.isOf(type) ? stack.first { !$0.isOf(type) } : nil
      let call = Call(stack: [first] + (caller.map { [$0] } ?? []), count: 1)
      if calls.last?.stack == call.stack {
        calls[calls.count - 1].count += 1
      } else {
        calls.append(call)
      }
    }
    self.calls = calls.suffix(Self.mostCalls)
    isCut = !isComplete || calls.count > Self.mostCalls
  }

  /// Returns the simple values of an actor. No task may run on it.
  fileprivate static func state(of actor: UnsafeMutableRawPointer) -> [String] {
    // The history keeps the memory of actors that have ended.
    if cvt_has_ended(actor) { return [] }
    let object = Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue()
    // It would run code of the actor.
    if object is any CustomReflectable { return [] }
    let values = Mirror(reflecting: object).children.compactMap { label, value in
      label.flatMap { label in text(of: value).map { "\(label) = \($0)" } }
    }
    return Array(values.prefix(mostValues))
  }

  /// Returns a number, a text or the size of a collection as text; nil for other values.
  private static func text(of value: Any) -> String? {
    switch value {
    case let number as any BinaryInteger: return "\(number)"
    case let isTrue as Bool: return "\(isTrue)"
    case let text as String: return "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    default: break
    }
    // The mirror of another type may run code of the program.
    guard _typeName(Swift.type(of: value)).hasPrefix("Swift.") else { return nil }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text(of: $0.value) ?? "a value" } ?? "nil"
    case .collection, .set, .dictionary:
      let count = mirror.children.count
      return count == 0 ? "empty" : "\(count) element\(count == 1 ? "" : "s")"
    default: return nil
    }
  }

  /// The calls, one a line.
  var lines: [String] {
    (state.isEmpty ? [] : ["this \(type) has \(state.joined(separator: ", "))"])
      + [isCut ? "the latest calls of this \(type):" : "the calls of this \(type), in order:"]
      + calls.map { call in
        let times = call.count > 1 ? " (\(call.count) times)" : ""
        return "  " + call.stack.map(\.description).joined(separator: ", called in ") + times
      }
  }
}

extension SourceFrame {
  /// Whether the function belongs to a type.
  fileprivate func isOf(_ type: String) -> Bool {
    function.hasPrefix(type + ".") || function.hasPrefix("closure in \(type).")
  }
}

/// A checked continuation that code dropped before it resumed it, so that its task waits forever.
package struct DroppedContinuation: Sendable, Hashable, Codable {
  /// The function of the tested code that dropped it; nil if unknown, or if no code had kept it.
  package let place: SourceFrame?
  /// Whether no code had kept it when the closure of `withCheckedContinuation` returned.
  package let wasNotKept: Bool

  fileprivate init(_ drop: cvt_drop) {
    let frames = withUnsafeBytes(of: drop.frames) { frames in
      Array(frames.bindMemory(to: UInt.self).prefix(Int(drop.count)))
    }
    let inner = StackFunction.callers(at: frames).prefix { !$0.isTested }
    wasNotKept = inner.contains { $0.name?.hasPrefix("withChecked") == true }
    place = wasNotKept ? nil : StackFunction.frames(at: frames).first
  }

  /// How it was dropped.
  var lines: [String] {
    wasNotKept
      ? ["no code had resumed or kept it when the closure of the continuation returned"]
      : place.map { ["dropped in \($0)"] } ?? []
  }
}

/// A cancellation of a task by code of the stage.
package struct TaskCancellation: Sendable, Hashable, Codable {
  /// The function that cancelled the task.
  package let place: SourceFrame
  /// Whether the task has continued since, and waits at another place now.
  package let isEarlier: Bool

  fileprivate init?(_ cancellation: cvt_cancellation) {
    guard let place = StackFunction.frames(at: [cancellation.caller]).first else { return nil }
    (self.place, isEarlier) = (place, cancellation.was_elsewhere)
  }

  var text: String { "\(isEarlier ? "cancelled before it waited here," : "cancelled") in \(place)" }
}
