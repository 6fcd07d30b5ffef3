/// A mistake in the text of a marble diagram.
public struct MarbleProblem: Error, Hashable, CustomStringConvertible {
  /// The position in bytes, from 0.
  public let offset: Int
  /// The mistake.
  public let reason: Reason

  /// Creates a problem.
  public init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// A kind of mistake.
  public enum Reason: Sendable, Hashable {
    /// The text has no sign.
    case empty
    /// The text has more than `Marble.longest` bytes.
    case tooLong
    /// A sign is unknown.
    case unknownSign(Character)
    /// `(` without `)`.
    case unclosedGroup
    /// `)` without `(`.
    case unopenedGroup
    /// `(` inside parentheses.
    case nestedGroup
    /// `()`.
    case emptyGroup
    /// `-` inside parentheses, although no time passes there.
    case timeInGroup
    /// A sign after `|` or `#`.
    case afterEnd
  }

  /// The problem as a lower-case sentence.
  public var description: String {
    switch reason {
    case .empty: "a marble diagram needs at least one sign"
    case .tooLong: "a marble diagram has at most \(Marble.longest) bytes"
    case .unknownSign(let sign): "'\(sign)' has no meaning in a marble diagram"
    case .unclosedGroup: "'(' is never closed"
    case .unopenedGroup: "')' has no '('"
    case .nestedGroup: "a group cannot contain another group"
    case .emptyGroup: "a group needs at least one sign"
    case .timeInGroup: "no time passes within a group"
    case .afterEnd: "nothing can follow the end"
    }
  }
}

/// A parser of diagrams, sign by sign.
struct MarbleReader {
  var offset = 0
  private var moments: [Marble.Moment] = []
  private var tick = 0
  private var group: (offset: Int, count: Int)?
  private var hasEnded = false

  mutating func read(_ sign: Character) throws(MarbleProblem) {
    switch sign {
    case " ", "\t", "\n", "\r", "\r\n": break
    case ")": try close()
    case _ where hasEnded: throw problem(.afterEnd)
    case "(":
      guard group == nil else { throw problem(.nestedGroup) }
      group = (offset, 0)
    case "-":
      guard group == nil else { throw problem(.timeInGroup) }
      tick += 1
    case "|": add(.finished)
    case "#": add(.failed)
    case "a"..."z" where sign.isASCII, "A"..."Z" where sign.isASCII, "0"..."9" where sign.isASCII:
      add(.value(sign))
    default: throw problem(.unknownSign(sign))
    }
  }

  mutating func end() throws(MarbleProblem) -> (moments: [Marble.Moment], length: Int) {
    if let group {
      offset = group.offset
      throw problem(.unclosedGroup)
    }
    guard tick > 0 else { throw MarbleProblem(offset: 0, reason: .empty) }
    return (moments, tick)
  }

  private mutating func add(_ event: Marble.Event) {
    moments.append(Marble.Moment(tick: tick, event: event))
    hasEnded = event.isEnd
    if group == nil { tick += 1 } else { group?.count += 1 }
  }

  private mutating func close() throws(MarbleProblem) {
    guard let group else { throw problem(hasEnded ? .afterEnd : .unopenedGroup) }
    guard group.count > 0 else { throw problem(.emptyGroup) }
    self.group = nil
    tick += 1
  }

  private func problem(_ reason: MarbleProblem.Reason) -> MarbleProblem {
    MarbleProblem(offset: offset, reason: reason)
  }
}
