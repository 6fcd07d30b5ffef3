import Exploring
import RehearsalBase
import Script

/// The comparison of a scene with its model in one run.
@MainActor protocol ComparesScene: AnyObject {
  /// The first disagreement.
  var finding: ModelFinding? { get }
  /// Whether too many orders of overlapping calls are possible.
  var isUndecided: Bool { get }
  /// Called with a text before the model performs something, and with nil after it.
  var performing: (String?) -> Void { get set }
  /// Whether the model knows the command.
  func knows(_ verb: String) -> Bool
  /// Begins a command; returns the number of the call, nil if the model ignores it.
  func begin(_ verb: String, _ values: [Any], named text: String) -> Int?
  /// Ends a call with its error, if it has thrown one.
  func end(_ number: Int?, _ error: (any Error)?)
  /// Compares the properties that the model shows.
  func observe(_ members: SessionMembers, after command: String)
}

extension ComparesScene {
  /// Returns the body of a call that was begun, with its end.
  func ending(
    _ number: Int?,
    _ body: @escaping @MainActor () async throws -> Void
  ) -> @MainActor () async throws -> Void {
    {
      do {
        try await body()
        self.end(number, nil)
      } catch {
        self.end(number, error)
        throw error
      }
    }
  }
}

/// The comparison of a scene with its model in one run: of calls, errors and the properties that the model shows.
@MainActor final class SceneComparison<Model: Hashable & Sendable>: ComparesScene {
  private let scene: String
  private let model: SceneModel<Model>
  private var history: ModelHistory<Model>
  private var wrong: ModelFinding?
  var performing: (String?) -> Void = { _ in }

  /// - Parameters:
  ///   - model: the declaration.
  ///   - scene: the name of the scene.
  ///   - verbs: the types of the parameters of each command of the scene.
  init(_ model: SceneModel<Model>, of scene: String, verbs: [String: [String]]) {
    self.model = model
    self.scene = scene
    history = ModelHistory(model.initial)
    wrong = problem(verbs)
  }

  var finding: ModelFinding? {
    if let wrong { return wrong }
    guard var difference = history.difference else { return nil }
    difference.scene = scene
    return .differs(difference)
  }

  var isUndecided: Bool { history.isUndecided }

  func knows(_ verb: String) -> Bool { model.effects[verb] != nil || model.ignored.contains(verb) }

  func begin(_ verb: String, _ values: [Any], named text: String) -> Int? {
    guard wrong == nil, let effect = model.effects[verb] else { return nil }
    return history.begin(text) { model in
      do {
        return try effect(&model, values) == nil ? .failed("other parameters") : .nothing
      } catch {
        return .failed(errorText(error))
      }
    }
  }

  func end(_ number: Int?, _ error: (any Error)?) {
    guard let number else { return }
    withModel {
      if error is CancellationError { return history.cancel(number) }
      history.end(number, error.map { .failed(errorText($0)) } ?? .nothing)
    }
  }

  func observe(_ members: SessionMembers, after command: String) {
    guard wrong == nil, !model.shown.isEmpty else { return }
    var actual: [String] = []
    for (name, _) in model.shown {
      guard let property = members[name] as? PropertyMember, let value = property.read?() else {
        wrong = .wrong(
          scene: scene,
          problem: "it shows '\(name)', which is no property of the session",
          hint: "declare it with scene.property"
        )
        return
      }
      actual.append(value.text)
    }
    withModel {
      history.observe(model.shown.map(\.member), actual, after: command) { [model] state in
        model.shown.map { $0.value(state).text }
      }
    }
  }

  private func withModel(_ body: () -> Void) {
    performing(
      "it is in the reference model of the scene '\(scene)'; correct it: it may throw, like the scene"
    )
    body()
    performing(nil)
  }

  private func list(_ types: [String]) -> String { "(\(types.joined(separator: ", ")))" }

  /// The first wrong declaration.
  private func problem(_ verbs: [String: [String]]) -> ModelFinding? {
    for name in (Array(model.effects.keys) + model.ignored).sorted() where verbs[name] == nil {
      return .wrong(
        scene: scene,
        problem: "the scene has no command '\(name)'",
        hint: Suggestion.hint(for: name, in: verbs.keys.sorted()) ?? "declare it in the scene first"
      )
    }
    for (name, types) in verbs.sorted(by: { $0.key < $1.key }) {
      if !knows(name) {
        return .wrong(
          scene: scene,
          problem: "it does not know the command '\(name)'",
          hint: "add model.on(\"\(name)\") or model.ignores(\"\(name)\")"
        )
      }
      if let own = model.types[name], own != types {
        return .wrong(
          scene: scene,
          problem: "the command '\(name)' has parameters of the types \(list(types))",
          hint: "model.on has \(list(own))"
        )
      }
    }
    return nil
  }
}
