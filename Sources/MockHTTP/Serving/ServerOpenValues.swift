import Staging

/// The values that routes and injections of a server leave open on a stage whose director decides, and whether a request
/// has asked for each.
struct ServerOpenValues {
  private(set) var values: [(text: String, isAsked: Bool)] = []
  /// The places of the values of answers.
  private var answers: [AnswerKey: [Int]] = [:]
  private var injected: [Int] = []

  private struct AnswerKey: Hashable {
    let route: Int
    let index: Int
  }

  mutating func add(_ route: Route, number: Int) {
    for value in route.openValues {
      let key = AnswerKey(route: number, index: value.answer)
      let text = "\(value.what) answer \(value.answer + 1) of \(route.pattern)"
      answers[key, default: []].append(append(text))
    }
  }

  mutating func addInjection(_ answer: ScriptedAnswer, rate: Double) {
    injected = []
    let isOpen = rate > 0 && rate < 1
    injected = ((isOpen ? ["which requests it strikes"] : []) + answer.openValues).map {
      append("\($0) of an injected answer")
    }
  }

  private mutating func append(_ text: String) -> Int {
    values.append((text, false))
    return values.count - 1
  }

  /// A request gets an answer of a route.
  mutating func ask(route: Int, answer: Int) {
    for place in answers[AnswerKey(route: route, index: answer)] ?? [] {
      values[place].isAsked = true
    }
  }

  /// A request that a route answers asks the injection.
  mutating func askInjection() { for place in injected { values[place].isAsked = true } }
}

extension Route {
  /// What its answers leave open: the answer's place, from 0, and what of it, as in "the delay of".
  package var openValues: [(answer: Int, what: String)] {
    answers.enumerated().flatMap { index, answer in answer.openValues.map { (index, $0 + " of") } }
  }
}

extension ScriptedAnswer {
  /// What it leaves open.
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
