import CVirtualTime
import RehearsalBase
@_spi(Reflection) import Swift

/// What the tasks of a stage did that explains why one waits. Only for the thread that runs the stage.
final class WaitHistory {
  /// For the thread that runs the stage.
  let notes: OpaquePointer?
  /// What each task waits for, if it waits in a lock, a channel or a latch of Rehearse.
  var namedWaits: [UnsafeMutableRawPointer: @Sendable () -> NamedWait] = [:]

  init() {
    // Continuations that end before this are not noticed, nor are streams that are created before it.
    _ = TaskLayout.knowsContinuations
    _ = TaskLayout.knowsStreams
    notes = TaskLayout.makeHistory()
  }

  deinit { notes.map(cvt_history_destroy) }

  /// Returns how the continuation was dropped that a suspended task waits for; nil if it was not, or if that is unknown.
  func drop(of task: UnsafeMutableRawPointer, _ live: LiveTasks) -> DroppedContinuation? {
    var drop = cvt_drop()
    guard let notes, cvt_history_drop(notes, task, &drop) else { return nil }
    return DroppedContinuation(drop, by: drop.task.flatMap { live.label($0, drop.number) })
  }

  /// The creators of the streams that tasks of the report wait for.
  private var creators: [UnsafeMutableRawPointer: [UInt]] = [:]
  /// The creators of the actors of the entries, by actor.
  private var creations: [UnsafeMutableRawPointer: [UInt]] = [:]
  /// The caller of an initialiser is enough, and each lookup of a function takes long.
  private static let mostCreators = 5

  /// Finds the code that the report about a suspended task may name. Call it after `readVisits`.
  ///
  /// - Parameters:
  ///   - task: the address of the task.
  ///   - stacks: gets the addresses of the code.
  func findNotes(about task: UnsafeMutableRawPointer, _ stacks: inout Set<[UInt]>) {
    guard let notes else { return }
    if hasDrops {
      var drop = cvt_drop()
      if cvt_history_drop(notes, task, &drop) { stacks.insert(drop.callers.addresses) }
    }
    var callers = cvt_callers()
    if cvt_history_refusal(notes, task, &callers) { stacks.insert(callers.addresses) }
    if cvt_history_stream(notes, task, &callers) {
      let addresses = Array(callers.addresses.prefix(Self.mostCreators))
      creators[task] = addresses
      stacks.insert(addresses)
    }
  }

  private var hasDrops: Bool { notes.map { cvt_history_has_drops($0) } == true }

  /// Returns the code that created the stream whose next element a suspended task waits for; nil if it is unknown.
  /// Call it after `findNotes`.
  func stream(of task: UnsafeMutableRawPointer) -> SourceStack? {
    creators[task].flatMap { SourceStack(at: $0) }
  }

  /// Returns the latest code of a suspended task whose group, because it was cancelled, has added no child task; nil if
  /// there is none, or if it is unknown.
  func refusal(of task: UnsafeMutableRawPointer) -> SourceStack? {
    var callers = cvt_callers()
    guard let notes, cvt_history_refusal(notes, task, &callers) else { return nil }
    return SourceStack(at: callers.addresses)
  }

  /// Returns the first cancellation of a suspended task; nil if it is unknown.
  func cancellation(of task: UnsafeMutableRawPointer) -> TaskCancellation? {
    var cancellation = cvt_cancellation()
    guard let notes, cvt_history_cancellation(notes, task, &cancellation) else { return nil }
    return TaskCancellation(cancellation)
  }

  /// Notes that a task that entered an actor runs there now.
  func noteEntry(of message: UnownedJob, into mailbox: Mailbox) {
    guard let notes else { return }
    cvt_note_entry(notes, mailbox.object.toOpaque(), TaskLayout.address(message))
  }

  /// The latest entries into actors, in the order of their runs.
  private var visits: [ActorVisit] = []

