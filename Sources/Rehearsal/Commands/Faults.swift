import MockHTTP
import Script

// The faults of `inject http`, over all requests.

extension ShellCommand {
  static let rateSlot = Slot<Located<Int>>("rate", "N%") { parser throws(Diagnostic) in
    let number = try parser.integer("a share of the requests", in: 0...100, example: "30%")
    guard parser.accept(byte: UInt8(ascii: "%")) else {
      throw parser.expected("'%'", hint: "as in 'inject http 30% reset'")
    }
    return number
  }

  static let faultSlot = Slot<Located<Fault>>(
    "fault",
    "FAULT",
    expecting: Fault.allCases.map { .keyword($0.rawValue) }
  ) { parser throws(Diagnostic) in
    let word = try parser.word("a fault")
    guard let fault = Fault(rawValue: word.value) else {
      let names = Fault.allCases.map(\.rawValue)
      throw Diagnostic(
        .expected("a fault", found: word.value.printable(atMost: 30)),
        at: word.span,
        hint: Suggestion.hint(for: word.value, in: names)
          ?? "the faults are " + names.joined(separator: ", ")
      )
    }
    return Located(fault, at: word.span)
  }

  static let faultSeed = Slot<Located<Int>>.integer("seed", "a seed", in: 0...Int.max)
}

@MainActor extension Session {
  func injectFaults(_ arguments: Arguments) throws(Diagnostic) {
    guard let rate = arguments[ShellCommand.rateSlot], let fault = arguments[ShellCommand.faultSlot]
    else { return http.server.stopInjecting() }
    http.server.inject(
      fault.value,
      rate: Double(rate.value) / 100,
      seed: arguments[ShellCommand.faultSeed].map { UInt64($0.value) }
    )
  }
}
