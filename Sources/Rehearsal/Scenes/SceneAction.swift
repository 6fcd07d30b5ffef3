import Script

/// Something that a member can be told to do, with what it has to be told: a method of a user's own
/// as a command.
///
///     SceneAction("endpoint", "Shows another list.", .choice("ENDPOINT", Endpoint.named)) {
///       movies.endpoint = $0
///     }
package struct SceneAction: Sendable {
  package let name: String
  package let summary: String
  let parameters: [Parameter]
  let run: @MainActor @Sendable (inout ActionArguments) throws -> Void

  /// What help and completion know about a parameter.
  struct Parameter {
    let placeholder: String
    let candidates: [String]
  }

  /// - Parameters:
  ///   - name: one word.
  ///   - summary: one line, a sentence.
  ///   - parameter: what it has to be told, in order.
  ///   - perform: does it; what it throws is shown as the mistake of whoever asked.
  package init<each Value: Sendable>(
    _ name: String,
    _ summary: String,
    _ parameter: repeat SceneParameter<each Value>,
    perform: @escaping @MainActor @Sendable (repeat each Value) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    var parameters: [Parameter] = []
    for each in repeat each parameter {
      parameters.append(Parameter(placeholder: each.placeholder, candidates: each.candidates))
    }
    self.parameters = parameters
    run = { arguments in
      let values = (repeat try arguments.next(each parameter))
      try arguments.requireEnd()
      try perform(repeat each values)
    }
  }

  /// How it is written: `endpoint ENDPOINT`.
  var synopsis: String { ([name] + parameters.map(\.placeholder)).joined(separator: " ") }
}
