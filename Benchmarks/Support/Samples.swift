/// The same figure, measured several times.
struct Samples {
  private let sorted: [Double]

  init(_ values: [Double]) {
    precondition(!values.isEmpty, "A figure is measured at least once.")
    sorted = values.sorted()
  }

  var median: Double {
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  var least: Double { sorted.first ?? 0 }
  var most: Double { sorted.last ?? 0 }

  /// Seconds that `body` takes, each time after a first one that does not count.
  static func seconds(times: Int = 5, _ body: () -> Void) -> Samples {
    body()
    return Samples((0..<times).map { _ in secondsOnce(body) })
  }

  static func secondsOnce(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    return start.duration(to: .now) / .seconds(1)
  }

  /// The rate at which things are done, `count` of them in each of these seconds.
  func rate(of count: Int) -> Samples { Samples(sorted.map { Double(count) / $0 }) }

  func scaled(by factor: Double) -> Samples { Samples(sorted.map { $0 * factor }) }
}
