import RehearsalBase

/// A machine's phases and transitions: how often each was taken, and which were never taken.
public struct StateDiagram: Sendable, Equatable {
  /// The name of the member or of the machine.
  public let title: String
  /// The machine, as the shell calls it: `loadable latest`.
  public let machine: String
  /// The initial phase, if known.
  public let initial: Recording.Phase?
  /// How often each transition was taken.
  public let counts: [Transition: Int]
  /// Every transition that the machine can take, sorted. Nil if unknown, because user code sets the
  /// state.
  public let possible: [Transition]?

  /// Creates a diagram of these transitions.
  public init(
    title: String,
    machine: String,
    initial: Recording.Phase? = nil,
    counts: [Transition: Int],
    possible: [Transition]?
  ) {
    self.title = title
    self.machine = machine
    self.initial = initial
    self.counts = counts
    self.possible = possible?.sorted()
  }

  /// The transitions to draw, sorted. They include taken transitions that are not in `possible`:
  /// the attempt began under another policy.
  public var transitions: [Transition] {
    Set(possible ?? []).union(counts.keys).sorted()
  }

  /// The number of possible transitions that were taken.
  public var takenCount: Int {
    possible.map { $0.count { counts[$0] != nil } } ?? counts.count
  }

  /// The percentage of possible transitions that were taken, rounded down; nil if they are unknown.
  public var percent: Int? {
    possible.map { $0.isEmpty ? 100 : takenCount * 100 / $0.count }
  }

  /// The title, the machine if its name differs, and the number of transitions taken.
  var headline: String {
    (title == machine ? machine : "\(title): \(machine)") + ", " + summary
  }

  /// The summary with the percentage, if known.
  var share: String { summary + (percent.map { ", \($0)%" } ?? "") }

  var summary: String {
    guard let possible else { return "\("transition".counted(takenCount)) taken" }
    return "\(takenCount) of \(possible.count) transitions taken"
  }
}

extension StateDiagram {
  /// Transitions between the same two phases that are drawn as one arrow: either all taken or all
  /// never taken.
  struct Bundle {
    let from: Recording.Phase?
    let to: Recording.Phase
    let causes: [(cause: Transition.Cause, count: Int)]

    var count: Int { causes.reduce(0) { $0 + $1.count } }
    var isTaken: Bool { count > 0 }

    /// The causes, each with its count if there are several.
    var words: [String] {
      causes.map { cause, count in
        count > 0 && causes.count > 1 ? "\(cause.rawValue) \(count)" : cause.rawValue
      }
    }
  }

  /// The bundles of taken transitions, then the others, each sorted.
  var bundles: [Bundle] { bundles(isTaken: true) + bundles(isTaken: false) }

  private func bundles(isTaken: Bool) -> [Bundle] {
    var bundles: [Bundle] = []
    for transition in transitions {
      let count = counts[transition] ?? 0
      guard (count > 0) == isTaken else { continue }
      var causes = [(cause: transition.cause, count: count)]
      if let last = bundles.last, last.from == transition.from, last.to == transition.to {
        causes = bundles.removeLast().causes + causes
      }
      bundles.append(Bundle(from: transition.from, to: transition.to, causes: causes))
    }
    return bundles
  }

  /// Returns the name of a phase in the machine's family.
  func word(_ phase: Recording.Phase?) -> String {
    guard let phase else { return "any" }
    let isProcess = machine == "process" || machine.hasPrefix("process ")
    return switch phase {
    case .resting: isProcess ? "idle" : "absent"
    case .inFlight: isProcess ? "running" : "loading"
    case .succeeded: isProcess ? "finished" : "loaded"
    case .failed: isProcess ? "failed" : "error"
    }
  }

  /// Returns words with commas between them, wrapped to `columns`.
  static func filled(_ words: [String], columns: Int) -> [String] {
    var lines: [String] = []
    for (index, word) in words.enumerated() {
      let word = index + 1 < words.count ? word + "," : word
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}
