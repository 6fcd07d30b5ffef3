package import Workers

/// The subject of a search in workers: a script or a scenario.
package protocol SearchSubject: AnyObject {
  /// The content of runs, such as the commands of a script. Trials perform other content.
  associatedtype Content: Codable & Hashable
  /// The reason why the subject cannot be explored.
  associatedtype Refusal: Error & Codable

  var content: Content { get }

  /// Whether the default schedule ends the process, so that workers that start from now on do not perform it first.
  var crashesByDefault: Bool { get set }

  /// Returns the functions that perform runs in the process of a worker.
  func makeRuns(_ progress: RunProgress) throws(Refusal) -> SearchRuns<Content>

  /// Returns a description of a run that ended its process.
  func crash(_ end: WorkerEnd, of content: Content, _ progress: RunProgress) -> RunCrash

  /// Returns why the subject cannot be explored if the default schedule ends its process; nil if
  /// that is a finding.
  func refusal(_ crash: RunCrash, isRepeatable: Bool) -> Refusal?
}

/// The functions that perform runs in a worker.
package struct SearchRuns<Content> {
  let play: (SearchScheduler) -> RunOutcome
  let perform: (Content, Schedule) -> ReplayedRun
  let complete: (inout Findings) -> Void

  /// - Parameters:
  ///   - play: performs one run.
  ///   - perform: performs other content by a schedule.
  ///   - complete: adds facts that are known before any run to the findings of the default schedule.
  package init(
    play: @escaping (SearchScheduler) -> RunOutcome,
    perform: @escaping (Content, Schedule) -> ReplayedRun,
    complete: @escaping (inout Findings) -> Void
  ) {
    self.play = play
    self.perform = perform
    self.complete = complete
  }
}

/// A run that ended its process.
package struct RunCrash: Sendable {
  /// The step that ended it, such as the index of a command.
  package let step: Int
  /// The outcome, as far as it is known.
  package let outcome: RunOutcome
  /// The output of the step, and how the process ended; nil if it was not noted.
  package let output: [String]?
  /// What is known about the end: the process's output to its standard streams, and what it performed.
  package let notes: [String]

  package init(step: Int, outcome: RunOutcome, output: [String]?, notes: [String]) {
    self.step = step
    self.outcome = outcome
    self.output = output
    self.notes = notes
  }
}
