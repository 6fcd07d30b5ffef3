package import Workers

/// What a search performs in workers.
package protocol SearchSubject: AnyObject {
  /// What runs perform, such as the commands of a script. A trial performs other content.
  associatedtype Content: Codable & Hashable
  /// Why it cannot be explored.
  associatedtype Refusal: Error & Codable

  var content: Content { get }

  /// Whether the default schedule ends the process, so that workers that start from now on do not perform it first.
  var crashesByDefault: Bool { get set }

  /// Makes, in the process of a worker, what performs runs there.
  func makeRuns(_ progress: RunProgress) throws(Refusal) -> SearchRuns<Content>

  /// Returns what is known of a run that ended its process.
  func crash(_ end: WorkerEnd, of content: Content, _ progress: RunProgress) -> RunCrash

  /// Returns why it cannot be explored if the default schedule ends its process; nil if that is a finding.
  func refusal(_ crash: RunCrash, isRepeatable: Bool) -> Refusal?
}

/// What performs runs in a worker.
package struct SearchRuns<Content> {
  let play: (SearchScheduler) -> RunOutcome
  let perform: (Content, Schedule) -> ReplayedRun
  let complete: (inout Findings) -> Void

  /// - Parameters:
  ///   - play: performs one run.
  ///   - perform: performs other content by a schedule.
  ///   - complete: adds to the findings of the default schedule what is known before any run.
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
  /// What is known of the run.
  package let outcome: RunOutcome
  /// What the step printed, and how the process ended; nil if that was not noted.
  package let output: [String]?
  /// What the process wrote to its standard streams.
  package let written: [String]

  package init(step: Int, outcome: RunOutcome, output: [String]?, written: [String]) {
    self.step = step
    self.outcome = outcome
    self.output = output
    self.written = written
  }
}
