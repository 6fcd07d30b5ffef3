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
  /// It is a pipe or a device, which nobody reads.
  case notAFile
  case unreadable(FileProblem)

  /// What is wrong, a fact about the pending result.
  package var sentence: String {
    switch self {
    case .orphaned: "the file that it is for is gone"
    case .changed: "the file has changed since"
    case .unfit: "it changes more than output"
    case .empty: "it changes nothing"
    case .noResult: "this is no pending result"
    case .notAFile: "what has the name of its pending result is no ordinary file"
    case .unreadable(let problem): problem.sentence
    }
  }

  /// How a program ends that was to decide about it.
  package var exit: ProgramExit {
    switch self {
    case .orphaned, .changed, .unfit, .empty, .noResult: .differences
    case .unreadable(.changed): .differences
    case .unreadable(let problem): problem.placeTakesNothing ? .harness : .usage
    case .notAFile: .usage
    }
  }

  /// Whether what lies there may be removed: what does not look like a pending result only beside a transcript.
  ///
  /// - Parameter file: the file that the pending result is for.
  /// - Returns: whether it may.
  package func canBeForgotten(_ file: String) -> Bool {
    switch self {
    case .orphaned, .changed, .unfit, .empty, .unreadable: true
    case .noResult: PendingSelection.isOfTranscripts(file)
    case .notAFile: false
    }
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
    let again = "run the test again: \(program) test \(FailureText.quoted(file))"
    let remove = "forget it: \(program) \(place.rejection(of: file))"
    switch self {
    case .orphaned: return remove
    case .changed, .unfit, .empty: return "\(again); or \(remove)"
    case .noResult:
      let hints = [FileBytes.exists(file) ? again : nil, canBeForgotten(file) ? remove : nil]
      let hint = hints.compactMap(\.self).joined(separator: "; or ")
      return hint.isEmpty ? nil : hint
    case .notAFile, .unreadable: return nil
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
