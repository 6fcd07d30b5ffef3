import Testing

@testable import Rehearsal

/// The parameters of a scene's commands, in help and in diagnostics.
@MainActor @Suite struct SceneParameterTests {
  private static let scene = Scene("s", "A scene.") { scene in
    scene.command(
      "pay",
      "Pays.",
      details: ["Nothing is sent."],
      .integer("CENTS", in: 1...100),
      .choice("HOW", [("cash", 1), ("card", 2)]).defaulting(to: 2),
      .flag("TIP").defaulting(to: false),
      .text("NOTE").defaulting(to: ""),
      .duration("D").defaulting(to: .milliseconds(100))
    ) { _, _, _, _, _ in }
    scene.command("pick", "Picks.", .choice("OF", [(name: String, value: Int)]())) { _ in }
    scene.command("flag", "Flags.", .flag("ON")) { _ in }
    scene.command("json", "Takes JSON.", .json("N")) { (_: Int) in }
  }

  private func output(of command: String) -> [String] {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.scene]) { lines.all.append($0) }
    host.perform("scene s")
    lines.all = []
    host.perform(command)
    host.end()
    return lines.all
  }

  @MainActor private final class Lines {
    var all: [String] = []
  }

  @Test func `help shows the parameters and their defaults`() {
    #expect(
      output(of: "help pay") == [
        "pay CENTS [HOW] [TIP] [NOTE] [D]",
        "  Pays.",
        "  Nothing is sent.",
        "  CENTS: a whole number",
        "  HOW: one of cash, card; default card",
        "  TIP: on or off; default off",
        "  NOTE: a text; default \"\"",
        "  D: a duration; default 100ms",
      ]
    )
  }

  @Test(arguments: [
    (
      "pay x", "error: expected CENTS, a whole number, but found 'x'",
      "  pay x"
    ),
    (
      "pay 0", "error: '0' is not a whole number from 1 to 100", "hint: this number is CENTS"
    ),
    (
      "pay 1 7", "error: expected HOW, one of cash, card, but found '7'",
      "hint: type a name, or its number, from 0 for 'cash' to 1 for 'card'"
    ),
    (
      "pick 0", "error: expected OF, a choice from an empty list, but found '0'",
      "  pick 0"
    ),
    ("flag maybe", "error: expected ON, on or off, but found 'maybe'", "hint: write on or off"),
    ("json \"x\"", "error: this is not of type Int: it is a String", "  json \"x\""),
  ])
  func `a mistake names its parameter`(command: String, error: String, further: String) {
    let lines = output(of: command)
    #expect(lines.first == error)
    #expect(lines.contains(further), "\(lines)")
  }

  @Test func `a parameter after one with a default needs a default`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        _ = SceneAction("x", "X.", .text("A").defaulting(to: ""), .text("B")) { _, _ in }
      }
    }
  }
}
