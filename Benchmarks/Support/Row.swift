/// One figure: its name, its goal, and its lower bound.
struct Row {
  var what: String
  var samples: Samples
  var unit: Unit
  var goal: Goal?
  /// The figure of a program that does only the unavoidable work, in the same unit.
  var floor: Floor?

  enum Unit {
    /// Number per second.
    case rate
    case seconds
    case bytes
    /// A ratio.
    case times
  }

  enum Goal {
    case atLeast(Double)
    case atMost(Double)

    func isMet(by figure: Double) -> Bool {
      switch self {
      case .atLeast(let least): figure >= least
      case .atMost(let most): figure <= most
      }
    }
  }

  struct Floor {
    let what: String
    let samples: Samples
  }

  /// The figure as a multiple of the lower bound.
  var ratio: Double? {
    guard let floor else { return nil }
    return unit == .rate || unit == .times
      ? floor.samples.median / samples.median : samples.median / floor.samples.median
  }
}

extension Row.Unit {
  func text(_ value: Double) -> String {
    switch self {
    case .rate: Self.scaled(value, [(1e6, "M/s"), (1e3, "k/s"), (1, "/s")])
    case .seconds: Self.scaled(value, [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])
    case .bytes: Self.scaled(value, [(1e6, "MB"), (1e3, "kB"), (1, "B")])
    case .times: Self.threeDigits(value) + "×"
    }
  }

  private static func scaled(_ value: Double, _ units: [(factor: Double, name: String)]) -> String {
    let unit = units.first { value >= $0.factor } ?? units[units.count - 1]
    return threeDigits(value / unit.factor) + " " + unit.name
  }

  static func threeDigits(_ value: Double) -> String {
    let decimals = value < 10 ? 2 : value < 100 ? 1 : 0
    let factor = [1.0, 10.0, 100.0][decimals]
    let whole = Int((value * factor).rounded())
    guard decimals > 0 else { return "\(whole)" }
    let fraction = String(whole % Int(factor) + Int(factor)).dropFirst()
    return "\(whole / Int(factor)).\(fraction)"
  }
}
