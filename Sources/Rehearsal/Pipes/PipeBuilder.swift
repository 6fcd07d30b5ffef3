import Loading
import Pipelines
import RehearsalBase
import Script
import Staging

/// Builds a publisher from a pipe's specification. Mistakes are found when the pipe is created, not
/// when values arrive.
@MainActor struct PipeBuilder {
  let name: String
  let log: PipeLog
  let loads: PipeLoads
  let session: Session
  /// The known members among its sources.
  let sources = Sources()
  private let scheduler: StageScheduler

  @MainActor final class Sources {
    fileprivate(set) var members: [any ValueSource] = []
  }

  /// Maximum number of stages for one subscriber, including those of other pipes. Each stage takes
  /// a few frames of the thread's stack.
  static let mostStages = 1_000

  /// A checked pipe, which can be built for an incoming value that its loads may use; nil for a
  /// pipe that is not inside another one.
  typealias Plan = @MainActor (JSONValue?) -> PipeFlow

  /// A checked stage.
  private typealias Step = @MainActor (PipeFlow, JSONValue?) -> PipeFlow

  init(name: String, spec: PipeSpec, session: Session) {
    self.name = name
    self.session = session
    log = PipeLog(of: spec, session: session)
    loads = PipeLoads(name: name, log: log, session: session)
    scheduler = session.stage.scheduler
  }

  /// Builds the pipe with a tap after its source and after each stage. Returns its publisher and
  /// the type of its values.
  func build(_ spec: PipeSpec) throws(Diagnostic) -> (values: ValuePublisher, type: ValueType) {
    let plan = try plan(spec, stage: nil)
    guard stageCount <= Self.mostStages else {
      throw Diagnostic(
        .tooMany("stages in a pipe and those before it", limit: Self.mostStages),
        at: spec.source.span
      )
    }
    let type = try PipeTypes(name: name, session: session).type(of: spec)
    return (plan(nil).values, type)
  }

  /// The number of stages of the pipe and of its sources. A source that is used twice counts twice.
  var stageCount: Int { sources.members.reduce(log.stageCount) { $0 + $1.stageCount } }

  // MARK: Checking

  /// Checks a pipe inside the given stage; nil for the pipe itself. Adds a tap to each stage,
  /// except to a load inside another stage, which logs its own events.
  private func plan(_ spec: PipeSpec, stage: Int?) throws(Diagnostic) -> Plan {
    var numbers = log.numbers(of: spec, within: stage)
    let isToldElsewhere = stage != nil && spec.source.value.isLoad
    if isToldElsewhere, let stage { numbers[0] = stage }
    let source = try plan(spec.source, stage: numbers[0])
    let gates = gates(in: spec)
    var steps: [Step] = []
    var kind = PipeFlow.Kind.values
    for (index, located) in spec.stages.enumerated() {
      try check(located, gets: kind)
      steps.append(try step(located.value, stage: numbers[index + 1]))
      kind = located.value.gives(kind)
    }
    if kind == .publishers {
      throw Diagnostic(
        .publishersAtEnd,
        at: spec.stages.last?.span ?? spec.source.span,
        hint:
          "'| switchToLatest' after it takes the values of the latest; 'flatMap (…)' those of all"
      )
    }
    return { [numbers, gates] value in
      var flow = source(value)
      if value != nil || isToldElsewhere {
        flow = .values(flow.values.tryMap { try $0.checkedForSize() }.eraseToAnyPublisher())
      }
      flow = tapped(flow, stage: numbers[0], gate: gates[0], isTold: !isToldElsewhere)
      for (index, step) in steps.enumerated() {
        flow = tapped(step(flow, value), stage: numbers[index + 1], gate: gates[index + 1])
      }
      return flow
    }
  }

  /// Returns the gate after the source, and those after the stages.
  private func gates(in spec: PipeSpec) -> [PipeGate?] {
    let undemanded =
      [self.undemanded(from: spec.source.value)]
      + spec.stages.map { $0.value.sendsWithoutDemand ? .drop : .wait }
    return undemanded.enumerated().map { index, undemanded in
      let limit = spec.stages[index...].lazy.compactMap(\.value.demandLimit).first
      let reason = limit.map { "'\($0)' has no demand" } ?? "there is no demand"
      return switch undemanded {
      case .wait: nil
      case .drop: PipeGate(keepsLatest: false, reason: reason)
      case .keepLatest: PipeGate(keepsLatest: true, reason: reason)
      }
    }
  }

  private func undemanded(from source: PipeSpec.Source) -> UndemandedValues {
    switch source {
    case .member(let name): sources.members.last { $0.name == name }?.undemanded ?? .wait
    case .timer: .drop
    case .values, .never, .fail, .load, .future, .deferred: .wait
    }
  }

  private func check(
    _ stage: Located<PipeSpec.Stage>,
    gets kind: PipeFlow.Kind
  ) throws(Diagnostic) {
    guard let needed = stage.value.takes, needed != kind else { return }
    throw Diagnostic(
      .unsuitableStage(stage.value.word, takes: needed.text, gets: kind.text),
      at: stage.span,
      hint: needed == .publishers
        ? "'map (load …)' before it makes a publisher of each value"
        : "'switchToLatest' before it takes the values of the latest publisher"
    )
  }

