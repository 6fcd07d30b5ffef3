import Exploring
import Script
import Staging
import Timelines

/// What holds in every run of anything that loads, whatever it loads: judged in each run of a search, without being
/// asked for.
package enum BuiltInCheck: String, Sendable, CaseIterable, Codable {
  /// An attempt that was replaced, cancelled or reset away changes nothing any more.
  case superseded
  /// What an attempt has come to, it does not change.
  case settled
  /// What is shown at the end is of what was asked for last.
  case lastAsked = "last-asked"
  /// At the end nothing is in flight that will never come.
  case stuck
  /// At the end no superseded work still runs, and no task of a scene waits.
  case leftOver = "left-over"

  /// The rule in words.
  package var rule: String {
    switch self {
    case .superseded: "nothing superseded writes"
    case .settled: "a settled attempt stays settled"
    case .lastAsked: "the last thing asked for is shown at the end"
    case .stuck: "nothing is stuck"
    case .leftOver: "nothing is left over"
    }
  }

  /// Whether it can be judged only when nothing is left to do.
  var isAboutTheEnd: Bool {
    switch self {
    case .superseded, .settled: false
    case .lastAsked, .stuck, .leftOver: true
    }
  }

  /// The one of that rule, if it is one's.
  package init?(rule: String) {
    guard let check = Self.allCases.first(where: { $0.rule == rule }) else { return nil }
    self = check
  }
}

/// A violation of a built-in check by a member or by a task of a scene.
struct BuiltInViolation: Sendable {
  let check: BuiltInCheck
  let member: String
  /// How.
  let what: String
  /// Whether it is about a task.
  var isOfTask = false

  /// Whether it is of the same member, and the same check.
  func isLike(_ other: BuiltInViolation) -> Bool {
    check == other.check && member == other.member
  }
}

extension BuiltInViolation {
  /// A violation by a task that nothing resumes. The task's number on the stage differs between runs, so its name
  /// identifies it, or the function that waits, and `number` counts the tasks at the same place.
  init(_ task: UnfinishedTask, place: String, number: Int) {
    check = .leftOver
    member = "task \(number) \(place)"
    what = "at the end nothing resumes a task that waits: \(task)"
    isOfTask = true
  }

  /// The violation that says that waiting tasks cannot be found.
  static let ofUnknownTasks = BuiltInViolation(
    check: .leftOver,
    member: "task",
    what: "waiting tasks cannot be found with this toolchain",
    isOfTask: true
  )
}

extension Violation {
  /// Maximum number of named tasks.
  private static let mostTasks = 10

  /// Returns the failures for violations of built-in checks: the first of each check, and those of all tasks.
  static func failures(_ violations: [BuiltInViolation]) -> [Violation] {
    let tasks = violations.filter(\.isOfTask)
    return violations.map { violation in
      var what = violation.what
      if violation.isOfTask, tasks.count > 1, violation.what == tasks[0].what {
        let others = tasks.dropFirst().prefix(Self.mostTasks - 1).map(\.what)
        let more = tasks.count > Self.mostTasks ? ["\(tasks.count - Self.mostTasks) more"] : []
        what += " [\((others + more).joined(separator: "; "))]"
      }
      return Violation(rule: violation.check.rule, what: what)
    }
  }
}

/// Reads in a recording which built-in checks were broken, and how.
struct RecordingCheck {
  /// What was broken first, of each check by each member.
  private(set) var broken: [BuiltInViolation] = []
  private var lanes: [LaneReading]

  /// - Parameters:
  ///   - recording: of the whole run.
  ///   - times: how instants are written.
  init(_ recording: Recording, _ times: TimeStyle) {
    lanes = recording.lanes.map { LaneReading($0, times) }
    for event in recording.events {
      guard let (check, what) = lanes[event.lane].read(event) else { continue }
      add(check, lanes[event.lane], what)
    }
    for lane in lanes { if let what = lane.staleEnd { add(.lastAsked, lane, what) } }
  }

  /// At the end an attempt is there that never comes to its own.
  mutating func addEndless(_ attempt: Int, inLane lane: Int) {
    let lane = lanes[lane]
    add(lane.isInFlight ? .stuck : .leftOver, lane, "\(lane.name): #\(attempt) never ends")
  }

  /// Adds a violation for loads of a pipe that never end.
  mutating func addEndlessLoads(_ count: Int, ofPipe name: String) {
    let what = count == 1 ? "a load never ends" : "\(count) loads never end"
    add(BuiltInViolation(check: .stuck, member: name, what: "\(name): \(what)"))
  }