  /// Reads the entries into actors. Call it before `actor(in:_:)`.
  func readVisits() {
    creators = [:]
    guard let notes else { return }
    var found = [cvt_visit](repeating: cvt_visit(), count: Int(CVT_VISITS))
    let count = cvt_history_visits(notes, &found, found.count)
    visits = found.prefix(count).map(ActorVisit.init)
    creations = [:]
    for visit in visits where creations[visit.actor] == nil {
      var callers = cvt_callers()
      guard cvt_history_actor(notes, visit.actor, &callers) else { continue }
      creations[visit.actor] = Array(callers.addresses.prefix(Self.mostCreators))
    }
    StackFunction.findPlaces(of: visits.map(\.addresses) + creations.values)
    latest = Dictionary(zip(visits.map(\.task), visits)) { _, last in last }
    // Entries of one actor run in another order than they were made if they waited for it.
    visits = visits.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }
    .map(\.element)
    (calls, holds) = ([:], [:])
  }

  /// Whether a report may name tasks that did something: they have entered actors or dropped continuations.
  var namesTasks: Bool { !visits.isEmpty || hasDrops }

  /// The latest entry of each task.
  private var latest: [UnsafeMutableRawPointer: ActorVisit] = [:]

  private var calls: [UnsafeMutableRawPointer: ActorCalls] = [:]

  /// Returns the entry into the actor in whose function a task is suspended; nil if it is in none, or if it is unknown.
  private func visit(
    of task: UnsafeMutableRawPointer,
    at addresses: [UInt],
    _ stack: [SourceFrame]
  ) -> ActorVisit? {
    guard let visit = latest[task], let called = visit.stack.first,
      called.isOf(visit.type), stack.contains(where: { $0.function == called.function }),
      visit.addresses.dropFirst().allSatisfy(addresses.contains)
    else { return nil }
    return visit
  }

  /// Returns the calls of the actor in whose function a task is suspended; nil if it is in none, or if it is unknown.
  ///
  /// - Parameters:
  ///   - task: the address of a suspended task.
  ///   - addresses: the addresses at which it continues.
  ///   - stack: the functions of the tested code in which it is suspended, the innermost first.
  ///   - live: the tasks that have not completed.
  /// - Returns: the calls, in order.
  func actor(
    of task: UnsafeMutableRawPointer,
    at addresses: [UInt],
    _ stack: [SourceFrame],
    _ live: LiveTasks
  ) -> ActorCalls? {
    guard let visit = visit(of: task, at: addresses, stack) else { return nil }
    if let known = calls[visit.actor] { return known }
    let found = ActorCalls(
      type: visit.type,
      visits.filter { $0.actor == visit.actor },
      isComplete: visits.count < Int(CVT_VISITS),
      creators: creations[visit.actor].map { StackFunction.frames(at: $0) } ?? [],
      state: cvt_has_ended(visit.actor)
        ? [] : ObjectState.values(of: visit.actor) { live.label(ofWaiting: $0) },
      live
    )
    calls[visit.actor] = found
    return found
  }

  /// Returns the other task that probably keeps a task waiting: both have called one function of one actor, and only the
  /// other one has returned from it, without another call of the actor since. Nil if there is none.
  ///
  /// - Parameters:
  ///   - task: the address of a task that waits for a continuation.
  ///   - live: the tasks that have not completed.
  /// - Returns: the call of the other task.
  func holder(against task: UnsafeMutableRawPointer, _ live: LiveTasks) -> ActorHold? {
    guard let waiting = waits(of: task), let function = waiting.stack.first?.function else {
      return nil
    }
    let holds = holds(of: waiting.actor, live)
    return holds.last { $0.task != task && $0.function == function }
  }

  /// Returns the entry into the actor in whose function a task is suspended; nil if it is in none, or if it is unknown.
  private func waits(of task: UnsafeMutableRawPointer) -> ActorVisit? {
    if latest[task] == nil { return nil }
    let addresses = TaskLayout.resumeAddresses(task)
    return visit(of: task, at: addresses, StackFunction.frames(at: addresses))
  }

  private var holds: [UnsafeMutableRawPointer: [ActorHold]] = [:]

  /// Returns the latest call of an actor by each incomplete task that is not suspended there, in order.
  private func holds(of actor: UnsafeMutableRawPointer, _ live: LiveTasks) -> [ActorHold] {
    if let known = holds[actor] { return known }
    let visits = visits.filter { $0.actor == actor }
    let last = Dictionary(visits.map { ($0.task, $0) }) { _, last in last }
    let found = visits.compactMap { visit -> ActorHold? in
      guard last[visit.task] === visit, live.contains(visit), let first = visit.stack.first,
        waits(of: visit.task)?.actor != actor
      else { return nil }
      return ActorHold(
        task: visit.task,
        function: first.function,
        type: visit.type,
        place: visit.stack.first { !$0.isOf(visit.type) }
      )
    }
    holds[actor] = found
    return found
  }
}

