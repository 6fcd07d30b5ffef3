import RemoteLoading

/// Reports the progress of a body at each quarter; nothing if it comes in one piece.
struct ProgressMeter {
  private var lastQuarter = 0

  /// Returns the text about a report, or nil if there is nothing to report.
  mutating func text(of report: TransferProgress) -> String? {
    guard let expected = report.expected, expected > 0, report.received > 0 else { return nil }
    let quarter = report.received * 4 / expected
    // A body in one piece needs no progress.
    guard quarter > lastQuarter, quarter < 4 || lastQuarter > 0 else { return nil }
    lastQuarter = quarter
    return "\(report.received * 100 / expected)% received, \(report.received) of \(expected) bytes"
  }
}
