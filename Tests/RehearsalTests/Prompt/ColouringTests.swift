import Script
import Testing

@testable import Rehearsal

/// The colours of a line while it is typed.
@MainActor @Suite struct ColouringTests {
  @Test func `the parts of a command are coloured`() {
    #expect(
      parts(of: #"load profile "Ann" after 250ms uncancellable # now"#) == [
        "verb load", "member profile", #"string "Ann""#, "keyword after", "duration 250ms",
        "keyword uncancellable", "comment # now",
      ]
    )
  }

  @Test func `the texts and numbers of a value are coloured`() {
    #expect(
      parts(of: #"load profile {"age": 31, "names": ["é"]} after 1s"#) == [
        "verb load", "member profile", #"string "age""#, "number 31", #"string "names""#,
        #"string "é""#, "keyword after", "duration 1s",
      ]
    )
  }

  @Test func `a mistake is coloured when its word is complete`() {
    #expect(parts(of: "nosuch") == [])
    #expect(parts(of: "nosuch ") == ["mistake nosuch"])
    #expect(parts(of: "load nobody") == ["verb load"])
    #expect(parts(of: "load nobody 5") == ["verb load", "mistake nobody", "number 5"])
    #expect(parts(of: "load profile 5 stubbon ").last == "mistake stubbon")
  }

  @Test func `an unknown type or policy is a mistake when its word is complete`() {
    #expect(parts(of: "loadable x: Strng") == ["verb loadable"])
    #expect(parts(of: "loadable x: Strng ") == ["verb loadable", "mistake Strng"])
    #expect(parts(of: "loadable x: [Strng]?") == ["verb loadable", "mistake Strng"])
    #expect(parts(of: "loadable x: [String]? ") == ["verb loadable"])
    #expect(parts(of: "policy profile lates ").last == "mistake lates")
    #expect(parts(of: "policy profile latest ").last == "member profile")
  }

  @Test func `unfinished text is no mistake`() {
    #expect(parts(of: #"load profile "half a text"#).last == #"string "half a text"#)
    #expect(parts(of: #"load profile {"a": [1"#).suffix(2) == [#"string "a""#, "number 1"])
    #expect(parts(of: "pipe p = profile |") == ["verb pipe", "member profile"])
  }

  @Test func `text after a mistake keeps its colours`() {
    #expect(
      parts(of: #"laod profile "x" after 2s"#) == ["mistake laod", #"string "x""#, "duration 2s"]
    )
  }

  @Test func `the sources and operators of a pipe are coloured`() {
    #expect(
      parts(of: "pipe p = profile | debounce 1s | map name") == [
        "verb pipe", "member profile", "keyword debounce", "duration 1s", "keyword map",
      ]
    )
  }

  @Test func `the parts of a scheduled command are coloured`() {
    #expect(
      parts(of: "in 1s cancel profile") == [
        "verb in", "duration 1s", "verb cancel", "member profile",
      ]
    )
  }

  @Test(arguments: ["", "   ", "#", "\"", "\\", "\u{0}", "é日\u{301}", "load \u{202E}x 1"])
  func `the parts of any text lie inside the text`(text: String) {
    let count = text.unicodeScalars.count
    for part in colours(of: text) { #expect(part.range.upperBound <= count) }
  }

  /// Returns each part as its role and its text, in the order of the text.
  private func parts(of text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    return colours(of: text).sorted { $0.range.lowerBound < $1.range.lowerBound }.map { part in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[part.range])
      return "\(part.role) \(String(view))"
    }
  }

  private func colours(of text: String) -> [Session.ColouredPart] {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    host.perform("loadable profile")
    return host.colours(of: text)
  }
}
