import Testing

@testable import Rehearsal

/// How it is said that a rule is broken.
@Suite struct HeadlineTests {
  @Test(arguments: [
    ("'expect a loaded 1'", "'expect a loaded 1' fails in 2 runs"),
    ("judge 'never a error'", "judge 'never a error' fails in 2 runs"),
    ("judge 'never a error' (number 2)", "judge 'never a error' (number 2) fails in 2 runs"),
    ("'settle' crashed, by a trap", "'settle' crashed, by a trap, in 2 runs"),
    (
      BuiltInCheck.superseded.rule,
      "'nothing superseded writes' does not hold in 2 runs"
    ),
  ])
  func `a headline is a sentence, whatever the rule is about`(rule: String, headline: String) {
    #expect(ExplorationText.headline(rule, "2 runs") == headline)
  }
}
