import HTTPTypes
import RehearsalBase
import RemoteLoading

/// A converter from recorded exchanges to routes.
struct RouteMaker {
  /// The maximum number of answers in one route of the command language.
  private static let mostAnswers = 1000
  /// The maximum size of a route in bytes, a little less than the command language allows.
  private static let longestRoute = 240 << 10

  private let traffic: Traffic
  private let hosts: RecordedHosts
  private let masker: Masker
  private var answers: AnswerMaker
  private var result = TrafficRoutes()
  /// The targets, in the order of their first request.
  private var places: [RouteTarget] = []
  private var indices: [RouteTarget.Key: Int] = [:]
  private var hostsOfPath: [PathTemplate: Set<String>] = [:]

  /// The requests to one path with one method.
  private struct RouteTarget {
    let key: Key
    private(set) var questions: [Question] = []
    private var indices: [Question.Key: Int] = [:]

    init(key: Key) { self.key = key }

    /// Returns the remaining size for the answers to a question, in bytes.
    func room(for key: Question.Key) -> Int {
      guard let index = indices[key] else { return RouteMaker.longestRoute - key.approximateSize }
      return questions[index].room
    }

    mutating func add(_ answer: ScriptedAnswer, _ key: Question.Key) {
      let index = indices[key] ?? questions.count
      if index == questions.count {
        indices[key] = index
        questions.append(Question(key: key))
      }
      questions[index].add(answer)
    }

    struct Key: Hashable {
      let method: HTTPRequest.Method
      let host: String
      let path: PathTemplate
    }
  }

  /// Requests that a route cannot distinguish, and their answers.
  private struct Question {
    let key: Key
    private(set) var answers: [ScriptedAnswer] = []
    private var size: Int

    /// The remaining size in bytes of a command. Zero if the route has the maximum number of
    /// answers.
    var room: Int { answers.count < RouteMaker.mostAnswers ? RouteMaker.longestRoute - size : 0 }

    init(key: Key) {
      self.key = key
      size = key.approximateSize
    }

    mutating func add(_ answer: ScriptedAnswer) {
      answers.append(answer)
      size += answer.approximateSize
    }

    struct Key: Hashable {
      let query: [RequestPattern.Condition]
      let body: RequestPattern.BodyCondition?
      /// The conditions without what matching ignores: the order of the query and of JSON fields, and the form of numbers.
      private let identity: Identity

      private struct Identity: Hashable {
        let query: Set<RequestPattern.Condition>
        let body: RequestPattern.BodyCondition?
        let json: JSONValue?
      }

      init(query: [RequestPattern.Condition], body: RequestPattern.BodyCondition?) {
        (self.query, self.body) = (query, body)
        let json: JSONValue? =
          if case .json(let text) = body { try? JSONValue(json: Array(text.utf8)) } else { nil }
        identity = Identity(
          query: Set(query),
          body: json == nil ? body : nil,
          json: json?.canonical
        )
      }

      static func == (left: Key, right: Key) -> Bool { left.identity == right.identity }

      func hash(into hasher: inout Hasher) { hasher.combine(identity) }

      /// The size of the body condition, whatever the form of its numbers.
      var bodyWeight: Int {
        identity.json?.text.utf8.count ?? body?.text.utf8.count ?? -1
      }

      /// The size as part of a command, in bytes.
      var approximateSize: Int {
        query.reduce(2 * (body?.text.utf8.count ?? 0)) { size, condition in
          guard case .text(let text) = condition.value else {
            return size + condition.name.utf8.count
          }
          return size + 3 * (condition.name.utf8.count + text.utf8.count)
        }
      }
    }

    /// The number of conditions, to sort less specific questions first.
    var weight: Int {
      let texts = key.query.count { if case .text = $0.value { true } else { false } }
      return texts << 32 + key.bodyWeight + 1
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
      if !exchange.hasStatusOfRoutes {
        leaveOut(.badStatus)
      } else if hosts.isWanted(exchange) {
        add(exchange)
      } else {
        leaveOut(.otherHost)
      }
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
    let host = hosts.host(of: exchange).name
    let key = RouteTarget.Key(method: exchange.request.head.method, host: host, path: target.path)
    let place = index(of: key)
    let question = Question.Key(query: target.query, body: target.body)
    let room = places[place].room(for: question)
    // Before the answer, because a large body becomes a file.
    guard room > 0 else { return leaveOut(.tooMuch) }
    guard let answer = answers.answer(to: exchange, at: target.path, room: room) else {
      return leaveOut(.noAnswer)
    }
    guard answer.approximateSize <= room else { return leaveOut(.tooMuch) }
    places[place].add(answer, question)
    hostsOfPath[target.path, default: []].insert(host)
    result.exchangeCount += 1
    switch exchange.outcome {
    case .responseWithoutBody: result.missingBodyCount += 1
    case .response(let response) where exchange.missingByteCount > 0 && !response.body.isEmpty:
      result.shortBodyCount += 1
    case .response, .failure: break
    }
  }

  private mutating func index(of key: RouteTarget.Key) -> Int {
    if let index = indices[key] { return index }
    indices[key] = places.count
    places.append(RouteTarget(key: key))
    return places.count - 1
  }

  // MARK: Routes

  private func routes(of place: RouteTarget) -> [Route] {
    let needsHost = hostsOfPath[place.key.path, default: []].count > 1
    let bodies = Dictionary(grouping: place.questions) { Set($0.key.query) }
    // Less specific questions come first, because the last route that matches wins.
    let order = place.questions.indices.sorted {
      (place.questions[$0].weight, $0) < (place.questions[$1].weight, $1)
    }
    return order.map { place.questions[$0] }.map { question in
      let isAlone = bodies[Set(question.key.query), default: []].count < 2
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

  /// Returns the answers. Equal ones at the end, apart from their times, become one.
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

extension RecordedExchange {
  /// Whether a route can have its status.
  fileprivate var hasStatusOfRoutes: Bool {
    switch outcome {
    case .response(let response), .responseWithoutBody(let response, _):
      (200...599).contains(response.head.status.code)
    case .failure: true
    }
  }
}
