import RehearsalBase
import Testing

@testable import Harness

@Suite struct TranscriptsMatchingTests {
  /// Whether output is as expected; `;` separates the lines of both.
  private func matches(_ expected: String, _ actual: String) -> Bool {
    var captures: Captures = [:]
    let lines = { (text: String) in text.split(separator: ";").map { Array($0.utf8) } }
    return Expectation(lines(expected)).matches(lines(actual), &captures)
  }

  @Test(arguments: [
    ("a[..]c", "abc", true), ("a[..]c", "ac", true), ("a[..]c", "ab", false),
    ("[..]", "anything", true), ("[..]b[..]", "abc", true), ("[..]b[..]", "acc", false),
    ("[..]ab", "aab", true), ("x[..]x", "x", false), ("[..]a[..]a", "aa", true),
    ("[..]a[..]a", "a", false), ("é[..]", "éa", true),
  ])
  func `two dots in brackets match any text in the line`(
    pattern: String,
    line: String,
    expected: Bool
  ) {
    #expect(matches(pattern, line) == expected)
  }

  @Test(arguments: [
    ("...", "", true), ("...", "a;b", true), ("a;...;c", "a;c", true),
    ("a;...;c", "a;b;b;c", true), ("a;...;c", "a;b", false), ("...;c", "c;c", true),
    ("...;b;...;b", "b;a;b", true), ("...;b;...;b", "a;b", false), ("a;...", "b;a", false),
  ])
  func `three dots alone match any lines`(pattern: String, output: String, expected: Bool) {
    #expect(matches(pattern, output) == expected)
  }

  @Test(arguments: [
    #"a {{\d+}} b"#, "[..", "[..]", "...", "{{(}}", "{{}}", #"{{{"a":1}}}"#, "{{NAME}}",
  ])
  func `a line that equals the expectation passes`(line: String) {
    #expect(matches(line, line))
  }

  @Test func `a line that looks like a pattern is written as one that matches only this line`() {
    var numbers = SplitMix64(seed: 1)
    let parts = ["[..]", "{{", "}}", "}", "{", "...", "a", "\\", "[", "]", ".", "A:", "\\d+"]
    for _ in 0..<5_000 {
      let text = (0..<numbers.next(below: 6)).map { _ in parts[numbers.next(below: parts.count)] }
        .joined()
      let line = String(
        decoding: LinePattern.line(matchingOnly: Array(text.utf8)),
        as: UTF8.self
      )
      #expect(matches(line, text), "\(text) as \(line)")
      #expect(line == text || !matches(line, text + "x"), "\(text) as \(line)")
      let expectation = Expectation([Array(line.utf8)])
      #expect(expectation.mistakes([:], longest: text.utf8.count).isEmpty, "\(text) as \(line)")
      for other in ["[..]", "{{", "...", "\\d+"] where text.contains(other) {
        let changed = text.replacing(other, with: "12")
        #expect(!matches(line, changed), "\(text) as \(line) matches \(changed)")
      }
    }
  }

  @Test(arguments: [
    (#"took {{\d+}}ms"#, "took 12ms", true), (#"took {{\d+}}ms"#, "took ms", false),
    (#"{{\d{4}}}!"#, "2024!", true), (#"{{\d{4}}}!"#, "202!", false),
    (#"[..]{{a|b}}"#, "xxb", true), (#"{{a}}{{b}}"#, "ab", true), ("{{a", "a", false),
  ])
  func `an expression matches inside literal text`(
    pattern: String,
    line: String,
    expected: Bool
  ) {
    #expect(matches(pattern, line) == expected)
  }

  @Test func `a captured text must be repeated`() {
    #expect(matches(#"id {{ID:\w+}};again {{ID}}"#, "id x1;again x1"))
    #expect(!matches(#"id {{ID:\w+}};again {{ID}}"#, "id x1;again x2"))
    #expect(matches(#"{{ID:\w+}};[..]{{ID}}c"#, "ab;ab abc"))
  }

  @Test func `a capture is valid for later commands`() {
    let text =
      "> echo id 17\n  id {{ID:\\d+}}\n> echo 17 again\n  {{ID}} again\n> echo 18\n  {{ID}}\n"

    #expect(failures(text).map(\.line) == [6])
  }

  @Test func `a name without a capture is reported`() {
    let notes = failures("> echo a\n  {{ID}}\n").first?.notes

    #expect(notes == ["line 2: no line above captures 'ID'"])
  }

  @Test func `an invalid expression is a difference with its reason`() {
    let found = failures("> echo a\n  {{a**}}\n")

    #expect(found.map(\.problem) == [.differs(after: nil)])
    #expect(found.first?.notes == ["line 2: '*' is unexpected here"])
  }

  @Test func `a line that is too long for an expression is reported`() {
    let line = String(repeating: "a", count: 100_000)
    let found = failures("> echo \(line)\n  {{a{500}b*}}\n")

    #expect(
      found.first?.notes == [
        "line 2: an expression cannot match a line of 100000 bytes: it is too long"
      ]
    )
  }

  @Test func `many stars over many lines are refused without trying every combination`() {
    let stars = String(repeating: "...;a;", count: 60) + "b"
    let line = String(repeating: "[..]a", count: 60) + "b"

    #expect(!matches(stars, String(repeating: "a;", count: 2_000)))
    #expect(!matches(line, String(repeating: "a", count: 5_000)))
  }
}
