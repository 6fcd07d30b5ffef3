package import Exploring

/// A kind of bug that most runs do not show: the default schedule is correct, and so is its golden.
package struct Specimen: Sendable {
  package typealias Scenario = @MainActor @Sendable (ExploredRun) async throws -> Void

  /// The name of the bug.
  package let name: String
  /// The effect for users.
  package let symptom: String
  /// A scenario with the buggy code.
  package let bug: Scenario
  /// The same scenario with its repaired twin.
  package let twin: Scenario

  package init(
    name: String,
    symptom: String,
    bug: @escaping Scenario,
    twin: @escaping Scenario
  ) {
    (self.name, self.symptom, self.bug, self.twin) = (name, symptom, bug, twin)
  }
}

/// Common bugs of loading code, each in a small model as in an app, with a repaired twin.
/// `docs/zoo.md` describes them.
package enum Zoo {
  package static let all: [Specimen] = [
    .staleResponse, .staleError, .overdraft, .doubleRefresh, .unwantedWrite, .lostCancellation,
    .retryStorm, .doubleSubmit, .poisonedCache, .endlessSpinner, .flickeringSpinner, .droppedKey,
    .rolledBackEdit, .repeatedPage, .deadSubscription, .missedChange, .overtakenSave,
    .circularRefresh,
  ]
}

extension ExploredRun {
  /// Waits for one of these times; the default schedule uses the first.
  func take(_ times: Duration...) async throws {
    try await Task.sleep(for: choose(times))
  }

  /// Makes the run fail if a condition does not hold, without the path of the source file.
  ///
  /// The specimens are part of the program, whose bytes must not depend on the folder in which it is built.
  func check(
    _ condition: Bool,
    _ rule: String,
    _ what: @autoclosure () -> String = "",
    fileID: String = #fileID,
    line: Int = #line,
    column: Int = #column
  ) {
    check(condition, rule, what(), fileID: fileID, filePath: (fileID), line: line, column: column)
  }
}
