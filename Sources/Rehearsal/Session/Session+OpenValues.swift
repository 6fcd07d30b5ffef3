import MockHTTP
import Script

/// The values that commands have left open for whoever decides, and whether somebody was asked about them.
struct OpenValues {
  struct Value: Hashable {
    /// The passage whose command leaves it open.
    let cause: Int?
    let text: String
  }

  /// Answers of a route, which the server counts itself.
  fileprivate struct Answer {
    let route: Int
    let index: Int
    let value: Int
  }

  fileprivate struct Injection {
    let values: [Int]
    /// How many requests had come before.
    let requests: Int
  }

  private(set) var values: [Value] = []
  private(set) var isAsked: [Bool] = []
  private var places: [Value: Int] = [:]
  fileprivate var answers: [Answer] = []
  fileprivate var injection: Injection?

  fileprivate mutating func add(_ value: Value) -> Int {
    if let place = places[value] { return place }
    places[value] = values.count
    values.append(value)
    isAsked.append(false)
    return values.count - 1
  }

  fileprivate mutating func ask(_ place: Int) { isAsked[place] = true }
}

@MainActor extension Session {
  /// Notes that the command under way leaves a value open.
  ///
  /// - Returns: its number; nil if nobody decides, so that nobody wants to know.
  func leaveOpen(_ what: String) -> Int? {
    guard decisions != nil else { return nil }
    let place = sourcing.last.map { "\($0.path.printable(atMost: 80)):\($0.line): " } ?? ""
    let text = "\(place)\(what) of '\(commandText.printable(atMost: 120))'"
    return openValues.add(OpenValues.Value(cause: cause ?? passage, text: text))
  }

  /// Notes that somebody was asked for a value.
  func ask(_ place: Int?) {
    if let place { openValues.ask(place) }
  }

  /// Notes what a command leaves open that is performed later, or never; with `orChecks`, also that it is an assertion.
  func leaveOpen(_ command: ParsedCommand, orChecks: Bool = false) -> Int? {
    guard decisions != nil,
      orChecks && CommandText.isAssertion(command.text)
        || !Set(CommandText.words(command.text)).isDisjoint(with: ["or", "to", "jitter"])
    else { return nil }
    return leaveOpen("'\(command.text.printable(atMost: 120))'")
  }

  // MARK: Routes

  /// Adds a route, and notes what it leaves open.
  @discardableResult func add(_ route: Route) -> Int {
    let number = http.server.add(route)
    let standsForOneRoute = CommandText.words(commandText).first == "route"
    guard decisions != nil else { return number }
    // A scene may bring several routes with one command.
    let pattern = standsForOneRoute ? "" : " of \(route.pattern)"
    for (index, what) in route.openValues {
      guard let value = leaveOpen("\(what) answer \(index + 1)\(pattern)") else { continue }
      openValues.answers.append(.init(route: number, index: index, value: value))
    }
    return number
  }

  /// Removes a route.
  ///
  /// - Returns: false if there is no such route.
  @discardableResult func removeRoute(_ number: Int) -> Bool {
    noteAskedRoutes()
    return http.server.remove(number)
  }

  /// Answers are given in their order, so each has been asked for before those behind it.
  func noteAskedRoutes() {
    guard !openValues.answers.isEmpty else { return }
    let routes = http.server.routes
    for answer in openValues.answers {
      guard let route = routes.first(where: { $0.number == answer.route }) else { continue }
      if route.useCount > answer.index { openValues.ask(answer.value) }
    }
  }

  /// Notes that an injection begins, or ends by nil: it is asked by each request that a route answers.
  func noteInjection(_ answer: ScriptedAnswer?, rate: Double) {
    if let injection = openValues.injection {
      let log = http.server.log
      let isAsked = log.entries.contains { $0.id > injection.requests && $0.route != nil }
      if isAsked { for value in injection.values { openValues.ask(value) } }
    }
    openValues.injection = nil
    guard let answer, rate > 0 else { return }
    let open = (rate < 1 ? ["which requests it strikes"] : []) + answer.openValues
    let values = open.compactMap(leaveOpen)
    openValues.injection = .init(values: values, requests: http.server.log.totalCount)
  }

  /// All that was left open so far, and whether somebody was asked.
  var openValuesSoFar: [(value: OpenValues.Value, isAsked: Bool)] {
    if !openValues.answers.isEmpty { noteAskedRoutes() }
    if openValues.injection != nil { noteInjection(nil, rate: 0) }
    return Array(zip(openValues.values, openValues.isAsked))
  }
}
