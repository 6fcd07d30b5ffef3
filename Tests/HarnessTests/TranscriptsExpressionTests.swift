import Testing

@testable import Harness

@Suite struct TranscriptsExpressionTests {
  private func match(_ expression: String, _ text: String) throws -> Bool {
    var program = ExpressionProgram()
    program.add(try Expression(Array(expression.utf8)[...]).root)
    program.finish(slots: 0)
    return program.match(text.unicodeScalars.map(\.value)) != nil
  }

  @Test(arguments: [
    ("abc", "abc"), ("a.c", "a→c"), ("a*", ""), ("a*", "aaa"), ("a+b?", "a"), ("a|bc|", "bc"),
    ("a|bc|", ""), ("(ab)+", "abab"), ("(?:a|b)*c", "abac"), ("[a-c]+", "cab"), ("[^a-c]", "d"),
    ("[]a]+", "]a"), ("[a-]+", "a-"), (#"[\d.]+"#, "1.5"), (#"\d+\.\d{3}s"#, "10.250s"),
    (#"\w+\s\W\D\S"#, "a_1 !xy"), ("a{2}", "aa"), ("a{2,}", "aaaa"), ("a{1,3}", "aaa"),
    ("a{", "a{"), ("a{,2}", "a{,2}"), ("(a*)*", "aaa"), ("(a|aa)+?b", "aaab"), ("é+", "éé"),
    (#"\(\)\\"#, #"()\"#), ("x*?", "xx"), (#"[^\s]+"#, "abc"), (#"[\D]"#, "x"),
  ])
  func `an expression matches the whole text`(expression: String, text: String) throws {
    #expect(try match(expression, text))
  }

  @Test(arguments: [
    ("abc", "abcd"), ("abc", "ab"), ("a{2}", "aaa"), ("a{1,3}", "aaaa"), ("[a-c]", "d"),
    ("[^a-c]", "a"), ("a|b", "ab"), (#"\d"#, "x"), ("(ab)+", "aba"), ("a+", ""), (#"[\D]"#, "1"),
  ])
  func `an expression does not match other texts`(expression: String, text: String) throws {
    #expect(try !match(expression, text))
  }

  @Test(arguments: [
    ("(", ExpressionProblem.unclosed("(")), ("[a", .unclosed("[")), (")", .unexpected(")")),
    ("*a", .unexpected("*")), ("a**", .unexpected("*")), ("[z-a]", .badRange("z-a")),
    ("a{3,1}", .badRange("{3,1}")), ("^a", .unsupported("^")), (#"\b"#, .unsupported(#"\b"#)),
    ("(?=a)", .unsupported("(?=")), ("a{5000}", .tooLarge), ("(a{500}){500}", .tooLarge),
    (#"(a)\1"#, .unsupported(#"\1"#)), ("\\", .unexpected("\\")),
  ])
  func `an invalid expression is refused with its reason`(
    expression: String,
    problem: ExpressionProblem
  ) {
    #expect(throws: problem) { try Expression(Array(expression.utf8)[...]) }
  }

  @Test func `a deep nest of brackets is refused, not followed`() {
    let nest = Array(String(repeating: "(", count: 100_000).utf8)

    #expect(throws: ExpressionProblem.tooLarge) { try Expression(nest[...]) }
  }

  @Test func `an expression that a backtracking engine never finishes is refused at once`() throws {
    let text = String(repeating: "a", count: 5_000)

    #expect(try !match("(a+)+b", text))
    #expect(try !match("(a|a)*(a|a)*b", text))
  }

  @Test func `captures are greedy or reluctant as written`() throws {
    var captures: Captures = [:]
    let pattern = try #require(try LinePattern(Array("{{A:a*?}}{{B:a*}}{{C:a*}}".utf8)))

    #expect(pattern.matches(Array("aaa".utf8), &captures))
    #expect(captures == ["A": [], "B": Array("aaa".utf8), "C": []])
  }
}
