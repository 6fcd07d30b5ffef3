/// Why a pending result cannot be reviewed.
package enum PendingProblem: Error, Sendable, Equatable {
  /// The file that it belongs to does not exist.
  case orphaned
  /// The file has other content than the one that was played.
  case changed
  /// The pending result changes more than output.
  case unfit
  /// The pending result changes nothing, possibly because the same file was updated under another name.
  case empty
  /// The file does not begin like a pending result.
  case noResult
  /// The pending result is a pipe or a device, which is not read.
  case notAFile
  case unreadable(FileProblem)

  /// The problem as text, a fact about the pending result.
  package var sentence: String {
    switch self {
    case .orphaned: "the file that it belongs to does not exist"
    case .changed: "the file has changed since"
    case .unfit: "it changes more than output"
    case .empty: "it changes nothing"
    case .noResult: "this is not a pending result"
    case .notAFile: "the path of its pending result is not a regular file"
    case .unreadable(let problem): problem.sentence
    }
  }

  /// The exit code of a program that needed a decision about it.
  package var exit: ProgramExit {
    switch self {
    case .orphaned, .changed, .unfit, .empty, .noResult: .differences
    case .unreadable(.changed): .differences
    case .unreadable(let problem): problem.placeTakesNothing ? .harness : .usage
    case .notAFile: .usage
    }
  }

  /// Whether the pending result may be removed. A file that does not look like one is removed only next to a transcript.
  ///
  /// - Parameter file: the file that the pending result belongs to.
  /// - Returns: whether removing it is safe.
  package func canBeForgotten(_ file: String) -> Bool {
    switch self {
    case .orphaned, .changed, .unfit, .empty, .unreadable: true
    case .noResult: PendingSelection.isOfTranscripts(file)
    case .notAFile: false
    }
  }

  /// Returns what to do.
  ///
  /// - Parameters:
  ///   - file: the file that the pending result belongs to.
  ///   - place: the location of pending results.
  ///   - program: the name of the program.
  /// - Returns: a hint; nil if there is no advice.
  package func hint(
    _ file: String,
    in place: PendingPlace,
    program: String = ProgramName.current
  ) -> String? {
    let again = "run the test again: \(program) test \(FailureText.quoted(file))"
    let remove = "remove it: \(program) \(place.rejection(of: file))"
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

/// A decision about output that differs.
package enum PendingDecision: Sendable, Equatable {
  /// The printed output is right.
  case accept
  /// The expected output is right.
  case reject
}