/// A call of an actor that probably keeps another task waiting, such as that of a lock.
struct ActorHold {
  /// The task that called.
  let task: UnsafeMutableRawPointer
  /// The function of the actor that it called.
  let function: String
  /// The name of the actor's type.
  let type: String
  /// The function outside of the actor that led to the call.
  let place: SourceFrame?
}

/// The tasks that have not completed, by address. A later task may have the address of a completed one.
struct LiveTasks {
  private var tasks: [UnsafeMutableRawPointer: (number: UInt64, label: String)] = [:]

  mutating func insert(_ task: UnsafeMutableRawPointer, _ label: String) {
    let number = Runtime.taskNumber(of: unsafeBitCast(task, to: UnownedJob.self))
    tasks[task] = (number, label)
  }

  /// Returns the label of the task of an entry; nil if it has completed.
  func label(_ visit: ActorVisit) -> String? { label(visit.task, visit.number) }

  /// Returns the label of the task that had an address and a number of the runtime; nil if it has completed.
  func label(_ task: UnsafeMutableRawPointer, _ number: UInt64) -> String? {
    tasks[task].flatMap { $0.number == number ? $0.label : nil }
  }

  func contains(_ visit: ActorVisit) -> Bool { label(visit) != nil }

  /// Returns the label of a task that waits; nil if it is unknown.
  func label(ofWaiting task: UnsafeMutableRawPointer) -> String? { tasks[task]?.label }
}

/// The entry of a task into an actor.
final class ActorVisit {
  let actor, task: UnsafeMutableRawPointer
  /// The runtime's number of the task.
  let number: UInt64
  let type: String
  /// The number among all entries, in the order of their runs.
  let order: UInt64
  /// The numbers and Boolean values of the actor when the task began to run there: `permits was 1`; empty if unknown.
  let state: [String]
  /// The addresses at which the functions of the task continue, the innermost first.
  let addresses: [UInt]

  init(_ visit: cvt_visit) {
    (actor, task, number) = (visit.actor, visit.task, visit.number)
    // An entry without a run comes last.
    order = visit.entry == 0 ? .max : visit.entry
    let actorType = unsafeBitCast(visit.type, to: Any.Type.self)
    type = _typeName(actorType, qualified: false)
    state = withUnsafeBytes(of: visit.fields) { fields in
      Self.values(
        of: actorType,
        in: UnsafeRawBufferPointer(rebasing: fields.prefix(visit.field_size))
      )
    }
    addresses = withUnsafeBytes(of: visit.frames) { frames in
      // Lookups subtract 1, as for return addresses.
      frames.bindMemory(to: UInt.self).prefix(Int(visit.count)).map { $0 + 1 }
    }
  }