  private func tapped(
    _ flow: PipeFlow,
    stage: Int,
    gate: PipeGate?,
    isTold: Bool = true
  ) -> PipeFlow {
    let log = isTold ? log : nil
    switch flow {
    case .values(let values):
      let tap = PipeTap(
        upstream: values,
        meter: session.pipeMeter,
        log: log,
        stage: stage,
        gate: gate,
        event: PipeLog.Event.value
      )
      return .values(tap.eraseToAnyPublisher())
    case .publishers(let publishers):
      let tap = PipeTap(
        upstream: publishers,
        meter: session.pipeMeter,
        log: log,
        stage: stage,
        gate: gate
      ) { _ in .publisher }
      return .publishers(tap.eraseToAnyPublisher())
    }
  }

  // MARK: Sources

  private func plan(
    _ source: Located<PipeSpec.Source>,
    stage: Int
  ) throws(Diagnostic) -> Plan {
    switch source.value {
    case .member(let name):
      let source = try session.source(Located(name, at: source.span), of: self.name)
      sources.members.append(source)
      let values = source.values
      return { _ in .values(values) }
    case .values(let values):
      return { value in
        let values = value.map { value in values.map { $0.filled(with: value) } } ?? values
        return .values(values.publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher())
      }
    case .never:
      return { _ in .values(Empty(completeImmediately: false).eraseToAnyPublisher()) }
    case .fail(let spec):
      return { _ in .values(Fail(error: spec.error).eraseToAnyPublisher()) }
    case .load(let spec):
      let load = try plan(spec, stage: stage)
      return { .values(load($0).eraseToAnyPublisher()) }
    case .future(let spec):
      let load = try plan(spec, stage: stage)
      return { .values(PipeFuture(load($0)).publisher) }
    case .timer(let interval):
      return { _ in
        let numbers = scheduler.timer(every: .init(interval)).map { JSONValue.number("\($0)") }
        return .values(numbers.setFailureType(to: (any Error).self).eraseToAnyPublisher())
      }
    case .deferred(let spec):
      let plan = try plan(spec, stage: stage)
      return { value in
        .values(
          Deferred { plan(value).values }.eraseToAnyPublisher()
        )
      }
    }
  }

  private func plan(
    _ spec: PipeSpec.LoadSpec,
    stage: Int
  ) throws(Diagnostic) -> @MainActor (JSONValue?) -> PipeLoadPublisher {
    let delay = spec.after
    var outcomes: [PipeLoadPlan.Outcome] = []
    for outcome in spec.outcomes { outcomes.append(try self.outcome(outcome, as: spec.type)) }
    let number = "stage \(stage)"
    let openOutcome =
      outcomes.count > 1 ? session.scheduling.leaveOpen("the outcome of \(number)") : nil
    let openDelay = delay.flatMap { delay in
      delay.isOpen ? session.scheduling.leaveOpen("the delay \(delay.text) of \(number)") : nil
    }
    return { [outcomes] value in
      let filled = value.map { value in outcomes.map { $0.filled(with: value) } } ?? outcomes
      let plan = PipeLoadPlan(
        outcomes: filled,
        delay: delay,
        openOutcome: openOutcome,
        openDelay: openDelay
      )
      return PipeLoadPublisher(loads: loads, plan: plan, stage: stage)
    }
  }

  private func outcome(
    _ outcome: PipeSpec.LoadSpec.Outcome,
    as type: TypeExpression?
  ) throws(Diagnostic) -> PipeLoadPlan.Outcome {
    switch outcome {
    case .value(let value): .result(.success(value))
    case .fail(let error): .result(.failure(error.error))
    case .never: .never
    case .request(let source):
      .request(try session.request(source), try session.type(type))
    }
  }

  // MARK: Stages

