import RehearsalBase
import Testing

/// Values that encode themselves as JSON, and are read again.
@Suite struct JSONCodingTests {
  private struct Order: Codable, Equatable {
    enum Size: String, Codable, CaseIterable { case small, large }

    struct Item: Codable, Equatable {
      var name: String
      var count: UInt64
    }

    var title = "a <b>\u{1B}"
    var isOpen = true
    var size = Size.large
    var items = [Item(name: "x", count: .max), Item(name: "", count: 0)]
    var counts = ["b": 2, "a": 1]
    var time = Duration.milliseconds(1250)
    var range = 3..<5
    var nothing: Int?
    var nested = [[1], []]
  }

  private func mismatch(_ json: String) throws -> JSONMismatch? {
    let value = try JSONValue(json: Array(json.utf8))
    return #expect(throws: JSONMismatch.self) { try value.decode(Order.self) }
  }

  @Test
  func `fields have the order of their declaration, those of a dictionary the order of names`() {
    #expect(
      JSONText(encoding: Order()).text == #"""
        {"title": "a <b>\u001b", "isOpen": true, "size": "large", "items": [{"name": "x", "count": \#
        18446744073709551615}, {"name": "", "count": 0}], "counts": {"a": 1, "b": 2}, "time": 1.25, \#
        "range": [3, 5], "nested": [[1], []]}
        """#
    )
    #expect(JSONText(encoding: "<", escaping: .markup).text == #""\u003c""#)
  }

  @Test func `what was encoded is read as it was, unknown fields and nulls aside`() throws {
    let json = JSONText(encoding: Order()).text
    let more = json.dropLast() + #", "nothing": null, "later": {"x": [1]}}"#
    for text in [json, String(more)] {
      #expect(try JSONValue(json: Array(text.utf8)).decode() == Order())
    }
  }

  @Test(arguments: [
    (#""isOpen": true"#, #""isOpen": 1"#, "isOpen", JSONMismatch.Reason.notThis("true or false")),
    (#""isOpen": true, "#, "", "isOpen", .missing),
    (#""isOpen": true"#, #""isOpen": null"#, "isOpen", .missing),
    (#""large""#, #""huge""#, "size", .notThis("one of small, large")),
    (#""count": 0"#, #""count": -1"#, "items[1].count", .notThis("a whole number")),
    (#""count": 0"#, #""count": 1.5"#, "items[1].count", .notThis("a whole number")),
    (#""name": "x", "#, "", "items[0].name", .missing),
    ("1.25", "-1", "time", .notThis("a number of seconds, 0 or more")),
    ("[[1], []]", "[[1], {}]", "nested[1]", .notThis("a list")),
    (#"{"a": 1, "b": 2}"#, "3", "counts", .notThis("an object")),
  ])
  func `what does not fit has a place and a reason`(
    old: String,
    new: String,
    path: String,
    reason: JSONMismatch.Reason
  ) throws {
    let json = JSONText(encoding: Order()).text
    #expect(json.contains(old))
    #expect(try mismatch(json.replacing(old, with: new)) == JSONMismatch(path, reason))
  }
}
