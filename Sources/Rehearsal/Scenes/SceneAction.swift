import Script

/// A command of a scene: a method of the user's code, with parameters.
///
///     SceneAction("endpoint", "Shows another list.", .choice("ENDPOINT", Endpoint.named)) {
///       movies.endpoint = $0
///     }
public struct SceneAction: Sendable {
  /// The name of the command: one word, which may contain dots.
  public let name: String
  /// One line, a sentence: for help and completion.
  public let summary: String
  /// More paragraphs, followed by the parameters.
  let details: [String]
  let arguments: [Syntax]
  /// Whether the command runs in a separate task.
  let isAsync: Bool
  let work: @MainActor @Sendable (Arguments) throws -> Work
  /// The types of the parameters, as text.
  let types: [String]
  /// Returns the values of the parameters.
  let values: @MainActor @Sendable (Arguments) -> [Any]

  /// The work of a command whose arguments are known.
  enum Work {
    case done
    /// Work in a separate task.
    case task(@MainActor () async throws -> Void)
  }

  /// Creates a command that is finished when `perform` returns.
  ///
  /// - Parameters:
  ///   - name: the name of the command, one word.
  ///   - summary: one sentence on one line.
  ///   - details: more paragraphs for help.
  ///   - parameter: the parameters, in order.
  ///   - perform: performs the command. If it throws, the command fails with that error.
  public init<each Value: Sendable>(
    _ name: String,
    _ summary: String,
    details: [String] = [],
    _ parameter: repeat SceneParameter<each Value>,
    perform: @escaping @MainActor @Sendable (repeat each Value) throws -> Void
  ) {
    var number = 0
    let slots = (repeat SceneSlot(each parameter, number: Self.next(&number)))
    var syntax: [Syntax] = []
    for slot in repeat each slots { slot.add(to: &syntax) }
    var explanations: [String] = []
    for parameter in repeat each parameter { explanations.append(parameter.explanation) }
    var types: [String] = []
    for type in repeat (each Value).self { types.append(typeName(type)) }
    self.init(
      name: name,
      summary: summary,
      details: details + explanations,
      arguments: syntax,
      isAsync: false,
      types: types,
      values: { arguments in
        var values: [Any] = []
        for slot in repeat each slots { values.append(slot.value(in: arguments)) }
        return values
      },
      work: { arguments in
        try perform(repeat (each slots).value(in: arguments))
        return .done
      }
    )
  }

  /// Creates a command that runs in a separate task, like the action of a button.
  ///
  /// The session shows it as a process with the command's name: when it runs, how it ends, and
  /// whether it still waits when no work is left. `cancel NAME` cancels its task. Several may run
  /// at the same time.
  ///
  /// - Parameters:
  ///   - name: the name of the command, one word.
  ///   - summary: one sentence on one line.
  ///   - details: more paragraphs for help.
  ///   - parameter: the parameters, in order.
  ///   - perform: performs the command. If it throws, the process fails with that error.
  public init<each Value: Sendable>(
    _ name: String,
    _ summary: String,
    details: [String] = [],
    _ parameter: repeat SceneParameter<each Value>,
    perform: @escaping @MainActor @Sendable (repeat each Value) async throws -> Void
  ) {
    var number = 0
    let slots = (repeat SceneSlot(each parameter, number: Self.next(&number)))
    var syntax: [Syntax] = []
    for slot in repeat each slots { slot.add(to: &syntax) }
    var explanations: [String] = []
    for parameter in repeat each parameter { explanations.append(parameter.explanation) }
    var types: [String] = []
    for type in repeat (each Value).self { types.append(typeName(type)) }
    self.init(
      name: name,
      summary: summary,
      details: details + explanations,
      arguments: syntax,
      isAsync: true,
      types: types,
      values: { arguments in
        var values: [Any] = []
        for slot in repeat each slots { values.append(slot.value(in: arguments)) }
        return values
      },
      work: { arguments in
        let values = (repeat (each slots).value(in: arguments))
        return .task { try await perform(repeat each values) }
      }
    )
  }

  private init(
    name: String,
    summary: String,
    details: [String],
    arguments: [Syntax],
    isAsync: Bool,
    types: [String],
    values: @escaping @MainActor @Sendable (Arguments) -> [Any],
    work: @escaping @MainActor @Sendable (Arguments) throws -> Work
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.isAsync = isAsync
    self.work = work
    self.types = types
    self.values = values
  }
}

extension SceneAction {
  private static func next(_ number: inout Int) -> Int {
    number += 1
    return number
  }
}

/// A parameter as a slot of the command's syntax, with access to its value.
private struct SceneSlot<Value: Sendable>: Sendable {
  private let slot: Slot<Value>
  private let fallback: Value?

  init(_ parameter: SceneParameter<Value>, number: Int) {
    // Values are found by the slot's name, and several parameters may have the same placeholder.
    slot = Slot(
      "\(parameter.placeholder) \(number)",
      parameter.placeholder,
      expecting: parameter.candidates.map { .keyword($0) },
      samples: parameter.samples,
      read: { parser throws(Diagnostic) in try parameter.read(from: &parser) }
    )
    fallback = parameter.fallback
  }

  func add(to syntax: inout [Syntax]) {
    guard fallback == nil else { return syntax.append(.optional(.slot(slot))) }
    if case .optional? = syntax.last {
      preconditionFailure("'\(slot.placeholder)' needs a default, like the parameter before it.")
    }
    syntax.append(.slot(slot))
  }

  func value(in arguments: Arguments) -> Value {
    guard let value = arguments[slot] ?? fallback else {
      preconditionFailure("The syntax of the command requires '\(slot.placeholder)'.")
    }
    return value
  }
}