  private func step(
    _ stage: PipeSpec.Stage,
    stage number: Int
  ) throws(Diagnostic) -> Step {
    switch stage {
    case .map(.pipe(let spec)):
      let inner = try plan(spec, stage: number)
      return { flow, _ in
        .publishers(
          flow.values.map { value in inner(value).values }
            .eraseToAnyPublisher()
        )
      }
    case .flatMap(let spec, let most):
      let inner = try plan(spec, stage: number)
      let most = most.map(Subscribers.Demand.max) ?? .unlimited
      return { flow, _ in
        .values(flow.values.flatMapToEnd(most) { inner($0).values }.eraseToAnyPublisher())
      }
    case .catch(let spec):
      let inner = try plan(spec, stage: number)
      return { flow, value in
        .values(
          flow.values.catch { _ in inner(value).values }
            .eraseToAnyPublisher()
        )
      }
    case .filter(let condition):
      return testing(condition) { values, condition in
        values.filter { passes($0, condition, number) }.eraseToAnyPublisher()
      }
    case .firstWhere(let condition):
      return testing(condition) { values, condition in
        values.first { passes($0, condition, number) }.eraseToAnyPublisher()
      }
    case .prefixWhile(let condition):
      return testing(condition) { values, condition in
        values.prefix { passes($0, condition, number) }.eraseToAnyPublisher()
      }
    case .prepend(let spec):
      return try joining([spec], stage: number) { $0[0].prepend($0[1]).eraseToAnyPublisher() }
    case .append(let spec):
      return try joining([spec], stage: number) { $0[0].append($0[1]).eraseToAnyPublisher() }
    case .prefixUntil(let spec):
      return try joining([spec], stage: number) { $0[0].first(untilOutputFrom: $0[1]) }
    case .dropUntil(let spec):
      return try joining([spec], stage: number) { $0[0].dropFirst(untilOutputFrom: $0[1]) }
    case .merge(let specs):
      return try joining(specs, stage: number) { Publishers.MergeMany($0).eraseToAnyPublisher() }
    case .combineLatest(let specs):
      return try joining(specs, stage: number) {
        Publishers.CombineLatestMany($0).map(JSONValue.array).eraseToAnyPublisher()
      }
    case .zip(let specs):
      return try joining(specs, stage: number) { $0.zippedAsList() }
    case .buffer(let size, let keepsFull, let whenFull):
      return { flow, _ in
        let buffer = PipeBuffer(
          upstream: flow.values,
          size: size,
          keepsFull: keepsFull,
          whenFull: whenFull
        ) { log.add(.lost($0, "the buffer is full"), stage: number) }
        return .values(buffer.eraseToAnyPublisher())
      }
    case .handleEvents(let events):
      return { flow, _ in
        switch flow {
        case .values(let values):
          .values(printing(events, of: values, stage: number, event: PipeLog.Event.value))
        case .publishers(let publishers):
          .publishers(printing(events, of: publishers, stage: number) { _ in .publisher })
        }
      }
    case .retry(let count):
      return { [meter = session.pipeMeter] flow, _ in flow.retried(count, meter) }
    default:
      return { flow, value in
        scheduler.applying(value.map { stage.filled(with: $0) } ?? stage, to: flow)
      }
    }
  }

  /// Returns a publisher that prints some of its events.
  private func printing<Output>(
    _ events: Set<PipeSpec.HandledEvent>,
    of upstream: AnyPublisher<Output, any Error>,
    stage: Int,
    event: @escaping (Output) -> PipeLog.Event
  ) -> AnyPublisher<Output, any Error> {
    func tell(_ kind: PipeSpec.HandledEvent, _ detail: String = "", isInLog: Bool = false) {
      guard events.contains(kind) else { return }
      let text = kind.rawValue + (detail.isEmpty ? "" : " " + detail)
      log.announce(text, of: name, stage: stage, isInLog: isInLog)
    }
    return upstream.handleEvents(
      receiveSubscription: { _ in tell(.subscription) },
      receiveOutput: { value in
        tell(.output, assumingMainActor { PipeLog.text(of: event(value)) }, isInLog: true)
      },
      receiveCompletion: { completion in
        let end: PipeLog.Event =
          switch completion {
          case .finished: .finished
          case .failure(let error): .failed(error)
          }
        tell(.completion, assumingMainActor { PipeLog.text(of: end) }, isInLog: true)
      },
      receiveCancel: { tell(.cancel) },
      receiveRequest: { tell(.request, $0.max.map { "\($0)" } ?? "unlimited") }
    ).eraseToAnyPublisher()
  }

  /// Returns a stage with a condition, which may contain `{value}`.
  private func testing(
    _ condition: PipeSpec.Condition,
    _ build: @escaping (ValuePublisher, PipeSpec.Condition) -> ValuePublisher
  ) -> Step {
    { flow, value in
      .values(build(flow.values, value.map { condition.filled(with: $0) } ?? condition))
    }
  }

  /// Returns whether a value passes. If it cannot be compared, the log has the reason.
  private func passes(_ value: JSONValue, _ condition: PipeSpec.Condition, _ stage: Int) -> Bool {
    if condition.holds(value) { return true }
    if let reason = condition.incomparability(of: value) { log.add(.dropped(reason), stage: stage) }
    return false
  }

  /// Checks a stage that combines its input with other pipes.
  private func joining(
    _ specs: [PipeSpec],
    stage: Int,
    _ join: @escaping ([ValuePublisher]) -> ValuePublisher
  ) throws(Diagnostic) -> Step {
    var others: [Plan] = []
    for spec in specs { others.append(try plan(spec, stage: stage)) }
    let plans = others
    return { flow, value in .values(join([flow.values] + plans.map { $0(value).values })) }
  }
}

extension PipeLoadPlan.Outcome {
  fileprivate func filled(with value: JSONValue) -> Self {
    switch self {
    case .result(.success(let result)): .result(.success(result.filled(with: value)))
    case .request(let spec, let type): .request(spec.filled(with: value), type)
    case .result(.failure), .never: self
    }
  }
}
