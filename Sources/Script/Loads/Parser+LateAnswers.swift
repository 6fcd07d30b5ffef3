/// Corrects an `or` that follows clauses: the hint moves it to the end of the answers.
extension Parser {
  /// Returns the error for an `or` that follows clauses, after the end of the answers.
  func lateAnswer(behind end: Int) -> Diagnostic {
    Diagnostic(
      .lateAnswer,
      at: nextSpan,
      hint: lineWithAnswers(movedTo: end).map { "did you mean '\($0)'?" }
        ?? "write all answers first, then the clauses"
    )
  }

  /// Returns the corrected line; nil if it is too long or still has an error.
  private func lineWithAnswers(movedTo end: Int) -> String? {
    var probe = self
    guard (try? probe.takeAnswers()) != nil else { return nil }
    let (clauses, answers) = (end..<endOfTaken, position..<probe.endOfTaken)
    let line =
      text(0..<end) + " " + text(answers) + text(clauses) + text(answers.upperBound..<bytes.count)
    guard line.utf8.count <= Self.longestLineMeant, !line.contains("\n"),
      case .command? = try? Script.read(line, table: table)
    else { return nil }
    return line
  }

  private static let longestLineMeant = 200

  private mutating func takeAnswers() throws(Diagnostic) {
    while accept("or") != nil {
      if try outcomeIfAny(orRequest: true) == nil { _ = try value() }
    }
  }
}
