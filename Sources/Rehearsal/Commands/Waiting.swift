import RehearsalBase
import Script
import Staging

extension ShellCommand {
  static let waiting = ShellCommand(
    definition: CommandDefinition(
      "waiting",
      topic: .looking,
      summary: "Prints what each load and each task waits for, and where.",
      details: [
        "An entry is a load in flight, a blocked thread, or a task of a scene. Below a task are the functions in which it is suspended, the innermost first. A program with debug information also has the file and the line of each. Tasks that wait for each other are a 'deadlock'. 'full' also prints the functions of libraries and of Rehearse."
      ],
      problems: [
        "hang, stuck, never returns, await, backtrace: prints what each task waits for, and where",
        "deadlock: names the tasks that wait for each other",
      ],
      clauses: [.keyword("full")],
      meanings: ["full": "with the functions of libraries and of Rehearse"],
      effects: .looks,
      examples: [
        """
        > loadable profile
        > load profile never
             0.000s  profile  absent → loading #1
        > waiting
          profile #1 still waiting, with nothing left to run
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let waits = Waits(of: session, isFull: arguments.has("full"))
    for line in waits.lines { session.output.print(line.printable(atMost: 400)) }
    for object in waits.objects { session.output.addObject(object) }
  }
}

/// All that waits in a session.
@MainActor private struct Waits {
  /// Loads without a function of the tested code: the session waits for them itself.
  private var attempts: [(label: String, isStuck: Bool)] = []
  private let calls: [BlockedCall]
  private let report: WaitReport

  init(of session: Session, isFull: Bool) {
    session.clock.disownAttempts()
    let tasks = session.members.tasksOfAttempts
    for member in session.members.all where !member.isConstant {
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

  private static func text(_ attempt: (label: String, isStuck: Bool)) -> String {
    "\(attempt.label) \(attempt.isStuck ? "still waiting, with nothing left to run" : "in flight")"
  }

  var lines: [String] {
    let lines = attempts.map(Self.text) + calls.flatMap(\.lines) + report.lines
    return lines.isEmpty ? ["nothing waits"] : lines
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
  fileprivate var json: JSONValue {
    let fields: [(String, JSONValue?)] = [
      ("text", .string("\(label) \(why)")), ("cancelled", isCancelled ? .bool(true) : nil),
      ("stack", .array(stack.map(\.json))), ("remarks", remarks.json),
      ("children", .array(children.map(\.json))),
    ]
    return .object(fields.compactMap { name, value in value.map { .init(name: name, value: $0) } })
  }
}
