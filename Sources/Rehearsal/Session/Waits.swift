import RehearsalBase
import Script
import Staging

/// What waits in a session, as text and as JSON, and when a failed check names it.
@MainActor struct Waits {
  /// Loads without a function of the tested code: the session waits for them itself.
  private var attempts: [(label: String, isStuck: Bool)] = []
  private let calls: [BlockedCall]
  private let report: WaitReport

  /// - Parameters:
  ///   - session: the session.
  ///   - isFull: whether stacks include functions of libraries and of Rehearse.
  init(of session: Session, isFull: Bool = false) {
    session.clock.disownAttempts()
    let tasks = session.members.tasksOfAttempts
    for member in session.members.all {
      let stuck = Set(member.stuckAttempts.map(\.number))
      attempts += member.liveAttempts.map {
        (label: "\(member.name) #\($0.number)", isStuck: stuck.contains($0.number))
      }
    }
    calls = session.stage.blockedCalls
    let all = session.stage.waitingTasks(with: tasks, isFull: isFull) ?? WaitReport(tasks: [])
    let labels = Set(tasks.map(\.label))
    // The work of a load that the shell simulates has no function of the tested code.
    let isOwn = { (task: WaitingTask) in
      labels.contains(task.label) && task.stack.isEmpty && task.children.isEmpty
    }
    report = WaitReport(tasks: all.tasks.filter { !isOwn($0) }, deadlocks: all.deadlocks)
    let shown = Set(report.tasks.map(\.label))
    attempts.removeAll { shown.contains($0.label) }
  }

  static let none = Waits(calls: [], report: WaitReport(tasks: []))

  private init(calls: [BlockedCall], report: WaitReport) {
    (self.calls, self.report) = (calls, report)
  }

  var isEmpty: Bool { attempts.isEmpty && calls.isEmpty && report.tasks.isEmpty }

  /// The blocked calls and the tasks with a function of the tested code, except for those that `named` contains. Adds them
  /// to it.
  func withPlaces(besides named: inout Set<String>) -> Waits {
    let calls = calls.filter { named.insert($0.text).inserted }
    let tasks = report.tasks.filter { named.insert($0.key).inserted }
    let labels = Set(tasks.map(\.label))
    let deadlocks = report.deadlocks.filter { $0.waits.contains { labels.contains($0.task) } }
    return Waits(calls: calls, report: WaitReport(tasks: tasks, deadlocks: deadlocks))
  }

  /// The number of blocked calls and of tasks with a function of the tested code.
  var placeCount: Int { calls.count + report.tasks.count }

  private static func text(_ attempt: (label: String, isStuck: Bool)) -> String {
    "\(attempt.label) \(attempt.isStuck ? "still waiting, with nothing left to run" : "in flight")"
  }

  var lines: [String] {
    let lines = attempts.map(Self.text) + calls.flatMap(\.lines) + report.lines
    return lines.isEmpty ? ["nothing waits"] : lines
  }

  /// A heading and the lines; empty if nothing waits.
  fileprivate func explanation(_ heading: String) -> [String] {
    isEmpty ? [] : [heading] + lines.map { $0.printable(atMost: 400) }
  }

  var objects: [JSONLine] {
    attempts.map { JSONLine("waiting").with("text", Self.text($0)).with("name", $0.label) }
      + calls.map {
        JSONLine("blocked").with("text", $0.text).with("stack", .array($0.stack.map(\.json)))
          .with("remarks", $0.remarks.json)
      }
      + report.tasks.map { task in
        JSONLine("waiting").with("text", "\(task.label) \(task.why)").with("name", task.label)
          .with("cancelled", task.isCancelled ? .bool(true) : nil)
          .with("stack", .array(task.stack.map(\.json)))
          .with("remarks", task.remarks.json)
          .with("children", task.children.isEmpty ? nil : .array(task.children.map(\.json)))
      }
      + report.deadlocks.map {
        JSONLine("deadlock").with("tasks", .array($0.waits.map { .string($0.task) }))
          .with("probable", $0.isUncertain ? .bool(true) : nil)
      }
  }
}

extension Session {
  /// What still waits, and where, if the last command has named it or was a check that failed, and nothing is left to run.
  /// Empty otherwise.
  ///
  /// It is no output of the command: it names lines of source, so a transcript would change with each edit.
  ///
  /// - Parameter onlyNew: whether to leave out what an earlier call with `onlyNew` has returned.
  /// - Returns: what waits, and whether something was left out.
  func waitsToExplain(onlyNew: Bool) -> (shown: Waits, isPart: Bool) {
    guard execution.hasNamedWaits || execution.failures.contains(where: \.isUnmet),
      stage.pending.isEmpty
    else { return (.none, isPart: false) }
    let waits = Waits(of: self)
    var named: Set<String> = []
    let shown =
      onlyNew ? waits.withPlaces(besides: &clock.explained) : waits.withPlaces(besides: &named)
    return (shown, isPart: onlyNew && shown.placeCount < waits.placeCount)
  }
}

extension SessionHost {
  /// Returns what still waits, and where, as lines: the reason of a failed check, or of waits that the last command has
  /// named.
  ///
  /// - Parameter onlyNew: whether to leave out what an earlier call with `onlyNew` has returned.
  /// - Returns: a heading and the lines; empty if nothing waits.
  package func reasons(onlyNew: Bool) -> [String] {
    stage.enter { [session] in
      let (waits, isPart) = session.waitsToExplain(onlyNew: onlyNew)
      return waits.explanation(
        "nothing is left to run. What waits\(isPart ? " in addition" : ""), and where:"
      )
    }
  }

  /// What waits at the end of a run, and where, as lines; empty if no code of a scene waits.
  var waitsAtEnd: [String] {
    stage.enter { [session] in
      var named: Set<String> = []
      return Waits(of: session).withPlaces(besides: &named).explanation(
        session.stage.pending.isEmpty
          ? "nothing is left to run. What waits, and where:" : "what waits, and where:"
      )
    }
  }

  /// The new ones as objects.
  func newReasonObjects() -> [JSONLine] {
    stage.enter { [session] in session.waitsToExplain(onlyNew: true).shown.objects }
  }
}

extension SourceFrame {
  fileprivate var json: JSONValue {
    let fields: [(String, JSONValue?)] = [
      ("function", .string(function)), ("file", file.map(JSONValue.string)),
      ("line", line.map { .number("\($0)") }),
    ]
    return .object(fields.compactMap { name, value in value.map { .init(name: name, value: $0) } })
  }
}

extension [String] {
  /// An array; nil if it is empty.
  fileprivate var json: JSONValue? { isEmpty ? nil : .array(map(JSONValue.string)) }
}

extension WaitingTask {
  /// A text that tells waits of one session apart.
  var key: String { "\(number ?? 0) \(label) \(why)" }

  fileprivate var json: JSONValue {
    let fields: [(String, JSONValue?)] = [
      ("text", .string("\(label) \(why)")), ("cancelled", isCancelled ? .bool(true) : nil),
      ("stack", .array(stack.map(\.json))), ("remarks", remarks.json),
      ("children", .array(children.map(\.json))),
    ]
    return .object(fields.compactMap { name, value in value.map { .init(name: name, value: $0) } })
  }
}
