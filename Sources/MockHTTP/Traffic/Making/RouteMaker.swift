import HTTPTypes
import RemoteLoading

/// Walks over recorded exchanges and gathers what they say in routes.
struct RouteMaker {
  /// As many as the command language takes in one route.
  private static let mostAnswers = 1000

  private let traffic: Traffic
  private let hosts: RecordedHosts
  private let masker: Masker
  private var answers: AnswerMaker
  private var result = TrafficRoutes()
  /// In the order in which they were first asked for.
  private var places: [Place] = []
  private var indices: [Place.Key: Int] = [:]
  private var hostsOfPath: [PathTemplate: Set<String>] = [:]

  /// What was asked of one path with one method.
  private struct Place {
    let key: Key
    private(set) var questions: [Question] = []
    private var indices: [Question.Key: Int] = [:]

    init(key: Key) { self.key = key }

    /// False where there are as many answers as a route may have.
    mutating func add(_ answer: ScriptedAnswer, _ key: Question.Key) -> Bool {
      let index = indices[key] ?? questions.count
      if index == questions.count {
        indices[key] = index
        questions.append(Question(key: key))
      }
      guard questions[index].answers.count < RouteMaker.mostAnswers else { return false }
      questions[index].answers.append(answer)
      return true
    }

    struct Key: Hashable {
      let method: HTTPRequest.Method
      let host: String
      let path: PathTemplate
    }
  }

  /// Requests that differ in nothing, and their answers.
  private struct Question {
    let key: Key
    var answers: [ScriptedAnswer] = []

    struct Key: Hashable {
      let query: [RequestPattern.Condition]
      let body: RequestPattern.BodyCondition?
    }

    /// How much it asks for, to put what asks for less before what asks for more.
    var weight: Int {
      let texts = key.query.count { if case .text = $0.value { true } else { false } }
      let size =
        switch key.body {
        case nil: 0
        case .contains(let text), .json(let text): 1 + text.utf8.count
        }
      return texts << 32 + size
    }
  }

  init(_ traffic: Traffic, _ options: TrafficOptions, _ masker: Masker) {
    self.traffic = traffic
    self.masker = masker
    hosts = RecordedHosts(traffic.exchanges, wanted: options.hosts)
    answers = AnswerMaker(hosts, options, masker)
  }

  mutating func make() -> TrafficRoutes {
    result.leftOut = traffic.leftOut
    result.hosts = hosts.names
    for exchange in traffic.exchanges {
      if hosts.isWanted(exchange) { add(exchange) } else { leaveOut(.otherHost) }
    }
    result.routes = places.flatMap { routes(of: $0) }
    result.files = answers.files.files
    result.masked = masker.counts
    return result
  }

  private mutating func leaveOut(_ reason: Traffic.LeftOut) {
    result.leftOut[reason, default: 0] += 1
  }

  // MARK: Gathering

  private mutating func add(_ exchange: RecordedExchange) {
    for field in exchange.request.head.headerFields {
      masker.learn(fromHeader: field.name.rawName, field.value)
    }
    let target = RecordedTarget(exchange.request, masker)
    guard let answer = answers.answer(to: exchange, at: target.path) else {
      return leaveOut(.noAnswer)
    }
    let host = hosts.host(of: exchange).name
    let key = Place.Key(method: exchange.request.head.method, host: host, path: target.path)
    hostsOfPath[target.path, default: []].insert(host)
    if add(answer, to: target, key) { result.exchangeCount += 1 } else { leaveOut(.repetition) }
  }

  private mutating func add(
    _ answer: ScriptedAnswer,
    to target: RecordedTarget,
    _ key: Place.Key
  ) -> Bool {
    let index = indices[key] ?? places.count
    if index == places.count {
      indices[key] = index
      places.append(Place(key: key))
    }
    return places[index].add(answer, Question.Key(query: target.query, body: target.body))
  }

  // MARK: Routes

  private func routes(of place: Place) -> [Route] {
    let needsHost = hostsOfPath[place.key.path, default: []].count > 1
    let bodies = Dictionary(grouping: place.questions, by: \.key.query)
    // What asks for less comes first, since of two that match the later one wins.
    let order = place.questions.indices.sorted {
      (place.questions[$0].weight, $0) < (place.questions[$1].weight, $1)
    }
    return order.map { place.questions[$0] }.map { question in
      let isAlone = bodies[question.key.query, default: []].count < 2
      let pattern = RequestPattern(
        method: place.key.method,
        host: needsHost ? place.key.host : nil,
        path: place.key.path,
        query: question.key.query,
        body: isAlone ? nil : question.key.body
      )
      return Route(pattern, answers: Self.folded(question.answers))
    }
  }

  /// The answers, those at the end made one that are the same but for their times.
  private static func folded(_ answers: [ScriptedAnswer]) -> [ScriptedAnswer] {
    guard var last = answers.last else { return [] }
    let same = answers.reversed().prefix { $0.outcome == last.outcome }
    let delays = same.compactMap { answer in
      if case .fixed(let delay) = answer.delay { delay } else { nil }
    }
    if let least = delays.min(), let most = delays.max(), least < most {
      last.delay = .uniform(least, most)
    }
    return answers.dropLast(same.count) + [last]
  }
}
