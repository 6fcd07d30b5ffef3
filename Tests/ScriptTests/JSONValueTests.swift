import RehearsalBase
import Testing

@testable import Script

@Suite struct JSONValueTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-1", "2.5", "1e9", "-0.5E-3", "\"\"", "\"Ann\"", "[]", "{}",
    "[1, 2, 3]", "{\"a\": 1, \"b\": [true, null]}", "\"\\\\ \\\" \\n\\t\"", "\"日本語\"",
  ])
  func `a value prints as it was written`(text: String) throws {
    #expect(try read(text).text == text)
  }

  @Test(arguments: [
    ("\"\\u0041\"", "\"A\""), ("\"\\ud83d\\ude00\"", "\"😀\""), ("[ 1 ,2 ]", "[1, 2]"),
    ("\"\\/\"", "\"/\""), ("\"\\u0007\"", "\"\\u0007\""), ("\"\\u001b[31m\"", "\"\\u001b[31m\""),
  ])
  func `a value has one printed form`(text: String, printed: String) throws {
    #expect(try read(text).text == printed)
  }

  @Test(arguments: [
    "nul", "01", "1.", "1e", "--1", "+1", "'a'", "[1 2]", "[,]", "{a: 1}", "{\"a\" 1}",
    "{\"a\": 1, \"a\": 2}", "\"\\x\"", "\"\\ud83d\"", "\"\\u12\"", "\"\\u-000\"", "\"\\u+041\"",
    "NaN", "1x",
  ])
  func `invalid JSON is refused with its place`(text: String) {
    #expect(throws: Diagnostic.self) { try read(text) }
  }

  @Test(arguments: ["\"abc", "[1, 2", "[", "{", "{\"a\"", "{\"a\":", "{\"a\": [1", "[1,", "\"a\\"])
  func `an open bracket or quote needs more text`(text: String) throws {
    do {
      _ = try read(text)
      Issue.record("It was read.")
    } catch let error as Diagnostic {
      guard case .unfinished = error.problem else {
        Issue.record("\(error.problem)")
        return
      }
    }
  }

  @Test(arguments: [2, 8, 9, 20_000])
  func `a field may not be given twice, among any number of fields`(count: Int) throws {
    let fields = (1...count).map { "\"f\($0)\": 0" }.joined(separator: ", ")
    guard case .object(let read) = try read("{\(fields)}") else {
      Issue.record("It is no object.")
      return
    }
    #expect(read.count == count)
    #expect {
      try self.read("{\(fields), \"f\(count)\": 1}")
    } throws: {
      ($0 as? Diagnostic)?.problem == .repeatedField("f\(count)")
    }
  }

  @Test func `nesting is bounded`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: Diagnostic(.nestedTooDeep(limit: 512), at: 512..<513)) { try read(deep) }
  }

  @Test func `long values are truncated with their size`() throws {
    let long = "\"" + String(repeating: "x", count: 1000) + "\""
    #expect(
      try read(long).text(within: 10) == "\"xxxxxxxxxx…\" (1000 bytes, digest 2e362996)"
    )
    let many = "[" + (1...500).map(String.init).joined(separator: ", ") + "]"
    #expect(try read(many).text(within: 10) == "[1, 2, 3, … 500 elements, digest ae05f3cc]")
  }

  @Test func `a value that is cut has a digest of the whole`() throws {
    func texts(_ make: (Int) -> JSONValue) -> Set<String> {
      Set((0..<100).map { make($0).text(within: 10) })
    }
    let beginning = String(repeating: "x", count: 99)
    #expect(texts { .string(beginning + "\($0)") }.count == 100)
    #expect(texts { .string(beginning + String(repeating: "y", count: 100 + $0)) }.count == 100)
    #expect(texts { .array([.string(beginning), .number("1"), .number("\($0)")]) }.count == 100)
    #expect(
      texts { .object([.init(name: beginning, value: .null), .init(name: "\($0)", value: .null)]) }
        .count == 100
    )
    #expect(texts { .array([.array([.string(beginning + "\($0)")])]) }.count == 100)
  }

  @Test(arguments: [
    ("String", "1", "expected String, but the value is an Int"),
    ("Int", "1.5", "expected Int, but the value is a Double"),
    ("[Int]", "[1, \"x\"]", "expected Int at [1], but the value there is a String"),
    ("Int?", "\"x\"", "expected Int, but the value is a String"),
  ])
  func `a value that does not fit has the place of the mismatch`(
    type: String,
    text: String,
    sentence: String
  ) throws {
    let types: [String: ValueType] = [
      "String": .string, "Int": .int, "[Int]": .array(.int), "Int?": .optional(.int),
    ]
    let mismatch = try #require(types[type]).mismatch(with: try read(text))
    #expect(mismatch?.sentence == sentence)
  }

  @Test func `a shape has named fields and accepts more`() throws {
    let shape = ValueType.shape(
      "Post",
      [.init(name: "id", type: .int), .init(name: "tags", type: .optional(.array(.string)))]
    )
    #expect(shape.mismatch(with: try read("{\"id\": 1, \"more\": 2}")) == nil)
    #expect(
      shape.mismatch(with: try read("{\"id\": 1, \"tags\": [2]}"))
        == .wrongType(path: "tags[0]", expected: "String", found: "an Int")
    )
    #expect(
      shape.mismatch(with: try read("{}"))
        == .wrongType(path: "id", expected: "Int", found: "null")
    )
  }

  private func read(_ text: String) throws -> JSONValue {
    var parser = Parser(text, table: CommandTable([]))
    let value = try parser.value()
    guard parser.isAtEnd else { throw parser.expected("nothing more") }
    return value.value
  }

  @Test func `a hidden character beyond the first plane is printed as its surrogate pair`()
    throws
  {
    let value = JSONValue.string("a\u{E0041}b")
    #expect(value.text == "\"a\\udb40\\udc41b\"")
    var parser = Parser(value.text, table: CommandTable([]))
    #expect(try parser.value().value == value)
  }

  @Test(arguments: [
    ("9007199254740993", "9007199254740992", false), ("9007199254740992", "9007199254740993", true),
    ("0.10000000000000000001", "0.1", false), ("-1e400", "1e-400", true), ("1e400", "1e401", true),
    ("-10", "-9", true), ("-9", "-10", false), ("0", "-0.0", false), ("0", "1e-9", true),
    ("-1e-9", "0", true), ("0", "-1", false), ("2", "10", true), ("0.20", "0.2", false),
  ])
  func `numbers are ordered by all their digits`(left: String, right: String, isLess: Bool) {
    #expect(JSONValue.number(left).isLess(than: .number(right)) == isLess)
  }
}
