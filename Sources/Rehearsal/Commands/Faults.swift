import MockHTTP
import Script

/// Performs `inject http` for all requests: its rate, seed, fault or status; `Steering.swift` has the command's
/// definition.
extension ShellCommand {
  static let rateSlot = Slot<Located<Double>>("rate", "N%") { parser throws(Diagnostic) in
    let share = try parser.share("a share of the requests")
    guard share.value > 0 else {
      throw Diagnostic(
        .numberOutOfRange(parser.text(share.span), allowed: "more than 0%"),
        at: share.span,
        hint: "'inject http off' ends the injection"
      )
    }
    return share
  }

  static let injectedSlot = Slot<ScriptedAnswer>(
    "injected",
    "FAULT | STATUS",
    expecting: Fault.allCases.map { .keyword($0.rawValue) }
  ) { parser throws(Diagnostic) in try parser.injectedAnswer() }

  static let faultSeed = Slot<Located<Int>>.integer("seed", "a seed", in: 0...Int.max)
}

@MainActor extension Session {
  func injectFaults(_ arguments: Arguments) throws(Diagnostic) {
    guard let rate = arguments[ShellCommand.rateSlot],
      let answer = arguments[ShellCommand.injectedSlot]
    else {
      return http.server.stopInjecting()
    }
    inject(
      answer,
      rate: rate.value,
      seed: arguments[ShellCommand.faultSeed].map { UInt64($0.value) }
    )
  }
}
