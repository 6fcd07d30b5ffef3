import RehearsalBase
import Testing

struct JSONTests {
  @Test(arguments: [
    "null", " true\n", "-0", "0.5e+3", "\"\"", "[]", "{}", "[1, [2, {\"a\": []}]]",
    "{\"a\": {\"b\": \"\\u00e9\\ud83d\\ude00\"}, \"c\": 1}",
  ])
  func `a value that is written reads as the same value`(text: String) throws {
    let value = try JSONValue(json: Array(text.utf8))
    #expect(try JSONValue(json: Array(value.text.utf8)) == value)
  }

  @Test(arguments: [
    ("", JSONProblem.Reason.empty, 0),
    (" x", .notAValue("x"), 1),
    ("[1,]", .notAValue("]"), 3),
    ("[01]", .notANumber("01"), 1),
    ("[1.]", .notANumber("1."), 1),
    ("[1", .unfinished(.array), 0),
    ("{\"a\": [", .unfinished(.array), 6),
    ("{\"a\"", .unfinished(.object), 0),
    ("{\"a\": 1, \"a\": 2}", .repeatedName("a"), 9),
    ("{a: 1}", .nameWithoutQuotes, 1),
    ("{\"a\" 1}", .missingColon, 5),
    ("[1 2]", .missingSeparator(close: "]"), 3),
    ("1 2", .textAfterValue, 2),
    ("\"a\nb\"", .controlCharacter, 2),
    ("\"\\x\"", .unknownEscape("\\x"), 1),
    ("\"\\u12x4\"", .malformedCodeUnit, 1),
    ("\"\\ud800\"", .loneSurrogate, 1),
    ("\u{B}1", .notAValue("\u{B}"), 0),
  ])
  func `RFC 8259 decides what is JSON`(text: String, reason: JSONProblem.Reason, start: Int) {
    let problem = #expect(throws: JSONProblem.self) { try JSONValue(json: Array(text.utf8)) }
    #expect(problem?.reason == reason)
    #expect(problem?.range.lowerBound == start)
  }

  @Test func `bytes that are not UTF-8 are refused with their place`() {
    let bytes = Array("[\"é".utf8) + [0xFF, 0x22, 0x5D]
    let problem = #expect(throws: JSONProblem.self) { try JSONValue(json: bytes) }
    #expect(problem == JSONProblem(.notUTF8(0xFF), at: 4..<5))
  }

  @Test func `values nest as deep as the limit, and no deeper`() throws {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
    }
    _ = try JSONValue(json: nested(JSONCursor.deepest))
    let problem = #expect(throws: JSONProblem.self) {
      try JSONValue(json: nested(JSONCursor.deepest + 1))
    }
    #expect(problem?.reason == .nestedTooDeep)
    #expect(throws: JSONProblem.self) {
      try JSONValue(json: [UInt8](repeating: UInt8(ascii: "{"), count: 1_000_000))
    }
  }

  @Test func `a document may begin with a byte order mark, and repeat names if asked`() throws {
    let bytes = Array("\u{FEFF}{\"a\": 1, \"a\": 2}".utf8)
    #expect(throws: JSONProblem.self) { try JSONValue(json: bytes) }
    let value = try JSONValue(json: bytes, repeatedNames: .kept)
    #expect(value.text == "{\"a\": 1, \"a\": 2}")
  }

  @Test func `texts of a command may span lines`() throws {
    var cursor = JSONCursor(Array("\"a\n\tb\" rest".utf8), at: 0, textsMaySpanLines: true)
    #expect(try cursor.value() == .string("a\n\tb"))
    #expect(cursor.position == 6)
  }

  @Test func `each way to write escapes what it promises`() {
    let text = "a\"\\\n\u{1}\u{7F}\u{202E}<é"
    #expect(JSONText.escaped(text, .required) == "a\\\"\\\\\\n\\u0001\u{7F}\u{202E}<é")
    #expect(JSONText.escaped(text, .controls) == "a\\\"\\\\\\n\\u0001\\u007f\\u202e<é")
    #expect(JSONText.escaped(text, .markup) == "a\\\"\\\\\\n\\u0001\\u007f\\u202e\\u003cé")
  }

  @Test func `a body includes another if it has at least its fields`() throws {
    let body = try JSONValue(json: Array("{\"a\": 1.0, \"b\": [{\"c\": null, \"d\": 1}]}".utf8))
    func includes(_ text: String) throws -> Bool {
      body.includes(try JSONValue(json: Array(text.utf8)))
    }
    #expect(try includes("{\"b\": [{\"c\": null}], \"a\": 1}"))
    #expect(try !includes("{\"b\": []}"))
    #expect(try !includes("{\"a\": 2}"))
    #expect(try !includes("{\"e\": null}"))
  }
}
