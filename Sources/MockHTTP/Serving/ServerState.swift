import Loading
import RehearsalBase
import RemoteLoading
import Staging

/// What a server's lock guards.
struct ServerState {
  private(set) var routes: [RouteCell] = []
  private var index = RouteIndex()
  private var lastNumber = 0
  private var chance: SplitMix64
  private var injection: Injection?
  /// Open values, if a stage has a scheduler; nil if no value is open.
  private var openValues: ServerOpenValues?
  var holds = Holds()
  var ring: RequestRing

  init(seed: UInt64, logLimit: Int) {
    chance = SplitMix64(seed: seed)
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
    openValues = nil  // There is one copy.
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

  /// Takes a request in. The scheduler of `stage`, that of the code that asks, decides in place of chance, whatever the
  /// way; a request from elsewhere, such as a socket, has none.
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
      stage.jobScheduler.map { AnswerDecider(scheduler: $0, stage: stage) }
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
      return (.failure(NearestRoute.error(among: routes, for: &reading, scope: scope)), .zero)
    }
    if decider != nil { openValues?.askInjection() }
    if let injection, injection.strikes(isStruck, decider) {
      let answer = injection.answer.chosen(by: decider)
      let delay = answer.delay.draw(&chance, decider)
      return (answer.outcome(for: &reading, count: cell.useCount + 1), delay)
    }
    if decider != nil, let answer = cell.nextAnswer {
      openValues?.ask(route: cell.number, answer: answer)
    }
    guard let answer = cell.takeAnswer()?.chosen(by: decider) else {
      return (.failure(NearestRoute.error(cell, for: &reading, scope: scope)), .zero)
    }
    let delay = answer.delay.draw(&chance, decider)
    return (answer.outcome(for: &reading, count: cell.useCount), delay)
  }

  // MARK: Chance

  mutating func inject(_ answer: ScriptedAnswer, rate: Double, seed: UInt64?) {
    injection = Injection(
      answer: PreparedAnswer(
        answer,
        pattern: RequestPattern(path: PathTemplate(segments: [.rest("path")]))
      ),
      rate: rate,
      chance: SplitMix64(seed: seed ?? chance.next()),
      hasOwnSeed: seed != nil
    )
  }

  mutating func stopInjecting() {
    injection = nil
    openValues?.endInjection()
  }

  mutating func reseed(_ seed: UInt64) {
    chance = SplitMix64(seed: seed)
    if injection?.hasOwnSeed == false { injection?.chance = SplitMix64(seed: chance.next()) }
  }
}

/// An answer over all requests, most often a fault. It draws for each of them, whatever becomes of it, so that the same seed
/// strikes the same requests.
private struct Injection {
  let answer: PreparedAnswer
  let rate: Double
  var chance: SplitMix64
  /// Whether somebody chose its seed, which the server's does not change then.
  let hasOwnSeed: Bool

  mutating func draws() -> Bool { chance.nextFraction() < rate }

  /// Whether it answers a request, as was drawn or, where somebody decides, the other way; what is certain, nobody does.
  func strikes(_ isDrawn: Bool, _ decider: AnswerDecider?) -> Bool {
    guard let decider, rate > 0, rate < 1 else { return isDrawn }
    return decider.answer(2) == 0 ? isDrawn : !isDrawn
  }
}

/// Decides what routes leave open, in place of chance.
struct AnswerDecider {
  let scheduler: any JobScheduler
  let stage: Stage

  /// Which of so many answers is given, from 0; of an injection, whether it strikes as was drawn, 0, or the other way.
  func answer(_ count: Int) -> Int { scheduler.choose(among: count) }

  /// How long an answer takes that may take anything from a shorter to a longer time.
  func delay(_ range: ClosedRange<Duration>, drawn: Duration) -> Duration {
    scheduler.choose(range, drawn: drawn, from: .zero, on: stage)
  }

  /// Tells the scheduler that it cannot choose all delays that the server could draw.
  func leaveDelaysOut() { scheduler.willLeaveValuesOut() }
}
