import HTTPTypes
import RemoteLoading

/// An answer with all work done that is the same for every request. A class, because many requests
/// share it.
final class PreparedAnswer: Sendable {
  let delay: Delay
  private let content: Content
  private let alternatives: [PreparedAnswer]
  /// Nil for a fault.
  private let status: Int?

  private enum Content {
    case fault(Fault)
    case same(Exchange.Delivery)
    case filledIn(ResponseTemplate, ScriptedAnswer.Pace)
  }

  init(_ answer: ScriptedAnswer, pattern: RequestPattern) {
    delay = answer.delay
    alternatives = answer.choices.dropFirst().map { PreparedAnswer($0, pattern: pattern) }
    switch answer.outcome {
    case .fault(let fault):
      status = nil
      content = .fault(fault)
    case .response(let response):
      status = response.status
      let template = ResponseTemplate(response, pattern: pattern)
      content =
        template.isConstant
        ? .same(Exchange.Delivery(response, pace: answer.pace)) : .filledIn(template, answer.pace)
    }
  }

  /// Returns this answer or the alternative that `decider` chooses.
  func chosen(by decider: AnswerDecider?) -> PreparedAnswer {
    guard let decider, !alternatives.isEmpty else { return self }
    let all = [self] + alternatives
    return all[decider.answer(all.count) { "alternative \($0 + 1), \(all[$0].outcomeText)" }]
  }

  private var outcomeText: String {
    if case .fault(let fault) = content { return fault.rawValue }
    return status.map { "status \($0)" } ?? ""
  }

  /// Returns the outcome for a request, the route's `count`th.
  func outcome(for reading: inout RequestReading, count: Int) -> Exchange.Outcome {
    switch content {
    case .fault(let fault):
      return .fault(fault)
    case .same(let delivery):
      return .response(reading.method == .head ? delivery.withoutBody : delivery)
    case .filledIn(let template, let pace):
      let delivery = Exchange.Delivery(template.filledIn(for: &reading, count: count), pace: pace)
      return .response(reading.method == .head ? delivery.withoutBody : delivery)
    }
  }
}
