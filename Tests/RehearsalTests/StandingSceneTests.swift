import MockHTTP
import Observation
import Testing

@testable import Rehearsal

/// Scenes that are set up again, or whose members are forgotten.
@MainActor @Suite struct StandingSceneTests {
  @MainActor @Observable fileprivate final class Form {
    var text = ""
  }

  private static let form = Scene("form", "A form.") { scene in
    let form = Form()
    scene.add(.get("/form", 200))
    scene.property("text", of: form, \.text)
    scene.command("type", "Types.", .text("TEXT")) { form.text = $0 }
    scene.command("submit", "Submits.") { try await Task.sleep(for: .seconds(1)) }
  }

  private func output(of commands: String...) -> [String] {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.form]) { lines.all.append($0) }
    for command in commands { host.perform(command) }
    host.end()
    return lines.all
  }

  @MainActor private final class Lines {
    var all: [String] = []
  }

  @Test func `a scene that is set up again starts again, with one set of routes`() {
    let lines = output(of: "scene form", "type old", "submit", "scene form", "routes", "type new")
    let setUp = ["text: String  \"\"", "submit  idle", "commands: type, submit"]
    let expected: [String] = [
      "   0.000s  text  \"\" → \"old\"",
      "   0.000s  submit  idle → running #1",
      "form starts again",
      "   0.000s  submit  forgotten, #1 cancelled",
    ]
    let after = ["2  GET /form 200", "   0.000s  text  \"\" → \"new\""]
    #expect(lines == setUp + expected + setUp + after)
  }

  @Test func `a scheduled command finds the scene that started again`() {
    #expect(
      output(of: "scene form", "in 1s type x", "scene form", "settle").last
        == "   1.000s  text  \"\" → \"x\""
    )
  }

  @Test func `routes and commands of a scene are removed with its last member`() {
    #expect(
      output(of: "scene form", "in 1s type x", "forget text submit", "routes", "type x", "settle")
        .dropFirst(3) == [
          "no routes yet; try 'route GET /posts 200 json []'",
          "error: there is no command 'type'",
          "  type x",
          "  ^~~~",
          "hint: 'scene form' sets it up",
          "error: there is no command 'type'",
          "  in 1s type x",
          "        ^~~~",
          "hint: 'scene form' sets it up",
        ]
    )
  }

  @Test func `a command whose own member was forgotten reports that`() {
    #expect(
      output(of: "scene form", "forget submit", "submit", "type x").dropFirst(3) == [
        "error: no member is called 'submit'",
        "  submit",
        "  ^~~~~~",
        "hint: 'scene form' sets it up",
        "   0.000s  text  \"\" → \"x\"",
      ]
    )
  }

  @Test func `removed commands are neither completed nor in the help`() {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.form]) { lines.all.append($0) }
    host.perform("scene form")
    #expect(host.completion(of: "sub").candidates.map(\.text) == ["submit"])
    host.perform("forget text submit")
    #expect(host.completion(of: "sub").candidates.isEmpty)
    host.perform("help submit")
    #expect(lines.all.contains("error: there is no help on 'submit'"))
    host.end()
  }
}
