/// What a source sent, drawn as a marble diagram, and what its letters stand for.
public struct MarbleDrawing: Sendable, Hashable {
  /// The diagram. Reading it again gives the same events at the same ticks.
  public let marble: Marble

  /// What each name stands for, in the order in which they first appear. A value that is a single
  /// letter or digit stands for itself and is not listed.
  public let legend: [Entry]

  /// How many events did not happen right at a tick, and are drawn at the tick before.
  public let displaced: Int

  /// One line of the legend.
  public struct Entry: Sendable, Hashable {
    /// The name in the diagram.
    public let name: Character
    /// The value it stands for.
    public let value: String
  }

  /// What a source did.
  public enum Event: Sendable, Hashable {
    /// It sent a value, which is told from others by its text.
    case value(String)
    /// It finished.
    case finished
    /// It failed.
    case failed
  }

  /// Why something cannot be drawn.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// A tick takes no time.
    case noTick
    /// There would be more ticks than a diagram may have.
    case tooLong(ticks: Int)
    /// There are more different values than names.
    case tooManyValues(Int)

    /// The problem as a sentence in lower case.
    public var description: String {
      switch self {
      case .noTick: "a tick takes some time"
      case .tooLong(let ticks): "this takes \(ticks) ticks; a diagram has at most \(Marble.longest)"
      case .tooManyValues(let count):
        "\(count) different values; a diagram has names for \(Names.all.count)"
      }
    }
  }

  /// Draws events.
  ///
  /// - Parameters:
  ///   - events: what happened and when, in this order, counted from the beginning of the diagram.
  ///   - tick: how much time a sign stands for.
  ///   - end: until when to draw, if nothing ended before.
  /// - Throws: why they cannot be drawn.
  public init(
    _ events: [(time: Duration, event: Event)],
    tick: Duration,
    until end: Duration = .zero
  ) throws(Problem) {
    guard tick > .zero else { throw .noTick }
    var names = try Names(of: events.map(\.event))
    var moments: [Marble.Moment] = []
    var displaced = 0
    for (time, event) in events {
      let (number, isExact) = Self.position(of: time, in: tick)
      if !isExact { displaced += 1 }
      moments.append(Marble.Moment(tick: number, event: names.event(event)))
    }
    let hasEnded = moments.last?.event.isEnd == true
    let length = hasEnded ? 0 : max(Self.position(of: end, in: tick).number, 1)
    // A bracketed tick takes more than one sign.
    let signs = max(length, (moments.last?.tick ?? 0) + 1) + 3 * moments.count
    guard signs <= Marble.longest else { throw .tooLong(ticks: signs) }
    marble = Marble(moments, length: length)
    legend = names.legend
    self.displaced = displaced
  }

  private static func position(of time: Duration, in tick: Duration) -> (
    number: Int, isExact: Bool
  ) {
    let (number, rest) = time.attoseconds.quotientAndRemainder(dividingBy: tick.attoseconds)
    return (Int(clamping: number), rest == 0)
  }
}

/// Which name stands for which value.
private struct Names {
  static let all = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  private(set) var legend: [MarbleDrawing.Entry] = []
  private var names: [String: Character] = [:]

  init(of events: [MarbleDrawing.Event]) throws(MarbleDrawing.Problem) {
    var others: [String] = []
    for case .value(let value) in events where names[value] == nil && !others.contains(value) {
      if let name = Self.ownName(of: value) { names[value] = name } else { others.append(value) }
      guard names.count + others.count <= Self.all.count else {
        throw .tooManyValues(names.count + others.count)
      }
    }
    let taken = Set(names.values)
    for (value, name) in zip(others, Self.all.filter { !taken.contains($0) }) {
      names[value] = name
      legend.append(MarbleDrawing.Entry(name: name, value: value))
    }
  }

  private static func ownName(of value: String) -> Character? {
    guard value.utf8.count == 1, let name = value.first, all.contains(name) else { return nil }
    return name
  }

  mutating func event(_ event: MarbleDrawing.Event) -> Marble.Event {
    switch event {
    case .value(let value): .value(names[value] ?? "?")
    case .finished: .finished
    case .failed: .failed
    }
  }
}
