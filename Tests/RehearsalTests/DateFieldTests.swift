import RehearsalBase
import RemoteLoading
import Testing

@testable import Rehearsal
@testable import Script

@Suite struct DateFieldTests {
  @Test(arguments: [
    (
      ValueType.DateFormat.iso8601, "\"2019-11-22T08:30:00Z\"",
      JSONValue.string("2019-11-22T08:30:00Z")
    ),
    (.pattern("yyyy-MM-dd"), "\"2019-11-22\"", .string("2019-11-22")),
    (.seconds, "1574380800", .number("1574380800")),
    (.milliseconds, "1574380800000", .number("1574380800000")),
  ])
  func `a date of a body keeps its spelling`(
    format: ValueType.DateFormat,
    body: String,
    value: JSONValue
  ) throws {
    #expect(try decode(body, format) == value)
  }

  @Test(arguments: [
    (ValueType.DateFormat.pattern("yyyy-MM-dd"), "\"2019-22-11\""), (.iso8601, "\"2019-11-22\""),
    (.seconds, "\"2019\""), (.pattern("yyyy"), "2019"),
  ])
  func `a text that is not such a date does not decode`(format: ValueType.DateFormat, body: String)
  {
    #expect { try decode(body, format) } throws: {
      guard case .decoding("", let expected, _)? = $0 as? RemoteError else { return false }
      return expected == "Date (\(format.words))"
    }
  }

  @Test func `a pattern with minutes in the place of months is refused with a hint`() {
    #expect { try ValueType.DateFormat.pattern("yyyy-mm-dd").checked(at: 3..<7) } throws: {
      guard let error = $0 as? Diagnostic, case .malformedDateFormat = error.problem else {
        return false
      }
      return error.span == 3..<7 && error.hint != nil
    }
  }

  private func decode(_ body: String, _ format: ValueType.DateFormat) throws -> JSONValue {
    try RemoteDecoding().decode(from: Array(body.utf8), as: "day") { try format.value(from: $0) }
  }
}
