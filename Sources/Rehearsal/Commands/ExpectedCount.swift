import Script

/// An expected number of attempts or requests, `N` or `at most N`.
struct ExpectedCount: Sendable {
  let number: Int
  /// Whether the number is an upper limit.
  let isMost: Bool

  func admits(_ count: Int) -> Bool { isMost ? count <= number : count == number }

  var text: String { (isMost ? "at most " : "") + "\(number)" }
}

extension Parser {
  /// Reads `N` or `at most N`.
  mutating func expectedCount(_ what: String) throws(Diagnostic) -> Located<ExpectedCount> {
    let start = position
    let isMost = accept("at") != nil
    if isMost, accept("most") == nil { throw expected("'most'", hint: "as in 'at most 1'") }
    let number = try integer(what, in: 0...Int.max)
    return Located(
      ExpectedCount(number: number.value, isMost: isMost),
      at: start..<number.span.upperBound
    )
  }
}
