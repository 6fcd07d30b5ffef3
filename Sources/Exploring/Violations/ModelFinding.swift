/// A disagreement of the code with its model.
package enum ModelFinding: Sendable, Hashable, Codable {
  /// The result of an operation, or a state after it.
  case differs(ModelDifference)
  /// The scene declares its model in a wrong way.
  case wrong(scene: String, problem: String, hint: String)
}

/// A result or a state that no possible order of the operations explains.
package struct ModelDifference: Sendable, Hashable, Codable {
  /// The scene; nil for a scenario in Swift.
  package var scene: String?
  /// The operation that has ended, or the last command before the state.
  package let operation: String
  /// The names of the states; nil for the result of the operation.
  package let members: [String]?
  /// The value of the code.
  package let actual: String
  /// The possible values of the model, without duplicates.
  package let expected: [String]
  /// The overlapping operations, if there are at least two.
  package let overlapping: [String]
  /// Whether at most one operation is compared.
  package let isFirst: Bool
}

extension ModelDifference {
  /// The difference without names and values, which shrinking may change.
  var withoutValues: ModelDifference {
    ModelDifference(
      scene: scene,
      operation: "",
      members: nil,
      actual: "",
      expected: [],
      overlapping: [],
      isFirst: false
    )
  }
}
