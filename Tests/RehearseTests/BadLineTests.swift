import Foundation
import Testing

/// Invalid lines: each gets an error, and the session continues.
@Suite struct BadLineTests {
  private static let badLines = [
    "lod n 1", "load m 1", "load n 1 aftr 1s", "load n 1 after 1", "load n 1 after 1y",
    "load n 1 after -1s", "load n 1 after 1e9s", "load n 1 after 99999999999999999999h",
    "wait 0.1ns", "wait 3000000h", "policy n strange", "load n \"text\"", "load n {\"a\":1}",
    "load n [1 2]", "load n \"1\u{1}", "load n 1e999", "load n 01", "load n nul",
    "load n \"\\ud800\"",
    "load n", "load n 1 after 2s after 2s", "run n", "load p 1", "run p c", "run p", "retry p",
    "inject n timeout", "cancel", "forget x", "loadable n", "loadable 1n", "loadable x: Intt",
    "shape s {a: }", "shape s {a: Int, a: Int}", "expect n loded 1", "expect n loaded 1",
    "expect n attempts 1", "at 1s wait 1s", "in 1s in 1s settle", "step 0", "step -1", "seed x",
    "help me", "load n fail url strange", "load n fail http 9999", "timeline x", "log last x",
    "record", "save", "source", "\u{1B}[31mred", "\u{7}", "'", "\\", "load n 1 retry 0.5",
    "load n 1 priority highest", "set n loaded \"x\"", "quit now", "<script>", "…", "load",
  ]

  @Test func `each wrong line gets an error, and does not change the session`() throws {
    let place = try Workplace()
    let setUp = "loadable n: Int\nprocess p kinds a, b\n"
    let outcome = try place.rehearse(
      input: setUp + Self.badLines.map { "\($0)\nlist\n" }.joined()
    )
    let list = try place.rehearse(input: setUp + "list\n").output.components(separatedBy: "b\n")
    let answers = outcome.output.components(separatedBy: try #require(list.last))

    #expect(answers.count == Self.badLines.count + 1)
    for (line, answer) in zip(Self.badLines, answers) {
      #expect(answer.contains("\n  error: "), "\(line)")
    }
    #expect(outcome.code == 1)
  }

  @Test func `control characters of a line do not reach the terminal`() throws {
    let outcome = try Workplace().rehearse(input: "\u{1B}[31mred\u{7}\u{9B}\nnow\n")
    let answer = outcome.lines.dropFirst().joined()

    #expect(!answer.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
  }

  @Test(arguments: [1 << 20, 1_000_000, 5_000_000])
  func `a line of a megabyte gets a short error, and is skipped`(byteCount: Int) throws {
    let line = "load n \"" + String(repeating: "x", count: byteCount - 9) + "\""
    let outcome = try Workplace().rehearse(input: "loadable n\n\(line)\nnow\n")

    // Only performed lines are echoed.
    let answer = outcome.output.replacing(line, with: "")
    #expect(answer.utf8.count < 1_000)
    #expect(answer.hasSuffix("> now\n  0.000s\n"))
    #expect(outcome.errors == "")
  }

  @Test func `a script with a line of a megabyte stops there`() throws {
    let place = try Workplace()
    try place.write("s.rehearse", "now\n" + String(repeating: "x", count: 2 << 20) + "\nnow\n")
    let outcome = try place.rehearse("run", "s.rehearse")

    #expect(outcome.lines.contains { $0.hasPrefix("  error: the line has 2097152 bytes") })
    #expect(outcome.code == 1)
  }

  @Test(arguments: ["[1,", "[", "\"1"])
  func `an empty line closes an open bracket or quote only at a prompt`(
    value: String
  ) throws {
    let rest = value == "\"1" ? "2\"" : "2]"
    let script = "loadable n\nload n \(value)\n\n\(rest)\nnow\n"
    let place = try Workplace()
    try place.write("s.rehearse", script)

    let piped = try place.rehearse(input: script)
    #expect(piped.code == 0)
    #expect(piped.output.hasSuffix("> now\n  0.000s\n"))
    #expect(try place.rehearse("run", "s.rehearse").output == piped.output)
    #expect(try place.rehearse("-c", "source s.rehearse").code == 0)
    let unfinished = try place.rehearse(input: "loadable n\nload n \(value)\n\nnow")
    #expect(unfinished.code == 1)
  }

  @Test func `deeply nested brackets are refused`() throws {
    let line = "load n " + String(repeating: "[", count: 100_000)
    let outcome = try Workplace().rehearse(input: "loadable n\n\(line)\n\nnow\n")

    #expect(outcome.output.contains("  error: "))
    #expect(outcome.output.hasSuffix("> now\n  0.000s\n"))
  }
}
