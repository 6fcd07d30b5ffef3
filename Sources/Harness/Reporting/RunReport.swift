import Timelines

/// What a run of transcripts comes to, in the order of their paths.
struct RunReport {
  /// Transcripts that passed.
  let passed: Int
  /// Files that were rewritten.
  let updated: [String]
  /// Transcripts that failed, in order, each with all that is wrong.
  let failed: [[TranscriptFailure]]
  /// Files that were never reached, because an earlier one failed.
  let notPlayed: Int
  /// Fences in Markdown files that other programs replay, counted by program.
  let others: [String: Int]
  /// Which ways between states were taken, as far as they are counted.
  let arrows: ArrowCounts

  /// - Parameters:
  ///   - entries: all files of the run.
  ///   - frames: what did not simply pass or is counted, in any order.
  ///   - passes: how many transcripts of a file passed, by its index.
  ///   - failFast: whether only the first file that failed counts.
  init(
    _ entries: [TranscriptSelection.Entry],
    _ frames: [OutcomeFrame],
    passes: (Int) -> Int,
    failFast: Bool
  ) {
    let sorted = frames.sorted { ($0.file, $0.fence) < ($1.file, $1.fence) }
    let first = sorted.first { if case .failed = $0.outcome { true } else { false } }?.file
    let last = failFast ? first ?? entries.count - 1 : entries.count - 1
    let counted = sorted.filter { $0.file <= last }
    failed = counted.compactMap { if case .failed(let all) = $0.outcome { all } else { nil } }
    arrows = counted.reduce(into: ArrowCounts()) { $0.merge($1.arrows) }
    var paths: [String] = []
    for frame in counted where frame.outcome == .updated {
      if paths.last != entries[frame.file].path { paths.append(entries[frame.file].path) }
    }
    updated = paths
    passed = (0..<max(0, last + 1)).reduce(0) { $0 + passes($1) }
    notPlayed = entries.count - 1 - last
    others = entries.prefix(last + 1).flatMap { Transcripts.othersFences($0) }
      .reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Whether there was anything to play at all.
  var isEmpty: Bool { passed == 0 && updated.isEmpty && failed.isEmpty }

  /// Failures first, each as a block of its own; the count is the last line.
  func write(colour: Bool, output: (String) -> Void) {
    let text = FailureText(colour: colour)
    for failure in failed.joined() { output(text.text(of: failure) + "\n") }
    for path in updated { output("updated \(FailureText.quoted(path))\n") }
    output(summary + "\n")
  }

  private var summary: String {
    var parts = ["\(passed) passed"]
    if !updated.isEmpty { parts.append("\(updated.count) updated") }
    if !failed.isEmpty { parts.append("\(failed.count) failed") }
    if notPlayed > 0 { parts.append("\(notPlayed) not played") }
    for (program, count) in others.sorted(by: { $0.key < $1.key }) {
      parts.append("\(count) left to \(FailureText.visible(program))")
    }
    return parts.joined(separator: ", ")
  }
}
