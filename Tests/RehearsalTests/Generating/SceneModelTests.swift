import Exploring
import Observation
import Testing

@testable import Rehearsal

/// Scenes that are compared with a model.
@MainActor @Suite struct SceneModelTests {
  private func script(
    _ commands: [String],
    _ scene: Scene,
    most: Int? = 10,
    disabling disabled: Set<BuiltInCheck> = [],
    path: String = "a.rehearse"
  ) throws -> ExploredScript {
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: path, bytes: Array(text.utf8)))
    return try ExploredScript(file, scenes: [scene], disabling: disabled, generating: most)
  }

  private func explored(_ script: ExploredScript, runs: UInt64 = 500) -> Findings {
    Exploration(.init(.random, seeds: 0..<runs), script.play).run()
  }

  /// Returns the text of the violation, and the commands of its counterexample.
  private func violation(_ scene: Scene) throws -> (what: String, commands: [String]) {
    let script = try script(["scene \(scene.name)"], scene)
    let findings = explored(script)
    let failure = try #require(findings.failures.first, "no failure in \(findings.runs) runs")
    #expect(failure.check == .builtIn(.matchesModel))
    let example = try #require(script.counterexamples(findings).first)
    return (example.violation.what, example.script.commands)
  }

  @Test func `a scene that is like its model has no violation`() throws {
    let findings = explored(try script(["scene stack"], .stack()))

    #expect(findings.failures.isEmpty)
    #expect(findings.inconclusiveRuns == 0)
    #expect(findings.openChoices.unneeded(.command) == [])
  }

  @Test func `a state that differs from the model is found and shortened`() throws {
    let (what, commands) = try violation(.stack(most: 2))

    #expect(commands.first == "scene stack")
    #expect(commands.count == 4)
    #expect(
      what == "after '\(commands[3])', count: the reference model of 'stack' says 3, the scene 2"
    )
  }

  @Test func `an error that only the model has is found`() throws {
    let (what, commands) = try violation(.stack(popsNothing: true))

    #expect(commands == ["scene stack", "pop"])
    #expect(
      what.hasPrefix(
        "'pop': the reference model of 'stack' says the error \"it is empty\", the scene no error"
      ),
      "\(what)"
    )
  }

  @Test func `overlapping calls are compared with their orders`() throws {
    #expect(explored(try script(["scene counter"], .counter(isAtomic: true))).failures.isEmpty)

    let (what, commands) = try violation(.counter(isAtomic: false))
    #expect(commands.count <= 4, "\(commands)")
    #expect(what.contains("no order of 'add 1', 'add 1' explains it"), "\(what)")
  }

  @Test func `a cancelled call may or may not have taken effect`() throws {
    let scene = Scene.counter(isAtomic: true)
    let commands = ["scene counter", "add 1", "cancel add", "settle", "add 1", "settle"]

    #expect(try script(commands, scene, most: nil).outcome(by: Schedule()).failure == nil)
  }

  @Test func `a property that a command sets is compared`() throws {
    let scene = Scene("form", "A form.") { scene in
      let form = Form()
      scene.property("text", of: form, \.text)
      scene.model("") { model in
        model.on("set text", String.self) { $0 = $1 }
        model.shows("text") { $0 }
      }
    }
    let (what, _) = try violation(scene)

    #expect(what.contains("the reference model of 'form' says \"ab\", the scene \"a\""), "\(what)")
  }

  @Test func `a check can be disabled`() throws {
    let script = try script(
      ["scene stack", "pop"],
      .stack(popsNothing: true),
      most: nil,
      disabling: [.matchesModel]
    )

    #expect(script.outcome(by: Schedule()).failure == nil)
  }

  @Test func `a transcript does not excuse a difference`() throws {
    let text = "> scene stack\n  ...\n> pop\n"
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [.stack(popsNothing: true)])

    #expect(script.ignored.isEmpty)
    #expect(script.outcome(by: Schedule()).failure?.check == .builtIn(.matchesModel))
  }

  // MARK: Wrong models

  @Test func `a model that differs at the first command is named`() throws {
    let (what, commands) = try violation(.stack(modelValues: [7]))

    #expect(commands == ["scene stack"])
    #expect(
      what == """
        after 'scene stack', count: the reference model of 'stack' says 1, the scene 0; no operation was compared before: check \
        that the reference model begins in the state of the scene
        """
    )
  }

  @Test(
    arguments: [
      ("pushh", "the scene has no command 'pushh'; did you mean 'push'?"),
      (
        "", "it does not know the command 'push'; add model.on(\"push\") or model.ignores(\"push\")"
      ),
      (
        "push",
        "the command 'push' has parameters of the types (Int); model.on has (String)"
      ),
    ]
  ) func `a wrong declaration is named`(command: String, problem: String) throws {
    let scene = Scene("stack", "A stack.") { scene in
      scene.command("push", "Pushes.", .integer("N")) { _ in }
      scene.model(0) { model in
        if !command.isEmpty { model.on(command, String.self) { _, _ in } }
      }
    }
    let failure = try script(["scene stack"], scene).outcome(by: Schedule()).failure

    #expect(failure?.what == "the reference model of the scene 'stack' is wrong: \(problem)")
  }

  @Test func `a shown property that does not exist is named`() throws {
    let scene = Scene("stack", "A stack.") { scene in
      scene.command("push", "Pushes.") {}
      scene.model(0) { model in
        model.ignores("push")
        model.shows("cuont") { $0 }
      }
    }
    let failure = try script(["scene stack"], scene).outcome(by: Schedule()).failure

    #expect(failure?.what.contains("'cuont', which is no property of the session") == true)
  }

  @Test func `commands that the model does not know are not generated, and named`() throws {
    let scene = Scene("shop", "A shop.") { scene in
      scene.add(.get("/x", .json("[]")))
      scene.command("buy", "Buys.") {}
      scene.model(0) { $0.on("buy") { $0 += 1 } }
    }
    let findings = explored(try script(["scene shop"], scene), runs: 20)

    #expect(
      findings.openChoices.unneeded(.command).map(\.text) == [
        "'inject http off', because the reference model of the scene 'shop' does not know it",
        "'inject http', because the reference model of the scene 'shop' does not know it",
      ]
    )
  }
}

