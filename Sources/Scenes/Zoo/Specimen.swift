package import Exploring

/// A kind of bug that most runs do not show: the plain one is green, and so would a golden of it be.
package struct Specimen: Sendable {
  package typealias Scenario = @MainActor @Sendable (ExploredRun) async throws -> Void

  /// What it is called.
  package let name: String
  /// What users see when it bites.
  package let symptom: String
  /// What happens, to code that has the bug.
  package let bug: Scenario
  /// The same, to its twin, which has not.
  package let twin: Scenario
}

/// Bugs of loading that have reached many users, each in a small model as an app would have it, beside its
/// repaired twin. `docs/zoo.md` is about them.
package enum Zoo {
  package static let all: [Specimen] = [
    .staleResponse, .staleError, .overdraft, .doubleRefresh, .unwantedWrite, .lostCancellation,
    .retryStorm, .doubleSubmit, .poisonedCache, .endlessSpinner, .flickeringSpinner, .droppedKey,
    .rolledBackEdit, .repeatedPage, .deadSubscription, .missedChange, .overtakenSave,
    .circularRefresh,
  ]
}

extension ExploredRun {
  /// Takes one of these times, the first in a plain run.
  func take(_ times: Duration...) async throws {
    try await Task.sleep(for: choose(times))
  }
}
