import Loading
import RehearsalBase
import Script
import Testing

@testable import Rehearsal

/// Values of the user's types in the format of the shell.
@Suite struct ShownValueTests {
  private struct Post {
    let id = 1
    let title = "Hi"
    let author: Author? = nil
  }
  private struct Author: CustomStringConvertible {
    let description = "Ann \u{1B}[31m"
  }
  private enum Mood {
    case calm
    case angry(at: Int)
    case both(Int, Int)
  }
  private final class Object {
    let secret = 1
  }

  private func shown(_ value: Any) -> String { JSONValue(showing: value).text }

  @Test func `scalars are shown as they are`() {
    #expect(shown(true) == "true")
    #expect(shown(Int8(-3)) == "-3")
    #expect(shown(UInt64.max) == "18446744073709551615")
    #expect(shown(2.5) == "2.5")
    #expect(shown(Double.infinity) == #""inf""#)
    #expect(shown("a \"b\"") == #""a \"b\"""#)
    #expect(shown(Int?.none as Any) == "null")
    #expect(shown(Int??.some(7) as Any) == "7")
  }

  @Test func `a struct is an object with its fields in order`() {
    #expect(shown([Post()]) == #"[{"id": 1, "title": "Hi", "author": null}]"#)
  }

  @Test func `unordered collections are sorted`() {
    #expect(shown(["b": 2, "a": 1, "c": 3]) == #"{"a": 1, "b": 2, "c": 3}"#)
    #expect(shown(Set([3, 1, 2])) == "[1, 2, 3]")
    #expect(shown([2: "x", 1: "y"]) == #"{"1": "y", "2": "x"}"#)
  }

  @Test func `an enum is its case`() {
    #expect(shown(Mood.calm) == #""calm""#)
    #expect(shown(Mood.angry(at: 2)) == #"{"angry": {"at": 2}}"#)
    #expect(shown(Mood.both(1, 2)) == #"{"both": {".0": 1, ".1": 2}}"#)
  }

  @Test func `a custom description is used, with its controls escaped`() {
    #expect(shown(Author()) == #""Ann \u001b[31m""#)
    #expect(shown(TimeoutError()) == JSONValue.string(describe(TimeoutError())).text)
  }

  @Test func `an object is its type, without an address`() {
    #expect(shown(Object()) == #""Object""#)
    #expect(shown(()) == "{}")
  }

  @Test func `a long value shows its beginning and its length`() {
    let text = shown([UInt8](repeating: 7, count: 10_000_000))
    #expect(text.hasSuffix(#"7, "… 10000000 elements"]"#))
    #expect(text.utf8.count < 40_000)
  }

  @Test func `endless nesting is truncated`() {
    var nested: Any = 1
    for _ in 0..<100 { nested = [nested] }
    #expect(shown(nested).contains("…"))
  }
}