private struct Empty: Error, CustomStringConvertible {
  var description: String { "it is empty" }
}

private struct StackModel: Hashable {
  var values: [Int] = []

  mutating func pop() throws {
    if values.isEmpty { throw Empty() }
    values.removeLast()
  }
}

@MainActor @Observable private final class Stack {
  var values: [Int] = []
}

@MainActor @Observable private final class Form {
  private var stored = ""
  var text: String {
    get { stored }
    set { stored = newValue == "ab" ? "a" : newValue }
  }
}

@MainActor @Observable private final class Tally {
  var value = 0

  func add(_ number: Int, isAtomic: Bool) async throws {
    let before = value
    try await Task.sleep(for: .seconds(1))
    value = (isAtomic ? value : before) + number
  }
}

extension Scene {
  /// A stack with at most `most` values, and its model.
  fileprivate static func stack(
    most: Int = .max,
    popsNothing: Bool = false,
    modelValues: [Int] = []
  ) -> Scene {
    Scene("stack", "A stack.") { scene in
      let stack = Stack()
      scene.property("count") { stack.values.count }
      scene.command("push", "Pushes.", .integer("N")) { number in
        if stack.values.count < most { stack.values.append(number) }
      }
      scene.command("pop", "Pops.") {
        if stack.values.isEmpty, !popsNothing { throw Empty() }
        _ = stack.values.popLast()
      }
      scene.model(StackModel(values: modelValues)) { model in
        model.on("push", Int.self) { $0.values.append($1) }
        model.on("pop") { try $0.pop() }
        model.shows("count") { $0.values.count }
      }
    }
  }

  fileprivate static func counter(isAtomic: Bool) -> Scene {
    Scene("counter", "A counter.") { scene in
      let counter = Tally()
      scene.property("value", of: counter, \Tally.value as KeyPath)
      scene.command("add", "Adds a number.", .integer("N", in: 1...1)) {
        try await counter.add($0, isAtomic: isAtomic)
      }
      scene.model(0) { model in
        model.on("add", Int.self) { $0 += $1 }
        model.shows("value") { $0 }
      }
    }
  }
}
