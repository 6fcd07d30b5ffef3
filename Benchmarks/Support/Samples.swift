import LibC

/// Several measurements of one figure.
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

  /// Measures the CPU seconds of `body`, after a first run that is not counted.
  ///
  /// Not real time, because `body` is single-threaded and other load of the machine must not count.
  static func seconds(times: Int = 5, _ body: () -> Void) -> Samples {
    body()
    return Samples((0..<times).map { _ in secondsOnce(body) })
  }

  static func secondsOnce(_ body: () -> Void) -> Double {
    let start = cpuSeconds
    body()
    return cpuSeconds - start
  }

  /// The CPU time that this process has used.
  static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Converts the seconds to rates of `count` things per second.
  func rate(of count: Int) -> Samples { Samples(sorted.map { Double(count) / $0 }) }

  func scaled(by factor: Double) -> Samples { Samples(sorted.map { $0 * factor }) }
}
