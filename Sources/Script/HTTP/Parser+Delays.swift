package import MockHTTP
import RehearsalBase

/// Reads the delay of an answer after `after`: `D`, `D to D` or `lognormal D sigma X`.
extension Parser {
  /// Reads `D`, `D to D` or `lognormal D sigma X`.
  package mutating func delay() throws(Diagnostic) -> Delay {
    if accept("lognormal") != nil {
      let median = try duration().value
      guard accept("sigma") != nil else {
        throw expected("'sigma'", hint: "name the spread: 'sigma 0.5'")
      }
      return .logNormal(median: median, sigma: try sigma())
    }
    let least = try duration()
    guard let range = try rangeIfAny(from: least)?.value else { return .fixed(least.value) }
    return .uniform(range.lowerBound, range.upperBound)
  }

  private mutating func sigma() throws(Diagnostic) -> Double {
    let what = "a number from 0 to 3"
    expect(.sample(what, example: "0.5"))
    guard let range = numberRange(), bytes[range.lowerBound].isDigit else {
      throw expected(what, hint: "0 always gives the median, 0.5 is typical of web servers")
    }
    let word = text(range)
    let isDecimal = word.utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    guard isDecimal, let sigma = Double(word), (0...3).contains(sigma) else {
      throw Diagnostic(
        .numberOutOfRange(word.printable(atMost: 30), allowed: what),
        at: range,
        hint: "0 always gives the median, 0.5 is typical of web servers"
      )
    }
    take(to: range.upperBound)
    return sigma
  }
}
