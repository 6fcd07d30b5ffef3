import LibC

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

  /// Seconds of CPU time that `body` takes, each time after a first one that does not count.
  ///
  /// Not by the clock on the wall: these are programs of one thread, and what else the machine does
  /// is no property of theirs.
  static func seconds(times: Int = 5, _ body: () -> Void) -> Samples {
    body()
    return Samples((0..<times).map { _ in secondsOnce(body) })
  }

  static func secondsOnce(_ body: () -> Void) -> Double {
    let start = cpuSeconds
    body()
    return cpuSeconds - start
  }

  /// CPU time that this process has used.
  static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The rate at which things are done, `count` of them in each of these seconds.
  func rate(of count: Int) -> Samples { Samples(sorted.map { Double(count) / $0 }) }

  func scaled(by factor: Double) -> Samples { Samples(sorted.map { $0 * factor }) }
}
