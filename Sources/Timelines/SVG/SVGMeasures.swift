import RehearsalBase

/// The columns of a picture, in points.
struct SVGMeasures {
  static let margin = 20.0
  /// The preferred distance between marks.
  static let step = 16.0
  static let mostNameColumns = 28
  static let mostStateColumns = 30

  let width: Double
  /// The left and right edge of the lanes' time.
  let plot: ClosedRange<Double>
  /// The left edge of the final states, nil if they appear below the names.
  let stateX: Double?

  init(_ model: TimelineModel, width: Int) {
    self.width = Double(width)
    let names = model.lanes.map { min($0.name.columns, Self.mostNameColumns) }.max() ?? 0
    let states = model.lanes.map { min($0.state.columns, Self.mostStateColumns) }.max() ?? 0
    let hasStates = width >= 640
    let nameWidth = min(Double(names) * 7.3 + 16, self.width * 0.3)
    let stateWidth = min(Double(hasStates ? states : 0) * 7.3 + 16, self.width * 0.3)
    let first = Self.margin + nameWidth + 14
    let last = self.width - Self.margin - (hasStates ? stateWidth + 14 : 0) - 8
    plot = first...max(first + 40, last)
    stateX = hasStates ? last + 22 : nil
  }

  /// Returns how many text columns fit to the left of the plot.
  func nameColumns(indented: Bool) -> Int {
    Int((plot.lowerBound - 14 - Self.margin - (indented ? 14 : 0)) / 7.3)
  }

  var stateColumns: Int {
    let room = stateX.map { width - Self.margin - $0 - 12 } ?? plot.lowerBound - Self.margin
    return max(4, Int(room / (stateX == nil ? 6.7 : 7.3)))
  }
}

extension String {
  /// The width in columns after escaping.
  var columns: Int { escapingControls.widthInColumns }
}
