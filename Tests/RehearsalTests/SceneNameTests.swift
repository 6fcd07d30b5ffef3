import Testing

@testable import Rehearsal

/// Names that cannot be typed are refused when they are declared.
@MainActor @Suite struct SceneNameTests {
  private func output(of command: String, with scenes: Scene...) -> [String] {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: scenes) { lines.all.append($0) }
    host.perform(command)
    host.end()
    return lines.all
  }

  @MainActor private final class Lines {
    var all: [String] = []
  }

  @Test(arguments: [
    ("two words", "the name of its member 'two words' is not one word", "s.two-words"),
    ("", "the name of its member '' is not one word", nil),
    ("9", "the name of its member '9' is not one word", "s.9"),
    ("route", "its member 'route' has the name of a word of 'forget'", "s.route"),
    ("map", "its member 'map' has the name of a word of 'show'", "s.map"),
  ])
  func `a member with a name that cannot be typed is refused`(
    name: String,
    reason: String,
    example: String?
  ) {
    let scene = Scene("s", "A scene.") { $0.property(name) { 1 } }
    let lines = output(of: "scene s", with: scene)
    #expect(lines.first == "error: the scene 's' cannot be set up: " + reason)
    let hint = "hint: in its code, choose another name"
    #expect(lines.last == example.map { hint + ", as in '\($0)'" } ?? hint)
  }

  @Test func `a command that cannot be typed is refused, and another name suggested`() {
    let scene = Scene("s", "A scene.") { $0.command("two words", "Does nothing.") {} }
    #expect(
      output(of: "scene s", with: scene).last
        == "hint: in its code, choose another name, as in 's.two-words'"
    )
  }

  @Test(arguments: ["scene s", "scenes"])
  func `two scenes with one name are refused`(command: String) {
    let scene = Scene("s", "A scene.") { _ in }
    #expect(
      output(of: command, with: scene, scene).contains(
        "error: the scene 's' cannot be set up: there are two scenes of this name"
      )
    )
  }

  @Test func `a scene with a name that cannot be typed is reported in the list`() {
    #expect(
      output(of: "scenes", with: Scene("two words", "A scene.") { _ in }).suffix(2) == [
        "error: the scene 'two words' cannot be set up: its name is not one word",
        "hint: in its code, choose another name, as in 'two-words'",
      ]
    )
  }
}