  private static func values(of type: Any.Type, in fields: UnsafeRawBufferPointer) -> [String] {
    guard fields.count > 0 else { return [] }
    var values: [String] = []
    // The option 1 is `classType`.
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
      let start = offset - Int(CVT_FIELDS_START)
      guard start >= 0, let text = text(of: type, at: start, in: fields) else { return true }
      values.append("\(String(cString: name)) was \(text)")
      return values.count < mostValues
    }
    return values
  }

  private static let mostValues = 4

  private static func text(of type: Any.Type, at start: Int, in fields: UnsafeRawBufferPointer)
    -> String?
  {
    func load<Value: BitwiseCopyable>(_: Value.Type) -> String? {
      start + MemoryLayout<Value>.size <= fields.count
        ? "\(fields.loadUnaligned(fromByteOffset: start, as: Value.self))" : nil
    }
    if type == Bool.self { return start < fields.count ? "\(fields[start] & 1 == 1)" : nil }
    guard let number = type as? any (FixedWidthInteger & BitwiseCopyable).Type else { return nil }
    return load(number)
  }

  /// The functions of the tested code, the innermost first.
  private(set) lazy var stack: [SourceFrame] = StackFunction.frames(at: addresses)

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
  /// The function outside of the actor that created it; nil if unknown.
  package let creator: SourceFrame?

  package struct Call: Sendable, Hashable, Codable {
    /// The function, and for a function of the actor, the function outside of it that led to the call.
    package let stack: [SourceFrame]
    /// The task; nil if it has completed.
    package let task: String?
    /// The numbers and Boolean values of the actor when each call began to run, without repetition: `permits was 1`; empty if
    /// they are unknown.
    package fileprivate(set) var states: [String]
    package fileprivate(set) var count: Int
  }

  private static let mostCalls = 8

  fileprivate init(
    type: String,
    _ visits: [ActorVisit],
    isComplete: Bool,
    creators: [SourceFrame],
    state: [String],
    _ live: LiveTasks
  ) {
    (self.type, self.state) = (type, state)
    creator = creators.first { !$0.isOf(type) }
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
      let call = Call(
        stack: [first] + (caller.map { [$0] } ?? []),
        task: live.label(visit),
        states: visit.state.isEmpty ? [] : [visit.state.joined(separator: ", ")],
        count: 1
      )
      if let last = calls.last, last.stack == call.stack, last.task == call.task,
        last.states.isEmpty == call.states.isEmpty
      {
        calls[calls.count - 1].count += 1
        if last.states.last != call.states.last { calls[calls.count - 1].states += call.states }
      } else {
        calls.append(call)
      }
    }
    self.calls = calls.suffix(Self.mostCalls)
    isCut = !isComplete || calls.count > Self.mostCalls
  }

  /// The calls, one a line.
  var lines: [String] {
    (creator.map { ["this \(type) was created in \($0)"] } ?? [])
      + (state.isEmpty ? [] : ["this \(type) has \(state.joined(separator: ", "))"])
      + [isCut ? "the latest calls of this \(type):" : "the calls of this \(type), in order:"]
      + calls.map { "  \($0.text)" }
  }
}

extension ActorCalls.Call {
  fileprivate var text: String {
    let stack = stack.map(\.description).joined(separator: ", called in ")
    let times = count > 1 ? " (\(count) times)" : ""
    return "\(stack), by \(task ?? "a task that has ended")\(times)\(textOfStates)"
  }

  private var textOfStates: String {
    guard let first = states.first, let last = states.last else { return "" }
    return states.count == 1
      ? "; \(first) before it" : "; \(first) before the first one, and \(last) before the last"
  }
}

extension SourceFrame {
  /// Whether the function belongs to a type.
  fileprivate func isOf(_ type: String) -> Bool {
    function.hasPrefix(type + ".") || function.hasPrefix("closure in \(type).")
  }
}

extension cvt_callers {
  /// The return addresses.
  var addresses: [UInt] {
    withUnsafeBytes(of: frames) { frames in
      Array(frames.bindMemory(to: UInt.self).prefix(Int(count)))
    }
  }
}

/// A checked continuation that code dropped before it resumed it, so that its task waits forever.
package struct DroppedContinuation: Sendable, Hashable, Codable {
  /// The function of the tested code that dropped it; nil if unknown, or if no code had kept it.
  package let place: SourceFrame?
  /// Whether no code had kept it when the closure of `withCheckedContinuation` returned.
  package let wasNotKept: Bool
  /// The task whose code dropped it; nil if it has completed, if there was none, or if no code had kept the continuation.
  package let task: String?
  /// Whether the code that dropped it was the closure of another continuation, which has probably replaced it.
  package let wasReplaced: Bool

  fileprivate init(_ drop: cvt_drop, by task: String?) {
    let frames = drop.callers.addresses
    let callers = StackFunction.callers(at: frames)
    func makesContinuation(_ functions: some Sequence<StackFunction>) -> Bool {
      functions.contains { $0.name?.hasPrefix("withChecked") == true }
    }
    let inner = callers.prefix { !$0.isTested }
    wasNotKept = makesContinuation(inner)
    place = wasNotKept ? nil : StackFunction.frames(at: frames).first
    wasReplaced = !wasNotKept && makesContinuation(callers.dropFirst(inner.count))
    self.task = wasNotKept ? nil : task
  }

  /// How it was dropped.
  var lines: [String] {
    if wasNotKept {
      return ["no code had resumed or kept it when the closure of the continuation returned"]
    }
    let code = [task.map { "by \($0)" }, place.map { "in \($0)" }].compactMap(\.self)
    if code.isEmpty { return [] }
    let replacement = wasReplaced ? ", which ran for another continuation" : ""
    return ["dropped \(code.joined(separator: ", "))\(replacement)"]
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
