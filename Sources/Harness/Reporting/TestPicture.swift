import RehearsalBase
import Timelines

/// A picture of a failed transcript that marks the first difference.
struct TestPicture {
  let recording: Recording
  private let pointer: Pointer?

  /// Nil if there is nothing to draw.
  init?(of test: TranscriptResult) {
    guard let recording = test.recording, !recording.events.isEmpty else { return nil }
    self.recording = recording
    pointer = Self.parting(of: test, in: recording).map { Pointer("differs", at: $0) }
  }

  /// The time of the first different output: from its line, or the time of its command.
  var parting: Duration? { pointer?.time }

  private static func parting(of test: TranscriptResult, in recording: Recording) -> Duration? {
    guard let failure = test.failures.first(where: { $0.diff.contains { $0.mark != .same } }) else {
      return nil
    }
    let times = failure.diff.filter { $0.mark != .same }.compactMap { time(in: $0.text) }
    if let time = times.first(where: { time in recording.events.contains { $0.time == time } }) {
      return time
    }
    let record = recording.records.first { $0.command == failure.command }
    return record.flatMap { record in
      recording.events.dropFirst(record.firstEvent).first?.time
    }
  }

  /// Returns the time at the beginning of a line of output: `     1.250s  profile  …`.
  private static func time(in line: String) -> Duration? {
    guard let word = line.split(separator: " ").first, word.last == "s" else { return nil }
    let parts = word.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 3, let seconds = Int64(parts[0]),
      let milliseconds = Int64(parts[1]), seconds >= 0, milliseconds >= 0,
      seconds < 1 << 40
    else { return nil }
    return .milliseconds(seconds * 1000 + milliseconds)
  }

  /// Renders text with a width in columns.
  func text(columns: Int) -> String {
    var drawing = TimelineFormat.Drawing(width: columns)
    drawing.pointer = pointer
    return TimelineFormat.text.text(of: recording, drawing)
  }

  /// A Mermaid Gantt diagram that marks the first difference with its own section.
  var mermaid: String? {
    guard let text = TimelineFormat.named("mermaid")?.text(of: recording) else { return nil }
    guard let parting else { return text }
    return text + "  section differs\n"
      + "    from here :crit, milestone, parting, \(parting.wholeMilliseconds), 0ms\n"
  }

  /// SVG that can be embedded in a page.
  var svg: String {
    SVGTimeline(width: 900).text(of: recording, pointingAt: pointer)
  }
}
