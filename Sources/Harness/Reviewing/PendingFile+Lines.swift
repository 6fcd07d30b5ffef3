extension PendingFile {
  /// Decides what was asked for, and leaves the rest.
  ///
  /// - Parameters:
  ///   - decision: what is decided.
  ///   - lines: each any line of a command, or of what stands below it; none for the whole file.
  /// - Returns: a decision for each hunk, and the lines at which nothing is pending.
  package func decisions(
    _ decision: PendingDecision,
    atLines lines: [Int]
  ) -> (decisions: [PendingDecision?], unknown: [Int]) {
    let decisions = hunks.map { hunk in
      lines.isEmpty || lines.contains(where: hunk.lines.contains) ? decision : nil
    }
    let unknown = lines.filter { line in !hunks.contains { $0.lines.contains(line) } }
    return (decisions, unknown)
  }
}
