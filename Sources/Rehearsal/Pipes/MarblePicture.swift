import Pipelines
import RehearsalBase
import Script

/// Marble diagrams of several members. A column is the same tick in all of them, and equal values
/// have the same name.
struct MarblePicture {
  let lines: [String]

  struct Lane {
    let name: String
    var events: [(time: Duration, event: MarbleDrawing.Event)] = []
    /// The text of the error, if it failed.
    var error: String?
  }

  /// Draws the values up to `end`. Without a tick, uses the shortest usual tick with which the
  /// diagrams fit the width.
  init(
    of lanes: [Lane],
    tick: Duration?,
    until end: Duration,
    width: Int
  ) throws(MarbleDrawing.Problem) {
    let first = lanes.compactMap(\.events.first?.time).min() ?? .zero
    let last = lanes.compactMap(\.events.last?.time).max().map { max($0, end) } ?? end
    for tick in tick == nil ? Self.usualTicks.dropLast() : [] {
      let sheet = try? Sheet(lanes, tick: tick, from: first, until: last)
      guard let sheet, sheet.width <= width else { continue }
      lines = sheet.lines(width: width)
      return
    }
    let tick = tick ?? Self.usualTicks.last ?? .seconds(1)
    lines = try Sheet(lanes, tick: tick, from: first, until: last).lines(width: width)
  }

  /// 100ms, 200ms, 500ms and so on, up to months.
  private static let usualTicks: [Duration] = (0..<8).flatMap { power -> [Duration] in
    let scale = repeatElement(10, count: power).reduce(100, *)
    return [1, 2, 5].map { Duration.milliseconds(scale * $0) }
  }
}

/// Diagrams with one tick.
private struct Sheet {
  private let names: [String]
  /// The text of each cell, lane by lane.
  private var cells: [[String]] = []
  private var legend: [String]

  var width: Int { lines.map(\.widthInColumns).max() ?? 0 }

  init(
    _ lanes: [MarblePicture.Lane],
    tick: Duration,
    from first: Duration,
    until end: Duration
  ) throws(MarbleDrawing.Problem) {
    guard tick > .zero else { throw .noTick }
    let start = tick * Self.ticks(first, tick)
    names = lanes.map(\.name)
    let values = lanes.flatMap(\.events).filter { $0.event.isValue }
      .map { (time: $0.time - start, event: $0.event) }.sorted { $0.time < $1.time }
    let drawing = try MarbleDrawing(values, tick: tick, until: end - start)
    var signs: [MarbleDrawing.Event: Character] = [.finished: "|", .failed: "#"]
    for (value, moment) in zip(values, drawing.marble.moments) {
      signs[value.event] = moment.event.sign
    }
    legend = drawing.legend.map { "\($0.name) = \($0.value)" }
    let errors = lanes.compactMap(\.error)
    if !errors.isEmpty { legend.append("# = " + Set(errors).sorted().joined(separator: " or ")) }
    legend.append("a tick is \(tick.compact)" + (start > .zero ? ", from \(start.compact)" : ""))
    let displaced = lanes.flatMap(\.events).count { $0.time != tick * Self.ticks($0.time, tick) }
    if displaced > 0 {
      legend.append("\("event".counted(displaced)) drawn at the tick before")
    }
    for lane in lanes {
      let events = lane.events.map { (Self.ticks($0.time - start, tick), signs[$0.event] ?? "?") }
      let isOver = lane.events.last.map { !$0.event.isValue } ?? false
      let length = isOver ? 0 : max(1, Self.ticks(end - start, tick))
      cells.append(Self.cells(of: events, atLeast: length))
    }
  }

  private static func ticks(_ time: Duration, _ tick: Duration) -> Int {
    Int(clamping: max(.zero, time).attoseconds / tick.attoseconds)
  }

  private static func cells(of events: [(tick: Int, sign: Character)], atLeast length: Int)
    -> [String]
  {
    var cells = Array(repeating: "", count: max(length, (events.last?.tick ?? -1) + 1))
    for event in events { cells[event.tick].append(event.sign) }
    return cells.map { $0.isEmpty ? "-" : $0.count == 1 ? $0 : "(\($0))" }
  }

  private var lines: [String] {
    let nameWidth = names.map(\.widthInColumns).max() ?? 0
    return zip(names, cells).map { name, cells in
      var line = name + String(repeating: " ", count: nameWidth - name.widthInColumns + 2)
      for (column, cell) in cells.enumerated() {
        line += cell
        if column < cells.count - 1 {
          line += String(repeating: " ", count: columnWidth(column) - cell.count)
        }
      }
      return line
    }
  }

  private func columnWidth(_ column: Int) -> Int {
    cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }

  func lines(width: Int) -> [String] {
    var lines = lines
    var last = ""
    for entry in legend {
      let longer = last.isEmpty ? entry : last + "  " + entry
      if !last.isEmpty, longer.widthInColumns > width {
        lines.append(last)
        last = entry
      } else {
        last = longer
      }
    }
    return lines + [last]
  }
}

extension MarbleDrawing.Event {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}
