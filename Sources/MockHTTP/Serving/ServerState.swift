import HTTPTypes
import Loading
import RehearsalBase
import RemoteLoading
import Staging

/// The state that a server's lock guards: which route or injected fault answers a request.
struct ServerState {
  private(set) var routes: [RouteCell] = []
  private var index = RouteIndex()
  private var lastNumber = 0
  private var generator: SplitMix64
  private var injection: Injection?
  /// Open values, if a stage has a scheduler; nil if no value is open.
  private var openValues: ServerOpenValues?
  /// Requests that no route has matched, if a stage has a scheduler, without duplicates.
  private(set) var unmatchedRequests: [String] = []
  private static let mostUnmatched = 20
  var holds = Holds()
  var ring: RequestRing

  init(seed: UInt64, logLimit: Int) {
    generator = SplitMix64(seed: seed)
    ring = RequestRing(limit: logLimit)
  }

  // MARK: Routes

  /// The open values of routes and injections so far, and whether a request asked for each.
  var openValuesSoFar: [ServerOpenValue] { openValues?.values ?? [] }

  /// Notes the open values of a route or an injection.
  ///
  /// - Returns: whether the first open value of code is among them.
  mutating func noteOpenValues(_ add: (inout ServerOpenValues) -> Void) -> Bool {
    var values = openValues ?? ServerOpenValues()
    let hadValuesOfCode = values.hasValuesOfCode
    openValues = nil  // Keeps the storage uniquely referenced.
    add(&values)
    openValues = values
    return values.hasValuesOfCode && !hadValuesOfCode
  }

  mutating func add(_ route: Route) -> Int {
    lastNumber += 1
    let cell = RouteCell(number: lastNumber, route: route)
    routes.append(cell)
    index.insert(cell)
    return lastNumber
  }

  mutating func remove(_ number: Int) -> Bool {
    guard let place = routes.firstIndex(where: { $0.number == number }) else { return false }
    routes.remove(at: place)
    index = RouteIndex()
    for cell in routes { index.insert(cell) }
    return true
  }

  // MARK: Exchanges

  /// Accepts a request. The scheduler of `stage`, the stage of the calling code, chooses random
  /// values. A request from elsewhere, such as a socket, has no stage.
  mutating func receive(
    _ request: RemoteRequest,
    scope: String?,
    channel: RequestLog.Channel,
    at time: Duration,
    on stage: Stage?
  ) -> Exchange {
    var reading = RequestReading(request)
    let cell = index.route(for: &reading, scope: scope)
    let decider = stage.flatMap { stage in
      stage.jobScheduler.map {
        AnswerDecider(scheduler: $0, stage: stage, request: request)
      }
    }
    let (outcome, delay) = answer(of: cell, &reading, scope: scope, decider)
    let isHeld = cell != nil && holds.holds(&reading)
    let id = ring.nextID
    let entry = RequestLog.Entry(
      id: id,
      reading: reading,
      scope: scope,
      channel: channel,
      route: cell?.number,
      received: time,
      outcome: outcome,
      isHeld: isHeld
    )
    ring.append(entry)
    if isHeld { holds.keep(entry) }
    return Exchange(id: id, isHeld: isHeld, delay: delay, outcome: outcome)
  }

  private mutating func answer(
    of cell: RouteCell?,
    _ reading: inout RequestReading,
    scope: String?,
    _ decider: AnswerDecider?
  ) -> (Exchange.Outcome, Duration) {
    let isStruck = injection?.draws() ?? false
    guard let cell else {
      if let decider { noteUnmatched(decider.requestText) }
      return (.failure(NearestRoute.error(among: routes, for: &reading, scope: scope)), .zero)
    }
    var decider = decider
    if decider != nil { openValues?.askInjection() }
    decider?.record = openValues?.sourceOfInjection?.record
    if let injection, injection.strikes(isStruck, decider) {
      let answer = injection.answer.chosen(by: decider)
      let delay = answer.delay.draw(&generator, decider)
      return (answer.outcome(for: &reading, count: cell.useCount + 1), delay)
    }
    if decider != nil, let answer = cell.nextAnswer {
      openValues?.ask(route: cell.number, answer: answer)
      decider?.record = openValues?.source(ofRoute: cell.number, answer: answer)?.record
    }
    guard let answer = cell.takeAnswer()?.chosen(by: decider) else {
      return (.failure(NearestRoute.error(cell, for: &reading, scope: scope)), .zero)
    }
    let delay = answer.delay.draw(&generator, decider)
    return (answer.outcome(for: &reading, count: cell.useCount), delay)
  }

