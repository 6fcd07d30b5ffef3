import RehearsalBase

/// The steps of one run as a table: a column for each task, time downwards.
package struct RunTable: Sendable, Equatable {
  package let title: String
  /// The tasks, in the order of their first steps, as the run's schedule calls them.
  let columns: [String]
  /// The same without the names of the schedule.
  private let tasks: [String]
  private(set) var rows: [Row] = []
  /// The number of steps that are left out at the end.
  let leftOut: Int

  /// A step of a task, or a value that it read or wrote.
  struct Row: Sendable, Equatable {
    let time: Duration
    let column: Int
    let text: String
    /// What could have run instead of the step that begins here; empty if there was no choice.
    var alternatives: [String] = []
    /// Whether the other run lacks the row, or has it at another position.
    fileprivate(set) var differs = false
  }

  /// A step of a run, or a value that it read or wrote.
  package typealias Event = (time: Duration, task: String, text: String)

  /// Maximum number of rows.
  package static let mostRows = 500

  /// Creates the table of a run.
  ///
  /// - Parameters:
  ///   - title: what the run is.
  ///   - events: the steps and values, in the order of the run.
  ///   - labels: the names of tasks for readers, if these are others. A task may have another one in another run.
  ///   - alternatives: for each event, what could have run instead; empty if it is not known.
  package init(
    title: String,
    _ events: [Event],
    labels: [String: String] = [:],
    alternatives: [[String]] = []
  ) {
    self.title = title.escapingControls
    let shown = events.prefix(Self.mostRows)
    leftOut = events.count - shown.count
    var tasks: [String] = []
    var indices: [String: Int] = [:]
    for event in shown {
      let column = indices[event.task] ?? tasks.count
      if column == tasks.count {
        indices[event.task] = column
        tasks.append(event.task)
      }
      rows.append(Row(time: event.time, column: column, text: event.text.escapingControls))
    }
    self.tasks = tasks
    columns = tasks.map { (labels[$0] ?? $0).escapingControls }
    for (index, texts) in alternatives.prefix(rows.count).enumerated() {
      rows[index].alternatives = texts.map(\.escapingControls)
    }
  }

  /// What a row says, whatever its time.
  private func contents() -> [[String]] { rows.map { [tasks[$0.column], $0.text] } }

  /// Marks the rows that another run lacks, or has at another position.
  fileprivate mutating func mark(from other: RunTable) {
    for change in contents().difference(from: other.contents()) {
      if case .insert(let index, _, _) = change { rows[index].differs = true }
    }
  }

  /// The last line: what is left out, nil if nothing is.
  var note: String? {
    leftOut > 0 ? "\(leftOut) more job\(leftOut == 1 ? " is" : "s are") left out" : nil
  }
}

extension String {
  /// The text in a number of columns. Of a function with its place, the place is kept: `Model.lo… at Model.swift:14`.
  func cutBeforePlace(toColumns count: Int) -> String {
    let place = columns > count ? ranges(of: " at ").last.map { self[$0.lowerBound...] } : nil
    guard let place, place.last?.isNumber == true else { return cut(toColumns: count) }
    let room = count - String(place).columns
    return room < 8
      ? cut(toColumns: count) : dropLast(place.count).description.cut(toColumns: room) + place
  }
}

/// A failing run beside the nearest run that passes, as tables. Differences are marked.
package struct RunTables: Sendable, Equatable {
  let failing: RunTable
  /// Nil if no run nearby passes.
  let passing: RunTable?

  package init(failing: RunTable, passing: RunTable?) {
    var (first, second) = (failing, passing)
    if let passing { first.mark(from: passing) }
    second?.mark(from: failing)
    (self.failing, self.passing) = (first, second)
  }

  var tables: [RunTable] { [failing] + [passing].compactMap(\.self) }

  /// The explanation of the marks, nil without marks.
  var legend: String? {
    tables.contains { $0.rows.contains(where: \.differs) }
      ? "only in this run, or at another position in the other run" : nil
  }
}
