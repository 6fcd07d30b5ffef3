/// A marble diagram: the events of a source with their times, as in `a-b--(cd)-|`.
///
/// Every sign takes one tick, so signs at the same column of two diagrams happen at the same time.
/// A letter or a digit is a value with this name, `-` is a tick without an event, `|` is the end,
/// and `#` is an error. Events in parentheses happen within one tick, in their order. Blanks have
/// no meaning.
public struct Marble: Sendable, Hashable {
  /// An event of a source.
  public enum Event: Sendable, Hashable {
    /// A value with a name: a letter or a digit.
    case value(Character)
    /// The source finished.
    case finished
    /// The source failed.
    case failed
  }

  /// An event and its time in ticks.
  public struct Moment: Sendable, Hashable {
    /// The number of ticks since the beginning. Never negative.
    public var tick: Int
    /// The event.
    public var event: Event

    /// Creates a moment.
    public init(tick: Int, event: Event) {
      self.tick = tick
      self.event = event
    }
  }

  /// The events, in order.
  public let moments: [Moment]

  /// The number of ticks, including those without an event.
  public let length: Int

  /// The maximum length of a diagram in bytes.
  public static let longest = 10_000

  /// Parses a diagram.
  ///
  /// - Throws: the first mistake with its position.
  public init(_ text: String) throws(MarbleProblem) {
    guard text.utf8.count <= Self.longest else {
      throw MarbleProblem(offset: Self.longest, reason: .tooLong)
    }
    var reader = MarbleReader()
    for (index, sign) in zip(text.indices, text) {
      reader.offset = text.utf8.distance(from: text.startIndex, to: index)
      try reader.read(sign)
    }
    (moments, length) = try reader.end()
  }

  /// Creates a diagram from ordered events.
  ///
  /// - Parameters:
  ///   - moments: the events; none follows an end.
  ///   - length: the number of ticks if there is no end, at least as many as the moments need.
  public init(_ moments: [Moment], length: Int = 0) {
    let isOrdered = zip(moments, moments.dropFirst()).allSatisfy { $0.tick <= $1.tick }
    precondition(isOrdered, "The moments of a diagram must be in order.")
    let hasOneEnd = moments.dropLast().allSatisfy { !$0.event.isEnd }
    precondition(hasOneEnd, "No event may follow the end.")
    self.moments = moments
    let needed = (moments.last?.tick ?? -1) + 1
    self.length = moments.last?.event.isEnd == true ? needed : max(length, needed)
  }
}

extension Marble.Event {
  /// Whether the event ends the source.
  public var isEnd: Bool {
    switch self {
    case .value: false
    case .finished, .failed: true
    }
  }

  /// The sign of the event.
  public var sign: Character {
    switch self {
    case .value(let name): name
    case .finished: "|"
    case .failed: "#"
    }
  }
}

extension Marble: CustomStringConvertible {
  /// The diagram without blanks.
  public var description: String {
    var text = ""
    var tick = 0
    var rest = moments[...]
    while let moment = rest.first {
      text += String(repeating: "-", count: moment.tick - tick)
      let together = rest.prefix { $0.tick == moment.tick }
      let signs = String(together.map(\.event.sign))
      text += together.count == 1 ? signs : "(\(signs))"
      rest = rest.dropFirst(together.count)
      tick = moment.tick + 1
    }
    return text + String(repeating: "-", count: length - tick)
  }
}