  private mutating func noteUnmatched(_ request: String) {
    if unmatchedRequests.count < Self.mostUnmatched, !unmatchedRequests.contains(request) {
      unmatchedRequests.append(request)
    }
  }

  // MARK: Random values

  mutating func inject(_ answer: ScriptedAnswer, rate: Double, seed: UInt64?) {
    injection = Injection(
      answer: PreparedAnswer(
        answer,
        pattern: RequestPattern(path: PathTemplate(segments: [.rest("path")]))
      ),
      rate: rate,
      generator: SplitMix64(seed: seed ?? generator.next()),
      hasOwnSeed: seed != nil
    )
  }

  mutating func stopInjecting() {
    injection = nil
    openValues?.endInjection()
  }

  mutating func reseed(_ seed: UInt64) {
    generator = SplitMix64(seed: seed)
    if injection?.hasOwnSeed == false { injection?.generator = SplitMix64(seed: generator.next()) }
  }
}

/// An answer for a share of all requests, usually a fault. It draws a random number for every
/// request, so that the same seed replaces the same requests.
private struct Injection {
  let answer: PreparedAnswer
  let rate: Double
  var generator: SplitMix64
  /// Whether it has its own seed, which `reseed` does not change.
  let hasOwnSeed: Bool

  mutating func draws() -> Bool { generator.nextFraction() < rate }

  /// Returns whether it answers a request. A decider may reverse the random result unless it is
  /// certain.
  func strikes(_ isDrawn: Bool, _ decider: AnswerDecider?) -> Bool {
    guard let decider, rate > 0, rate < 1 else { return isDrawn }
    return decider.applies(isDrawn)
  }
}

/// A source of decisions that replaces random values.
struct AnswerDecider {
  let scheduler: any JobScheduler
  let stage: Stage
  let request: RemoteRequest
  /// The number of the command record that added the route or the injection; nil for code.
  var record: Int?

  /// Returns the index of an answer.
  ///
  /// - Parameters:
  ///   - count: the number of answers.
  ///   - text: returns an answer as text.
  /// - Returns: the index.
  func answer(_ count: Int, _ text: (Int) -> String) -> Int {
    let choice = scheduler.choose(among: count)
    if count > 1 { note("the answer to", text(choice)) }
    return choice
  }

  /// Returns whether an injection applies.
  func applies(_ isDrawn: Bool) -> Bool {
    let applies = (scheduler.choose(among: 2) == 0) == isDrawn
    note("the injection for", applies ? "applied" : "not applied")
    return applies
  }

  /// Returns a delay within a range.
  func delay(_ range: ClosedRange<Duration>, drawn: Duration) -> Duration {
    let delay = scheduler.choose(range, drawn: drawn, from: .zero, on: stage)
    if range.lowerBound < range.upperBound {
      note("the delay of the answer to", delay.compact)
    }
    return delay
  }

  private func note(_ name: String, _ value: @autoclosure () -> String) {
    guard scheduler.keepsTexts else { return }
    scheduler.noteValue(ChosenValue("\(name) \(requestText)", value(), record: record))
  }

  var requestText: String { "\(request.head.method.rawValue) \(request.head.path ?? "/")" }

  /// Tells the scheduler that it cannot choose all delays that the server could draw.
  func leaveDelaysOut() { scheduler.willLeaveValuesOut() }
}
