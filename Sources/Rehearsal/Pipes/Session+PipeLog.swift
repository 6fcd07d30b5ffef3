import Staging

/// Decides which lines `log` prints: for a named pipe, the events of every stage.
extension Session {
  typealias LogLine = (text: String, kind: SessionOutput.LineKind)

  /// Returns the log lines of some members; of all if none is named. For a named pipe, the events
  /// of every stage replace its own lines.
  func logLines(of named: [any Member]) -> [LogLine] {
    guard !named.isEmpty else {
      return history.eventLines.lines.map { (output.line($0.text, at: $0.time), .event) }
    }
    let pipes = named.compactMap { $0 as? PipeMember }
    let lanes = Set(named.map(\.lane)).subtracting(pipes.map(\.lane))
    var stages = pipes.flatMap { pipe in
      pipe.log.entries.map { (entry: $0, pipe: pipe) }
    }.sorted { ($0.entry.position, $0.entry.time) < ($1.entry.position, $1.entry.time) }[...]
    var lines: [LogLine] = pipes.filter { $0.log.goneCount > 0 }.map {
      (
        "… \($0.log.goneCount) more events of \($0.name); the latest \(PipeLog.most) are kept",
        .text
      )
    }
    for (position, past) in zip(history.eventLines.goneCount..., history.eventLines.lines) {
      while let (entry, pipe) = stages.first, entry.position <= position {
        lines.append(line(of: entry, in: pipe))
        stages = stages.dropFirst()
      }
      if past.lane.map(lanes.contains) == true {
        lines.append((output.line(past.text, at: past.time), .event))
      }
    }
    return lines + stages.map { line(of: $0.entry, in: $0.pipe) }
  }

  private func line(of entry: PipeLog.Entry, in pipe: PipeMember) -> LogLine {
    let number = entry.subscription > 1 ? "  (subscription \(entry.subscription))" : ""
    let text = "\(pipe.name) | \(pipe.log.stages[entry.stage])  \(PipeLog.text(of: entry.event))"
    return (output.line(text + number, at: entry.time.elapsed), .event)
  }
}
