import RemoteLoading

/// Says how far a body has come, at each quarter of it; nothing where it comes in one piece.
struct ProgressMeter {
  private var lastQuarter = 0

  /// What to say about a report, nil for nothing.
  mutating func text(of report: TransferProgress) -> String? {
    guard let expected = report.expected, expected > 0, report.received > 0 else { return nil }
    let quarter = report.received * 4 / expected
    // A body whose first piece is all of it needs no word.
    guard quarter > lastQuarter, quarter < 4 || lastQuarter > 0 else { return nil }
    lastQuarter = quarter
    return "\(report.received * 100 / expected)% received, \(report.received) of \(expected) bytes"
  }
}
