import Pipelines
import RehearsalBase
import Script
import Staging
import Timelines

/// A marble diagram as a source: each subscriber receives it from its beginning.
@MainActor final class MarbleMember: ValueSource {
  let name: String
  let lane: Int
  private let marble: Marble
  private let tick: Duration
  private let letters: [Character: JSONValue]
  private let error: ErrorSpec
  private let session: Session
  private var subscriptions = 0

  /// Creates a source. `letters` has the values of letters and digits; other letters are their own
  /// text, and other digits their own number. `#` fails with `error`.
  init(
    name: String,
    marble: Marble,
    tick: Duration,
    values letters: [Character: JSONValue] = [:],
    error: ErrorSpec = usualError,
    session: Session
  ) {
    self.name = name
    self.marble = marble
    self.tick = tick
    self.letters = letters
    self.error = error
    self.session = session
    lane = session.history.addLane(
      .init(name: name, word: "marble diagram", initial: marble.description)
    )
  }

  /// The error of `#` if none is specified.
  static var usualError: ErrorSpec { .text("#") }

  static func value(of name: Character, in letters: [Character: JSONValue]) -> JSONValue {
    letters[name] ?? (name.isNumber ? .number(String(name)) : .string(String(name)))
  }

  var sort: MemberSort { .marbleDiagram }
  var declaration: String { name }
  var stateText: String { marble.description }
  var undemanded: UndemandedValues { .drop }
  var facts: [(name: String, value: String)] {
    let letters = letters.sorted { $0.key < $1.key }.map {
      ("value of \($0.key)", $0.value.text(within: valueColumns))
    }
    return [("diagram", marble.description), ("tick", tick.compact)] + letters
      + [("subscriptions", "\(subscriptions)")]
  }

  var values: ValuePublisher {
    let source = marble.publisher(
      on: session.stage.scheduler,
      tick: tick,
      failure: error.error
    ) { [letters] in Self.value(of: $0, in: letters) }
    return source.handleEvents(receiveSubscription: { _ in self.subscriptions += 1 })
      .eraseToAnyPublisher()
  }

  func satisfies(_ pattern: StatePattern) -> Bool { false }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    throw Diagnostic(
      .wrongMember(name, is: word, needed: "member with states or values"),
      at: pattern.span,
      hint: "a pipe with this source has values"
    )
  }

  var visitCount: Int { 0 }
  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration? { nil }
}
