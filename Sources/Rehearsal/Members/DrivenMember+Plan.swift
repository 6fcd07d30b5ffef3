import Loading
import Script
import Staging

extension DrivenMember {
  /// Looks up everything that a request names. Nothing has started when this throws.
  func plan(for request: StartRequest) throws(Diagnostic) -> AttemptPlan<State> {
    let plan = AttemptPlan<State>(
      kind: try resolver.kind(request.kind),
      end: try resolver.end(request.answer.outcome)
    )
    for yield in request.answer.yields {
      plan.yields.append((try resolver.state(yield.state), yield.delay))
    }
    plan.delay = try delay(of: request)
    if let outcome = request.whenCancelled { plan.whenCancelled = try resolver.end(outcome.value) }
    plan.isStubborn = request.isStubborn
    plan.isSilent = request.isSilent
    plan.isAwaited = request.isAwaited
    plan.isCallerCancelled = request.isCallerCancelled
    plan.priority = request.priority
    plan.retry = request.retry
    plan.failing = request.failing.map { ($0.error.error, $0.tries) }
    plan.interrupts = try interrupts(of: request)
    return plan
  }

  private func delay(of request: StartRequest) throws(Diagnostic) -> Duration {
    guard let after = request.after else { return request.answer.delay ?? .zero }
    switch request.answer.outcome {
    case .never:
      throw Diagnostic(.conflictingClauses("never", "after"), at: after.span)
    case .value, .done, .fail, .cancelling, .resetting:
      return after.value
    }
  }

  private func interrupts(of request: StartRequest) throws(Diagnostic) -> [PlannedInterrupt] {
    var interrupts: [PlannedInterrupt] = []
    if request.interrupts.isEmpty, request.timeout == nil { return interrupts }
    for interrupt in request.interrupts {
      switch interrupt.action {
      case .note: interrupts.append(.init(time: interrupt.time, action: .note))
      case .command(let command):
        interrupts.append(.init(time: interrupt.time, action: .command(command)))
      case .outcome(let outcome):
        guard case .error(let error) = try resolver.end(outcome) else { continue }
        interrupts.append(.init(time: interrupt.time, action: .error(error)))
      }
    }
    if let timeout = request.timeout {
      interrupts.append(.init(time: timeout.value, action: .error(TimeoutError())))
    }
    // Stable: at one instant a plain interrupt comes before the timeout.
    return interrupts.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }
}
