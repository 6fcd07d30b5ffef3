/// A marble diagram of recorded events, with the meaning of its letters.
public struct MarbleDrawing: Sendable, Hashable {
  /// The diagram. Parsing it gives the same events at the same ticks.
  public let marble: Marble

  /// The value of each name, in the order of first use. A value that is a single letter or digit is
  /// its own name and is not listed.
  public let legend: [Entry]

  /// The number of events between ticks. They are drawn at the tick before.
  public let displaced: Int

  /// One line of the legend.
  public struct Entry: Sendable, Hashable {
    /// The name in the diagram.
    public let name: Character
    /// The value for the name.
    public let value: String
  }

  /// An event of a source.
  public enum Event: Sendable, Hashable {
    /// The source sent a value. Values are distinguished by their text.
    case value(String)
    /// The source finished.
    case finished
    /// The source failed.
    case failed
  }

  /// A reason why events cannot be drawn.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// The tick is not positive.
    case noTick
    /// There are more ticks than a diagram can have.
    case tooLong(ticks: Int)
    /// There are more different values than names.
    case tooManyValues(Int)

    /// The problem as a lower-case sentence.
    public var description: String {
      switch self {
      case .noTick: "a tick must be longer than zero"
      case .tooLong(let ticks): "\(ticks) ticks; a diagram has at most \(Marble.longest)"
      case .tooManyValues(let count):
        "\(count) distinct values; a diagram has names for \(Names.all.count)"
      }
    }
  }

  /// Draws events.
  ///
  /// - Parameters:
  ///   - events: the events with their times since the beginning of the diagram, in order.
  ///   - tick: the duration of a sign.
  ///   - end: the end of the diagram if no event ends the source before.
  /// - Throws: the reason why they cannot be drawn.
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
    // A tick in parentheses takes more than one sign.
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

/// The mapping from values to names.
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
