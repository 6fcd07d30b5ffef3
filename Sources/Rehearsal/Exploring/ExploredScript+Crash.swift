package import Exploring

/// Runs that do not come back, and what is known of them.
extension ExploredScript {
  /// Somebody who notes how far runs have come, in case they do not come back.
  package struct Watch: Sendable {
    /// Told before a run of what decides in it.
    var willRun: @Sendable (Decisions) -> Void = { _ in }
    /// Told before a run that is done again to be shown.
    var willRehearse: @Sendable (Schedule) -> Void = { _ in }
    /// Told the place of a command before it is performed.
    var willPerform: @Sendable (Int) -> Void = { _ in }
    /// Told each line that a command prints.
    var hasPrinted: @Sendable (String) -> Void = { _ in }

    /// Nobody.
    package init() {}

    package init(
      willRun: @escaping @Sendable (Decisions) -> Void,
      willRehearse: @escaping @Sendable (Schedule) -> Void,
      willPerform: @escaping @Sendable (Int) -> Void,
      hasPrinted: @escaping @Sendable (String) -> Void
    ) {
      self.willRun = willRun
      self.willRehearse = willRehearse
      self.willPerform = willPerform
      self.hasPrinted = hasPrinted
    }
  }

  /// How a run ends its process.
  package struct Crash: Sendable {
    /// The place of the command.
    package let command: Int
    /// What is known of the run.
    package let outcome: RunOutcome
    /// What the command printed, and that it ended the process; nil where nobody noted it.
    package let output: [String]?
    /// What the process wrote beside it.
    package let written: [String]

    package init(command: Int, outcome: RunOutcome, output: [String]?, written: [String]) {
      self.command = command
      self.outcome = outcome
      self.output = output
      self.written = written
    }
  }
}
