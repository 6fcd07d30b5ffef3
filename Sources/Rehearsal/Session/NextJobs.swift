import Harness
import RehearsalBase
import Script
import Staging

/// The list of the jobs that could run next in a session, as text and as JSON.
struct NextJobs {
  /// The instant at which they are ready.
  let instant: Duration
  let all: [Job]

  struct Job {
    /// What runs: `feed #1`, `task 3`, `a block on DispatchQueue.main`.
    let name: String
    let step: PossibleStep
  }

  /// - Parameters:
  ///   - next: the steps of the stage.
  ///   - tasks: the tasks that have other names in the session.
  init(_ next: Stage.NextSteps, naming tasks: [(task: Task<Void, Never>, label: String)]) {
    let labels = Dictionary(tasks.map { (Stage.number(of: $0.task), $0.label) }) { $1 }
    instant = next.instant.elapsed
    all = next.steps.map { step in
      Job(name: step.task.flatMap { labels[$0] } ?? step.text.subject, step: step)
    }
  }
}

extension NextJobs.Job {
  /// `feed #1 runs on the main actor: Feed.load() at Feed.swift:14`.
  var text: String { step.description(naming: name) }

  fileprivate func json(number: Int) -> JSONValue {
    let fields: [(String, JSONValue?)] = [
      ("job", .number("\(number)")), ("text", .string(text)), ("name", .string(name)),
      ("action", .string(step.action.rawValue)), ("actor", step.actor.map(JSONValue.string)),
      ("place", step.text.place.map(JSONValue.string)),
      ("file", step.text.file.map(JSONValue.string)),
      ("line", step.text.line.map { .number("\($0)") }),
    ]
    return .object(fields.compactMap { name, value in value.map { .init(name: name, value: $0) } })
  }
}

extension NextJobs {
  /// Maximum number of jobs that are printed.
  private static let most = 50

  /// Returns the list as text.
  ///
  /// - Parameter instant: the instant in the format of the session.
  /// - Returns: the lines.
  func lines(at instant: String) -> [String] {
    let count = "job".counted(all.count)
    let others = all.count - Self.most
    return ["\(count) could run next, at \(instant):"]
      + all.prefix(Self.most).enumerated().map { index, job in
        "\(index + 1). \(job.text)".printable(atMost: 400)
      } + (others > 0 ? ["and \(others) more"] : [])
  }

  var object: JSONLine {
    let jobs = all.enumerated().map { index, job in job.json(number: index + 1) }
    return JSONLine("next").with("time", instant).with("jobs", .array(jobs))
  }
}

@MainActor extension Session {
  /// Prints the jobs that could run next.
  func show(_ jobs: NextJobs) {
    output.addObject(jobs.object)
    if jobs.all.isEmpty {
      output.print("nothing left to do at \(nowText)")
      return clock.printStuckAttempts()
    }
    for line in jobs.lines(at: options.text(jobs.instant)) { output.print(line) }
  }

  /// Prints the jobs that could run next after commands were undone, if the user chooses them.
  func showNextJobs() {
    guard scheduling.isByHand, let jobs = try? clock.nextJobs(span: 0..<0), !jobs.all.isEmpty else {
      return
    }
    output.addObject(jobs.object)
    for line in jobs.lines(at: options.text(jobs.instant)) { output.printAside(OutputLine(line)) }
  }
}
