import Exploring
import RehearsalBase
import Script

/// The declaration of a scene's model: what each command does to it, and which properties show its state.
///
///     scene.model(StackModel()) { model in
///       model.on("push", Int.self) { $0.push($1) }
///       model.on("pop") { $0.pop() }
///       model.shows("count") { $0.values.count }
///     }
@MainActor public struct SceneModel<Model: Hashable & Sendable> {
  /// Performs a command on the model; nil if the values have other types than the model's.
  typealias Effect = (inout Model, [Any]) throws -> Void?

  private(set) var initial: Model
  private(set) var effects: [String: Effect] = [:]
  /// The types of the values of each command, as text.
  private(set) var types: [String: [String]] = [:]
  private(set) var ignored: Set<String> = []
  private(set) var shown: [(member: String, value: (Model) -> JSONValue)] = []

  init(_ initial: Model) { self.initial = initial }

  // A parameter pack after an inout parameter crashes the compiler of Swift 6.3, so there is a method for each number of
  // parameters.

  /// States what a command without parameters does to the model.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - perform: changes the model. If the command throws, it must throw the same error.
  public mutating func on(
    _ command: String,
    perform: @escaping (inout Model) throws -> Void
  ) {
    add(command, []) { model, _ in try perform(&model) }
  }

  /// States what a command with one parameter does to the model.
  ///
  /// - Parameters:
  ///   - command: the name of the command, or `set NAME` for a property that can be set.
  ///   - type: the type of the parameter.
  ///   - perform: changes the model. If the command throws, it must throw the same error.
  public mutating func on<Value>(
    _ command: String,
    _ type: Value.Type,
    perform: @escaping (inout Model, Value) throws -> Void
  ) {
    add(command, [typeName(type)]) { model, values in
      guard let value = values.first as? Value else { return nil }
      return try perform(&model, value)
    }
  }

  /// States what a command with two parameters does to the model.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - first: the type of the first parameter.
  ///   - second: the type of the second parameter.
  ///   - perform: changes the model. If the command throws, it must throw the same error.
  public mutating func on<First, Second>(
    _ command: String,
    _ first: First.Type,
    _ second: Second.Type,
    perform: @escaping (inout Model, First, Second) throws -> Void
  ) {
    add(command, [typeName(first), typeName(second)]) { model, values in
      guard values.count == 2, let one = values[0] as? First, let other = values[1] as? Second
      else { return nil }
      return try perform(&model, one, other)
    }
  }

  /// States what a command with three parameters does to the model.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - first: the type of the first parameter.
  ///   - second: the type of the second parameter.
  ///   - third: the type of the third parameter.
  ///   - perform: changes the model. If the command throws, it must throw the same error.
  public mutating func on<First, Second, Third>(
    _ command: String,
    _ first: First.Type,
    _ second: Second.Type,
    _ third: Third.Type,
    perform: @escaping (inout Model, First, Second, Third) throws -> Void
  ) {
    add(command, [typeName(first), typeName(second), typeName(third)]) { model, values in
      guard values.count == 3, let one = values[0] as? First, let other = values[1] as? Second,
        let last = values[2] as? Third
      else { return nil }
      return try perform(&model, one, other, last)
    }
  }

  private mutating func add(_ command: String, _ types: [String], _ effect: @escaping Effect) {
    self.types[command] = types
    effects[command] = effect
  }

  /// States that commands of the scene do not change the model.
  public mutating func ignores(_ commands: String...) { ignored.formUnion(commands) }

  /// States that a property of the scene shows a value of the model.
  ///
  /// - Parameters:
  ///   - property: the name of the property.
  ///   - value: returns the value.
  public mutating func shows<Value>(_ property: String, _ value: @escaping (Model) -> Value) {
    shown.append((property, { JSONValue(showing: value($0)) }))
  }
}

extension SceneBuilder {
  /// Names a model of the scene: a value with the same commands. `explore` compares each run with it, after each command.
  ///
  /// Calls of async commands may overlap. Then some order of them must explain the properties and the errors. A call
  /// that is cancelled or never ends may or may not have changed the model. Other commands of the session do not know the
  /// model, and no run outside of `explore` performs it.
  ///
  /// - Parameters:
  ///   - initial: the model in the state of the scene at its setup.
  ///   - declare: declares the commands and the properties. Each command of the scene needs a declaration.
  public func model<Model: Hashable & Sendable>(
    _ initial: Model,
    _ declare: (inout SceneModel<Model>) -> Void
  ) {
    var model = SceneModel(initial)
    declare(&model)
    makeComparison = { SceneComparison(model, of: $0, verbs: $1) }
  }
}
