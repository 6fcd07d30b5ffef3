/// A machine's phases and the transitions between them: how often each was taken, and which never were.
public struct StateDiagram: Sendable, Equatable {
  /// Whose it is: a member's name, or the machine's own.
  public let title: String
  /// The machine, as the shell calls it: `loadable latest`.
  public let machine: String
  /// The phase that it began in, where that is known.
  public let initial: Recording.Phase?
  /// How often each transition was taken.
  public let counts: [Transition: Int]
  /// Every transition that the machine can take, sorted; nil where nobody knows, since a user's own code
  /// moves it.
  public let possible: [Transition]?

  /// A diagram of these transitions.
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

  /// The transitions to draw, sorted. One that was taken and is not known to be possible is among them: it
  /// was begun under another policy.
  public var transitions: [Transition] {
    Set(possible ?? []).union(counts.keys).sorted()
  }

  /// How many of the transitions that are possible were taken.
  public var takenCount: Int {
    possible.map { $0.count { counts[$0] != nil } } ?? counts.count
  }

  /// How many of a hundred possible transitions were taken, rounded down; nil where nobody knows them.
  public var percent: Int? {
    possible.map { $0.isEmpty ? 100 : takenCount * 100 / $0.count }
  }

  /// The title, the machine where that is something else, and how many transitions were taken.
  var headline: String {
    (title == machine ? machine : "\(title): \(machine)") + ", " + summary
  }

  /// The same with a percentage, where there is one.
  var share: String { summary + (percent.map { ", \($0)%" } ?? "") }

  var summary: String {
    guard let possible else { return "\(takenCount) arrow\(takenCount == 1 ? "" : "s") taken" }
    return "\(takenCount) of \(possible.count) arrows taken"
  }
}

extension StateDiagram {
  /// Arrows from one phase to another that are drawn as one: all that were taken, or all that never were.
  struct Bundle {
    let from: Recording.Phase?
    let to: Recording.Phase
    let causes: [(cause: Transition.Cause, count: Int)]

    var count: Int { causes.reduce(0) { $0 + $1.count } }
    var isTaken: Bool { count > 0 }

    /// What happened, each with its count where there are several.
    var words: [String] {
      causes.map { cause, count in
        count > 0 && causes.count > 1 ? "\(cause.rawValue) \(count)" : cause.rawValue
      }
    }
  }

  /// Those that were taken, then those that never were, each sorted.
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

  /// What the machine's family calls a phase.
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

  /// Words filled into lines of so many columns, with commas between.
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
