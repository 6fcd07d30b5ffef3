package import MockHTTP

extension Parser {
  /// `D`, `D to D` or `lognormal D sigma X`.
  package mutating func delay() throws(Diagnostic) -> Delay {
    if accept("lognormal") != nil {
      let median = try duration().value
      guard accept("sigma") != nil else {
        throw expected("'sigma'", hint: "say how widely it varies: 'sigma 0.5'")
      }
      return .logNormal(median: median, sigma: try sigma())
    }
    let least = try duration()
    expect(.keyword("to"))
    guard isNextUpperBound else { return .fixed(least.value) }
    _ = accept("to")
    let most = try duration()
    guard least.value <= most.value else {
      let span = least.span.lowerBound..<most.span.upperBound
      throw Diagnostic(
        .runsBackwards(text(span)),
        at: span,
        hint: "write the shorter duration first"
      )
    }
    return .uniform(least.value, most.value)
  }

  /// Behind a duration `to` leads to a longer one; elsewhere it says where a redirect leads.
  private var isNextUpperBound: Bool {
    guard isNext("to") else { return false }
    var ahead = self
    ahead.take(to: position + 2)
    return ahead.isAtEnd || ahead.numberRange().map { bytes[$0.lowerBound].isDigit } ?? false
  }

  private mutating func sigma() throws(Diagnostic) -> Double {
    let what = "a number from 0 to 3"
    expect(.sample(what, example: "0.5"))
    guard let range = numberRange(), bytes[range.lowerBound].isDigit else {
      throw expected(what, hint: "0 is always the median, 0.5 what a server on the web does")
    }
    let word = text(range)
    let isDecimal = word.utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    guard isDecimal, let sigma = Double(word), (0...3).contains(sigma) else {
      throw Diagnostic(
        .numberOutOfRange(word.printable(atMost: 30), allowed: what),
        at: range,
        hint: "0 is always the median, 0.5 what a server on the web does"
      )
    }
    take(to: range.upperBound)
    return sigma
  }
}
