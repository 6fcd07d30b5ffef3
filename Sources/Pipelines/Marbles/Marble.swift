/// What a source sends, and when, as it is drawn by hand: `a-b--(cd)-|`.
///
/// Every sign takes one tick, so that what stands below each other in two diagrams happens at the same
/// time: a letter or a digit is a value by this name, `-` is a tick in which nothing happens, `|` is
/// the end, and `#` is an error. What stands in brackets happens within one tick, in this order.
/// Blanks are for the eye only.
public struct Marble: Sendable, Hashable {
  /// What happens at one moment.
  public enum Event: Sendable, Hashable {
    /// A value, by its name: a letter or a digit.
    case value(Character)
    /// The source has finished.
    case finished
    /// The source has failed.
    case failed
  }

  /// An event, and the number of ticks before it.
  public struct Moment: Sendable, Hashable {
    /// How many ticks after the beginning. Never negative.
    public var tick: Int
    /// What happens then.
    public var event: Event

    /// Makes a moment.
    public init(tick: Int, event: Event) {
      self.tick = tick
      self.event = event
    }
  }

  /// All that happens, in order.
  public let moments: [Moment]

  /// How many ticks the diagram has, those in which nothing happens included.
  public let length: Int

  /// How many bytes a diagram may have.
  public static let longest = 10_000

  /// Reads a diagram.
  ///
  /// - Throws: what is wrong with it, and where.
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

  /// Makes a diagram of events in the order in which they happen.
  ///
  /// - Parameters:
  ///   - moments: what happens; nothing after an end.
  ///   - length: how many ticks there are, if nothing ends before; at least as many as the moments need.
  public init(_ moments: [Moment], length: Int = 0) {
    let isOrdered = zip(moments, moments.dropFirst()).allSatisfy { $0.tick <= $1.tick }
    precondition(isOrdered, "The moments of a diagram are in order.")
    let hasOneEnd = moments.dropLast().allSatisfy { !$0.event.isEnd }
    precondition(hasOneEnd, "Nothing happens after the end.")
    self.moments = moments
    let needed = (moments.last?.tick ?? -1) + 1
    self.length = moments.last?.event.isEnd == true ? needed : max(length, needed)
  }
}

extension Marble.Event {
  /// Whether nothing comes after it.
  public var isEnd: Bool {
    switch self {
    case .value: false
    case .finished, .failed: true
    }
  }

  /// How it is drawn.
  public var sign: Character {
    switch self {
    case .value(let name): name
    case .finished: "|"
    case .failed: "#"
    }
  }
}

extension Marble: CustomStringConvertible {
  /// The diagram: what was read, without blanks.
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
