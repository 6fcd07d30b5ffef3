import Loading
import RehearsalBase
import Script
import Staging

/// Resolves what `load` and `run` name, and refuses what does not fit the member, before anything starts.
extension DrivenMember {
  /// Resolves everything that a request names. If this throws, nothing has started.
  func plan(for request: StartRequest) throws(Diagnostic) -> AttemptPlan<State> {
    guard !isCustom else { throw unsuited("process", at: request.span) }
    let plan = AttemptPlan<State>(
      request,
      kind: try resolver.kind(request.kind),
      end: try end(outcome(of: request))
    )
    for yield in request.yields {
      let delay = yield.delay?.value ?? DurationRange(.zero)
      let open =
        delay.isOpen ? session.scheduling.leaveOpen("the delay \(delay.text) of a yield") : nil
      plan.yields.append((try resolver.state(yield.state), delay, open))
    }
    for outcome in request.alternatives { plan.alternatives.append(try end(outcome)) }
    plan.delay = try delay(of: request)
    if !plan.alternatives.isEmpty { plan.openOutcome = session.scheduling.leaveOpen("the outcome") }
    if plan.delay.isOpen {
      plan.openDelay = session.scheduling.leaveOpen("the delay \(plan.delay.text)")
    }
    if let retry = request.retry, retry.jitterInPercent > 0 {
      plan.openJitter = session.scheduling.leaveOpen("the jitter")
    }
    try requireTime(for: request)
    if let outcome = request.whenCancelled { plan.whenCancelled = try resolver.end(outcome.value) }
    plan.interrupts = try interrupts(of: request)
    plan.cause = session.history.cause
    (plan.given, plan.place) = (session.execution.given, session.execution.sourceSuffix)
    return plan
  }

  /// Returns the outcome of the request, or else the member's default.
  private func outcome(of request: StartRequest) throws(Diagnostic) -> StartRequest.Outcome {
    if let outcome = request.outcome { return outcome }
    guard let source else {
      let repetition = attemptCount == 0 ? "" : "; 'retry \(name)' repeats the last one"
      let words = CommandText.words(session.execution.commandText.printable(atMost: 100)).prefix {
        !$0.hasPrefix("#")
      }
      let clauses = words.count > 2 && words[1] == name ? [""] + words[2...] : []
      let all = clauses.joined(separator: " ")
      let rest = if case .success = session.read("load \(name) \"text\"\(all)") { all } else { "" }
      let example =
        sort == .loadable
        ? "give the answer, as in 'load \(name) \"text\"\(rest)' or 'load \(name) from /path\(rest)'"
        : "say how it ends, as in 'run \(name) from POST /path'"
      throw Diagnostic(.noSource(name), at: request.span, hint: example + repetition)
    }
    return .request(source)
  }

  /// Resolves the endpoint of an outcome, and checks that the member may use it.
  private func end(_ outcome: StartRequest.Outcome) throws(Diagnostic) -> AttemptPlan<State>.End {
    guard case .request(let source) = outcome else { return try resolver.end(outcome) }
    let spec = try session.request(source)
    return try resolver.end(.request(.spec(Located(spec, at: source.span))))
  }

  /// Throws if an event of the request would be after the end of time. Pauses between tries are
  /// ignored, because the script does not state them.
  private func requireTime(for request: StartRequest) throws(Diagnostic) {
    var total = Duration.zero
    for yield in request.yields {
      guard let delay = yield.delay else { continue }
      total += delay.value.upperBound
      try session.clock.requireTime(for: total, span: delay.span)
    }
    if let delay = request.after ?? request.delay {
      total += delay.value.upperBound
      try session.clock.requireTime(for: total, span: delay.span)
    }
    if let backoff = request.backoff {
      try session.clock.requireTime(for: total + backoff.value, span: backoff.span)
    }
    if let timeout = request.timeout {
      try session.clock.requireTime(for: timeout.value, span: timeout.span)
    }
    for interrupt in request.interrupts {
      try session.clock.requireTime(for: interrupt.latest, span: interrupt.span)
    }
  }

  private func delay(of request: StartRequest) throws(Diagnostic) -> DurationRange {
    guard let after = request.after else { return request.delay?.value ?? DurationRange(.zero) }
    guard request.outcome?.takesTime ?? true || request.alternatives.contains(where: \.takesTime)
    else {
      throw Diagnostic(.conflictingClauses("never", "after"), at: after.span)
    }
    return after.value
  }

  private func interrupts(of request: StartRequest) throws(Diagnostic) -> [PlannedInterrupt] {
    var interrupts: [PlannedInterrupt] = []
    if request.interrupts.isEmpty, request.timeout == nil { return interrupts }
    for (index, interrupt) in request.interrupts.enumerated() {
      switch interrupt.action {
      case .note: interrupts.append(.init(time: interrupt.time, action: .note))
      case .command(let command):
        let place = request.interrupts.count > 1 ? index + 1 : nil
        let open = session.scheduling.leaveOpen(command, atInterrupt: place)
        let due = session.stage.now.elapsed + interrupt.time
        let number = session.clock.scheduled.addInterrupt(command, session.execution, at: due)
        interrupts.append(
          .init(time: interrupt.time, action: .command(command), open: open, number: number)
        )
      case .outcome(let outcome):
        guard case .error(let error) = try resolver.end(outcome) else { continue }
        interrupts.append(.init(time: interrupt.time, action: .error(error)))
      }
    }
    if let timeout = request.timeout {
      interrupts.append(.init(time: timeout.value, action: .error(TimeoutError())))
    }
    if interrupts.count == 1 { return interrupts }
    // Stable: at the same instant, a `note` interrupt comes before the timeout.
    return interrupts.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }
}

extension StartRequest.Outcome {
  /// Whether the delay of the block has any effect.
  fileprivate var takesTime: Bool { if case .never = self { false } else { true } }
}
