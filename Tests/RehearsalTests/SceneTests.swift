import MockHTTP
import RemoteLoading
import Script
import Testing

@testable import Rehearsal

/// Scenes from the view of their author.
@MainActor @Suite struct SceneTests {
  /// A source that does all its work in separate tasks.
  private final class Deferring: RemoteContent {
    let changes = RemoteContentChanges<Int, Double?>()
    private(set) var loadingState = RemoteContentLoadingState<Int, Double?>.initial {
      didSet { changes.send(loadingState) }
    }
    func load() {
      Task {
        await Task.yield()
        loadingState = .inProgress(nil)
        try? await Task.sleep(for: .seconds(1))
        loadingState = .success(1)
      }
    }
    func cancel() { Task { loadingState = .initial } }
  }

  private struct Broken: Error {}

  private static let number = Scene("number", "A number.") { scene in
    let source = Deferring()
    scene.content(
      "number",
      source,
      actions: [
        SceneAction(
          "add",
          "Takes one of each.",
          .integer("N", in: 1...9),
          .text("TEXT"),
          .duration("D"),
          .flag("ON")
        ) { number, text, duration, flag in
          if !flag { throw Broken() }
          precondition(number == 3 && text == "two words" && duration == .milliseconds(1500))
        },
        SceneAction("load", "Loads.") { source.load() },
      ]
    )
  }

  private static let commands =
    "commands: number.add, number.load"

  private static let broken = Scene("broken", "Throws.") { scene in
    scene.content("half", Deferring())
    scene.add(.get("/", 200))
    throw Broken()
  }

  private static let twins = Scene("twins", "Two of one name.") { scene in
    scene.content("twin", Deferring())
    scene.content("twin", Deferring())
  }

  /// Returns the output of the commands in a new session.
  private func output(of commands: String...) -> [String] {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.number, Self.broken, Self.twins]) {
      lines.all.append($0)
    }
    for command in commands { host.perform(command) }
    host.end()
    return lines.all
  }

  @MainActor private final class Lines {
    var all: [String] = []
  }

  @Test func `a source that starts in a separate task is reported when it starts`() {
    #expect(
      output(of: "scene number", "load number", "in 500ms cancel number", "settle") == [
        "number: Int  absent",
        Self.commands,
        "   0.000s  number  absent → loading #1",
        "   0.500s  number  loading #1 → absent, #1 cancelled",
        "   1.000s  number  absent → loaded 1, a late answer of #1",
      ]
    )
  }

  @Test func `an action that loads is a load`() {
    #expect(
      output(of: "scene number", "number.load", "expect number loaded 1 within 1s").last
        == "ok"
    )
  }

  @Test func `an action receives its arguments in their types`() {
    #expect(
      output(of: "scene number", #"number.add 3 "two words" 1.5s on  # all"#) == [
        "number: Int  absent", Self.commands,
      ]
    )
  }

  @Test(arguments: [
    ("number.add 3 x 1s off", "error: 'number.add' failed: \"Broken\""),
    ("number.add 0 x 1s on", "error: '0' is not a whole number from 1 to 9"),
    ("number.add 3 x 1 on", "error: '1' has no unit"),
    ("number.add 3 [1, 2] 1s on", "error: expected TEXT, a text, but found '['"),
    ("number.add 3 x 1s maybe", "error: expected ON, on or off, but found 'maybe'"),
    ("number.add 3", "error: expected TEXT, a text, but the command ends here"),
    ("number.load 3", "error: did not expect '3' here"),
    ("number.fly", "error: there is no command 'number.fly'"),
  ])
  func `invalid arguments of an action are mistakes`(command: String, error: String) {
    #expect(output(of: "scene number", command).dropFirst(2).first == error)
  }

  @Test func `a scene that throws during its setup adds nothing`() {
    #expect(
      output(of: "scene broken", "list") == [
        "error: the scene 'broken' cannot be set up: \"Broken\"",
        "  scene broken",
        "        ^~~~~~",
        "hint: nothing of it was added",
        "no members yet; try 'loadable profile: String'",
      ]
    )
  }

  @Test func `two members with one name are a mistake of the scene`() {
    #expect(
      output(of: "scene twins", "list").first
        == "error: the scene 'twins' cannot be set up: it has two members called 'twin'"
    )
  }

  @Test(arguments: [
    ("scene n", ["number"]),
    ("help scene b", ["broken"]),
    ("load n", ["number"]),
    ("number.", ["number.add", "number.load"]),
    ("in 1s number.l", ["number.load"]),
    ("number.add 1 x 1s ", ["on", "off"]),
    ("number.add ", []),
  ])
  func `completion offers scenes, actions and arguments`(text: String, candidates: [String]) {
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.number, Self.broken]) { _ in }
    host.perform("scene number")
    #expect(host.completion(of: text).candidates.map(\.text) == candidates)
    host.end()
  }
}
