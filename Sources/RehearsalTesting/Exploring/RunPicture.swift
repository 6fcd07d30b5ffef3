#if canImport(Testing)
import Exploring
import RehearsalBase
import Staging
import Timelines

/// Pictures of a run: a timeline with a row for each task, with a mark at each of its steps, and a row
/// for the notes; and a table of the steps beside those of the nearest run that passes.
struct RunPicture: Sendable, Equatable {
  /// The file name.
  let name: String
  let svg: String
  /// The steps as tables.
  let tables: RunTables

  /// The files with their names.
  var files: [(name: String, text: String)] {
    let stem = String(name.dropLast(".svg".count)) + " table"
    return [
      (name, svg), (stem + ".svg", tables.svg), (stem + ".html", tables.html),
      (stem + ".txt", tables.lines(width: Self.columns).joined(separator: "\n") + "\n"),
    ]
  }

  /// The columns of a table as text.
  private static let columns = 160

  /// Maximum number of steps in a picture.
  private static let mostSteps = 500

  init(
    _ schedule: Schedule,
    _ steps: [TracingScheduler.TracedStep],
    notes: [(instant: StageInstant, text: String)],
    tables: RunTables
  ) {
    self.tables = tables
    let text = schedule.isDefault ? "default" : "\(schedule)"
    name = "schedule \(text.replacing(":", with: "-")).svg"
    let drawn = steps.prefix(Self.mostSteps)
    let end = drawn.count < steps.count ? drawn.last?.instant : nil
    var recording = Recording()
    var lanes: [String: Int] = [:]
    func lane(_ name: String, _ recording: inout Recording) -> Int {
      if let lane = lanes[name] { return lane }
      let lane = recording.addLane(Recording.Lane(name: name, word: "task", initial: ""))
      lanes[name] = lane
      return lane
    }
    var events: [(instant: StageInstant, lane: Int, text: String)] = []
    for step in drawn {
      events.append((step.instant, lane(step.text.subject, &recording), step.text.text))
    }
    let notes = notes.filter { note in end.map { note.instant <= $0 } ?? true }
    if !notes.isEmpty {
      let lane = lane("notes", &recording)
      for note in notes { events.append((note.instant, lane, note.text.printable(atMost: 100))) }
    }
    // Stable: steps of one instant keep their order, and notes follow.
    for event in events.enumerated().sorted(by: {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }).map(\.element) {
      recording.append(
        Recording.Event(
          time: event.instant.elapsed,
          lane: event.lane,
          attempt: nil,
          kind: .changed,
          state: event.text
        )
      )
    }
    let left = steps.count - drawn.count
    let title = "Schedule '\(text)'" + (left > 0 ? "; \(left) more steps are not drawn" : "")
    var timeline = SVGTimeline(title: title)
    // The order of steps at one instant is what a schedule decides.
    timeline.isWidened = true
    svg = timeline.text(of: recording)
  }
}
#endif
