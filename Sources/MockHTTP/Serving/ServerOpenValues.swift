import RehearsalBase
import Staging

/// The command of a session that adds a route or an injection. It names the open values in texts.
package struct OpenValueSource: Sendable {
  /// The number of its command record; nil for none.
  package let record: Int?
  /// The sourced file and line of the command, with a colon after them; empty for none.
  private let place: String
  private let command: String
  /// Whether the command may add several routes, so that texts name their patterns.
  fileprivate let namesRoutes: Bool

  package init(record: Int?, place: String, command: String, namesRoutes: Bool) {
    (self.record, self.place, self.command) = (record, place, command)
    self.namesRoutes = namesRoutes
  }

  /// Returns the name of one of its open values; without `what`, that of the command.
  package func name(_ what: String?) -> String {
    "\(place)\(what.map { $0 + " of " } ?? "")'\(command)'"
  }
}

/// A value that a route or an injection of a server leaves open, or an answer without such values.
package struct ServerOpenValue: Sendable {
  /// The name of the value.
  package let text: String
  /// The command that leaves it open; nil for code.
  package let source: OpenValueSource?
  /// Whether it is an answer without open values.
  package let isAnswer: Bool
  /// Whether a request has asked for it.
  package fileprivate(set) var isAsked = false
}

/// The values that a server's routes and injections leave open, and the other answers of commands, on a stage with a
/// scheduler.
struct ServerOpenValues {
  private(set) var values: [ServerOpenValue] = []
  /// Whether code leaves one of them open.
  private(set) var hasValuesOfCode = false
  /// Indexes of the values that belong to answers.
  private var answers: [AnswerKey: [Int]] = [:]
  private var injected: [Int] = []

  private struct AnswerKey: Hashable {
    let route: Int
    let index: Int
  }

  mutating func add(_ route: Route, number: Int, from source: OpenValueSource?) {
    for value in route.openValues {
      let key = AnswerKey(route: number, index: value.answer)
      let pattern = source?.namesRoutes == false ? "" : " of \(route.pattern)"
      let text = "\(value.what) answer \(value.answer + 1)\(pattern)"
      answers[key, default: []].append(append(source?.name(text) ?? text, source))
    }
    guard let source else { return }
    for index in route.answers.indices where route.answers[index].openValues.isEmpty {
      let answer = route.answers.count > 1 ? "answer \(index + 1)" : nil
      let pattern = source.namesRoutes ? "\(route.pattern)" : nil
      let words = [answer, pattern].compactMap(\.self).joined(separator: " of ")
      let place = append(source.name(words.isEmpty ? nil : words), source, isAnswer: true)
      answers[AnswerKey(route: number, index: index)] = [place]
    }
  }

  /// Notes the open values of an injection, which ends the injection before it.
  mutating func addInjection(_ answer: ScriptedAnswer, rate: Double, from source: OpenValueSource?)
  {
    endInjection()
    guard rate > 0 else { return }
    injected = ((rate < 1 ? ["which requests it replaces"] : []) + answer.openValues).map {
      append(source?.name($0) ?? "\($0) of an injected answer", source)
    }
    if injected.isEmpty, let source {
      injected = [append(source.name(nil), source, isAnswer: true)]
    }
  }

  /// Ends the injection: later requests do not ask for its open values.
  mutating func endInjection() { injected = [] }

  private mutating func append(
    _ text: String,
    _ source: OpenValueSource?,
    isAnswer: Bool = false
  ) -> Int {
    values.append(ServerOpenValue(text: text, source: source, isAnswer: isAnswer))
    if source == nil { hasValuesOfCode = true }
    return values.count - 1
  }

  /// Returns the command that added a route; nil for code.
  func source(ofRoute route: Int, answer: Int) -> OpenValueSource? {
    answers[AnswerKey(route: route, index: answer)]?.first.flatMap { values[$0].source }
  }

  /// The command that added the injection; nil for code.
  var sourceOfInjection: OpenValueSource? { injected.first.flatMap { values[$0].source } }

  /// Marks the values of an answer that a request gets.
  mutating func ask(route: Int, answer: Int) {
    for place in answers[AnswerKey(route: route, index: answer)] ?? [] {
      values[place].isAsked = true
    }
  }

  /// Marks the values of the injection, because a route answers a request.
  mutating func askInjection() { for place in injected { values[place].isAsked = true } }
}

extension Route {
  /// The open values of its answers: the index of the answer, and a text such as "the delay of".
  package var openValues: [(answer: Int, what: String)] {
    answers.enumerated().flatMap { index, answer in answer.openValues.map { (index, $0 + " of") } }
  }
}

extension ScriptedAnswer {
  /// The open values of the answer, as text.
  package var openValues: [String] {
    [
      choices.count > 1 ? "the alternatives" : nil,
      choices.contains { $0.delay.isOpen } ? "the delay" : nil,
    ].compactMap(\.self)
  }
}

extension Delay {
  fileprivate var isOpen: Bool {
    switch self {
    case .fixed: false
    case .uniform(let one, let other): one != other
    case .logNormal(_, let sigma): sigma != 0
    }
  }
}