  private mutating func add(_ check: BuiltInCheck, _ lane: LaneReading, _ what: String) {
    add(BuiltInViolation(check: check, member: lane.name, what: what))
  }

  private mutating func add(_ violation: BuiltInViolation) {
    if !broken.contains(where: violation.isLike) { broken.append(violation) }
  }
}

/// What a lane's events say about its attempts.
private struct LaneReading {
  /// How an attempt stopped counting: when, and by what.
  private struct Loss {
    let attempt: Int
    let words: String
    /// Whether it may still settle on what was there before it.
    let isCancelled: Bool
  }

  let name: String
  private let times: TimeStyle
  private(set) var isInFlight: Bool
  private let hasMachine: Bool
  private var losses: [Loss] = []
  private var settled: [(attempt: Int, words: String)] = []
  /// The attempt that was asked for last; nil where everything was to stop.
  private var asked: Int?
  /// What that attempt wrote, if it did.
  private var answer: String?
  /// Who wrote what is shown, since that was asked for.
  private var writer: Int?
  /// What is shown.
  private var state: String

  init(_ lane: Recording.Lane, _ times: TimeStyle) {
    name = lane.name
    self.times = times
    isInFlight = lane.phase == .inFlight
    state = lane.initial
    hasMachine = lane.machine != nil
  }

  /// - Returns: what the event breaks, if it breaks something.
  mutating func read(_ event: Recording.Event) -> (BuiltInCheck, String)? {
    if let phase = event.phase { isInFlight = phase == .inFlight }
    let before = state
    state = event.state ?? before
    guard hasMachine else { return nil }
    switch event.kind {
    case .started(let replaced, _):
      if let replaced, let attempt = event.attempt {
        lose(replaced, "was replaced by #\(attempt)", event, isCancelled: false)
      }
      ask(event.attempt)
    case .cancelled: stop(event, "was cancelled", isCancelled: true)
    case .reset: stop(event, "was reset", isCancelled: true)
    case .assigned: stop(event, "was replaced by hand", isCancelled: false)
    case .yielded(let dropped):
      return dropped ? nil : write(event, over: before, end: nil)
    case .stopped(let end, let pending):
      return pending ? nil : write(event, over: before, end: end)
    case .ended(let end, let dropped):
      return dropped ? nil : write(event, over: before, end: end)
    default: break
    }
    return nil
  }

  private mutating func ask(_ attempt: Int?) {
    (asked, answer, writer) = (attempt, nil, nil)
  }

  private mutating func stop(_ event: Recording.Event, _ words: String, isCancelled: Bool) {
    if let attempt = event.attempt { lose(attempt, words, event, isCancelled: isCancelled) }
    ask(nil)
  }

  private mutating func lose(
    _ attempt: Int,
    _ words: String,
    _ event: Recording.Event,
    isCancelled: Bool
  ) {
    let words = "\(words) at \(times.text(of: event.time))"
    losses.append(Loss(attempt: attempt, words: words, isCancelled: isCancelled))
  }

  /// An attempt writes a state; `end` where that is its last one.
  private mutating func write(
    _ event: Recording.Event,
    over before: String,
    end: Recording.End?
  ) -> (BuiltInCheck, String)? {
    guard let attempt = event.attempt else { return nil }
    let words = "\(state) at \(times.text(of: event.time))"
    let earlier = settled.first { $0.attempt == attempt }
    if end != nil, earlier == nil { settled.append((attempt, words)) }
    if attempt == asked { answer = state }
    // What is written over by the same, nobody sees.
    guard state != before else { return nil }
    let loss = losses.last { $0.attempt == attempt }
    if let loss, loss.isCancelled, end?.settlesBack == true { return nil }
    writer = attempt
    if let loss {
      return (.superseded, "\(name): #\(attempt) \(loss.words), and wrote \(words)")
    }
    if let earlier {
      return (.settled, "\(name): #\(attempt) came to \(earlier.words), and wrote \(words)")
    }
    return nil
  }

  /// What is shown though something else was asked for.
  var staleEnd: String? {
    guard let writer, writer != asked, state != answer else { return nil }
    let last = asked.map { "#\($0) was asked for last" } ?? "nothing was asked for any more"
    return "\(name): \(state), of #\(writer), is shown at the end, but \(last)"
  }
}

extension Recording.End {
  /// Whether the state becomes what it was before the attempt.
  fileprivate var settlesBack: Bool {
    switch self {
    case .cancelled, .reset, .empty: true
    case .succeeded, .failed: false
    }
  }
}
