import Rehearsal
import RehearsalBase
import Script

/// JSON values and durations.
struct ValueTarget: FuzzTarget {
  let name = "value"
  let words = [
    "{", "}", "[", "]", ":", ",", "\"", "\\u0000", "\\ud83d\\ude00", "\\ud83d", "null", "true",
    "-0", "1e400", "1E-5", "0.1", "12345678901234567890", "1.5s", "250ms", "2m", "µs",
  ]

  func check(_ bytes: [UInt8]) throws(Finding) {
    try checkDuration(String(decoding: bytes, as: UTF8.self))
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(json: bytes)
    } catch {
      let span = error.range
      return try require(
        span.lowerBound >= 0 && span.lowerBound <= bytes.count
          && span.upperBound <= bytes.count,
        "the mistake is at \(span), the text has \(bytes.count) bytes"
      )
    }
    let text = value.text
    guard let again = try? JSONValue(json: Array(text.utf8)) else {
      throw Finding("written as '\(text)', which cannot be read")
    }
    try require(again == value, "'\(text)' is another value")
    try require(again.text == text, "'\(text)' is written as '\(again.text)'")
    _ = value.text(within: 20)
  }

  private func checkDuration(_ text: String) throws(Finding) {
    guard text.utf8.count < 100, let duration = CommandText.duration(text) else { return }
    try require(
      CommandText.duration(duration.compact) == duration,
      "'\(text)' is written as '\(duration.compact)'"
    )
  }
}
