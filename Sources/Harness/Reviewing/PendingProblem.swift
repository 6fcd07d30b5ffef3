/// Why a pending result cannot be reviewed.
package enum PendingProblem: Error, Sendable, Equatable {
  /// The file that it is for is gone.
  case orphaned
  /// The file has other content than the one that was played.
  case changed
  /// The pending result changes more than output.
  case unfit
  /// The file is what the pending result would make of it, perhaps by another name of the same file.
  case empty
  /// The file does not begin like a pending result.
  case noResult
  case unreadable(FileProblem)

  /// What is wrong, a fact about the pending result.
  package var sentence: String {
    switch self {
    case .orphaned: "the file that it is for is gone"
    case .changed: "the file has changed since"
    case .unfit: "it changes more than output"
    case .empty: "it changes nothing"
    case .noResult: "this is no pending result"
    case .unreadable(let problem): problem.sentence
    }
  }

  /// How a program ends that was to decide about it.
  package var exit: ProgramExit {
    guard case .unreadable(let problem) = self else { return .differences }
    return problem == .changed ? .differences : problem.placeTakesNothing ? .harness : .usage
  }

  /// What to try.
  ///
  /// - Parameters:
  ///   - file: the file that the pending result is for.
  ///   - place: where pending results lie.
  ///   - program: the name of the program.
  /// - Returns: a hint; nil where there is nothing to say.
  package func hint(
    _ file: String,
    in place: PendingPlace,
    program: String = ProgramName.current
  ) -> String? {
    let remove = "forget it: \(program) \(place.rejection(of: file))"
    return switch self {
    case .orphaned: remove
    case .changed, .unfit, .empty:
      "run the test again: \(program) test \(FailureText.quoted(file)); or \(remove)"
    case .noResult: "run the test again: \(program) test \(FailureText.quoted(file))"
    case .unreadable: nil
    }
  }
}

/// What somebody decides about output that differs.
package enum PendingDecision: Sendable, Equatable {
  /// What was printed is right.
  case accept
  /// What was expected is right.
  case reject
}
