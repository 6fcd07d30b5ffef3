import RehearsalBase
import Testing

@testable import Script

@Suite struct DateTypeTests {
  @Test(arguments: [
    ("Date", ValueType.DateFormat.iso8601), ("Date iso8601", .iso8601), ("Date seconds", .seconds),
    ("Date milliseconds", .milliseconds), ("Date \"yyyy-MM-dd'T'HH\"", .pattern("yyyy-MM-dd'T'HH")),
  ])
  func `a date prints in its own format`(
    text: String,
    format: ValueType.DateFormat
  ) throws {
    #expect(try type(text) == .date(format, span: 0..<text.utf8.count))
    let printed = ValueType.date(format).text
    #expect(try type(printed) == .date(format, span: 0..<printed.utf8.count))
  }

  @Test func `a format belongs to its date, within brackets and before a question mark`() throws {
    #expect(
      try type("[Date \"yyyy\"?]?")
        == .optional(.array(.optional(.date(.pattern("yyyy"), span: 1..<12))))
    )
    #expect(try type("[Date]") == .array(.date(.iso8601, span: 1..<5)))
  }

  @Test func `a date is a string, or a number if it counts from 1970`() {
    let text = JSONValue.string("2019-11-22")
    let number = JSONValue.number("1574380800.5")
    for format in [ValueType.DateFormat.iso8601, .pattern("yyyy-MM-dd")] {
      #expect(ValueType.date(format).mismatch(with: text) == nil)
      #expect(ValueType.date(format).mismatch(with: number) != nil)
    }
    for format in [ValueType.DateFormat.seconds, .milliseconds] {
      #expect(ValueType.date(format).mismatch(with: number) == nil)
      #expect(ValueType.date(format).mismatch(with: text) != nil)
    }
  }

  private func type(_ text: String) throws(Diagnostic) -> TypeExpression {
    try read(text) { parser throws(Diagnostic) in try parser.type() }
  }
}
