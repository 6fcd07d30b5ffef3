#if canImport(Testing)
import Exploring
import RehearsalBase
import Staging
import Timelines

/// Pictures of a run: a timeline with a row for each task and for the notes, and a table of its steps. The timeline has
/// a mark at each step; the table is beside that of the nearest run that passes.
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

  /// A run as a picture shows it.
  struct Run {
    let steps: [TracingScheduler.TracedStep]
    let events: [TracingScheduler.TracedEvent]
    let labels: [String: String]
    let alternatives: [[String]]
    let notes: [(instant: StageInstant, text: String)]
    let passes: Bool

    init(
      _ scheduler: TracingScheduler,
      notes: [(instant: StageInstant, text: String)],
      passes: Bool
    ) {
      (steps, events) = (scheduler.steps, scheduler.events)
      (labels, alternatives) = (scheduler.labels, scheduler.alternativesOfEvents)
      (self.notes, self.passes) = (notes, passes)
    }

    func table(_ title: String, _ schedule: Schedule) -> RunTable {
      let name = schedule.isDefault ? "in the default schedule" : "schedule '\(schedule)'"
      return RunTable(
        title: "\(title), \(name)",
        events,
        labels: labels,
        alternatives: alternatives
      )
    }
  }

  /// Draws a run by a schedule, and the nearest run that passes; nil if the run cannot be performed.
  ///
  /// - Parameters:
  ///   - schedule: the schedule.
  ///   - play: performs a run; nil if it cannot.
  init?(of schedule: Schedule, _ play: (Schedule) -> Run?) {
    guard let run = play(schedule) else { return nil }
    var passing: RunTable?
    _ = schedule.nearest { schedule in
      guard let run = play(schedule), run.passes else { return false }
      passing = run.table("The nearest run that passes", schedule)
      return true
    }
    let tables = RunTables(failing: run.table("This run", schedule), passing: passing)
    self.init(schedule, run, tables)
  }

  private init(_ schedule: Schedule, _ run: Run, _ tables: RunTables) {
    self.tables = tables
    let text = schedule.isDefault ? "default" : "\(schedule)"
    name = "schedule \(text.replacing(":", with: "-")).svg"
    let drawn = run.steps.prefix(Self.mostSteps)
    let end = drawn.count < run.steps.count ? drawn.last?.instant : nil
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
    let notes = run.notes.filter { note in end.map { note.instant <= $0 } ?? true }
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
    let left = run.steps.count - drawn.count
    let title = "Schedule '\(text)'" + (left > 0 ? "; \(left) more jobs are not drawn" : "")
    var timeline = SVGTimeline(title: title)
    // The order of steps at one instant is what a schedule decides.
    timeline.isWidened = true
    svg = timeline.text(of: recording)
  }
}
#endif
