import Exploring
import Testing
import Workers

/// The headline of a finding.
@Suite struct HeadlineTests {
  @Test(arguments: [
    (CheckID.command("expect a loaded 1"), "'expect a loaded 1' fails in 2 runs"),
    (.command("expect a loaded", .state("absent")), "'expect a loaded' finds absent, in 2 runs"),
    (.runAssertion("never a error"), "run assertion 'never a error' fails in 2 runs"),
    (
      .runAssertion("never a error", .number(2)),
      "run assertion 'never a error' (number 2) fails in 2 runs"
    ),
    (.survives(command: "settle", .signal(4)), "'settle' crashed, by a trap, in 2 runs"),
    (
      .builtIn(.noStaleWrites),
      "'no-stale-writes' fails in 2 runs (an attempt that was replaced, cancelled or reset must not change the state)"
    ),
  ])
  func `a headline is a sentence for each kind of check`(check: CheckID, headline: String) {
    #expect(check.headline("2 runs") == headline)
  }
}
