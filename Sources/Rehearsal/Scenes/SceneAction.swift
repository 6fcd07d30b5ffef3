import Script

/// Something that a scene can be told to do: a method of a user's own as a command, with parameters.
///
///     SceneAction("endpoint", "Shows another list.", .choice("ENDPOINT", Endpoint.named)) {
///       movies.endpoint = $0
///     }
public struct SceneAction: Sendable {
  /// How the command is called, one word; dots may be in it.
  public let name: String
  /// One line, a sentence: for help and completion.
  public let summary: String
  /// What else is to know, in paragraphs; then its parameters.
  let details: [String]
  let arguments: [Syntax]
  /// Whether it goes on in a task of its own.
  let isAsync: Bool
  let work: @MainActor @Sendable (Arguments) throws -> Work

  /// What a command comes to, once its arguments are known.
  enum Work {
    case done
    /// It goes on in a task of its own.
    case task(@MainActor () async throws -> Void)
  }

  /// A command that is done when it returns.
  ///
  /// - Parameters:
  ///   - name: one word.
  ///   - summary: one line, a sentence.
  ///   - details: what else is to know, in paragraphs.
  ///   - parameter: what it has to be told, in order.
  ///   - perform: does it; what it throws is shown as the mistake of whoever asked.
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
    self.init(
      name: name,
      summary: summary,
      details: details + explanations,
      arguments: syntax,
      isAsync: false
    ) { arguments in
      try perform(repeat (each slots).value(in: arguments))
      return .done
    }
  }

  /// A command that goes on in a task of its own, as what a button starts does.
  ///
  /// It is shown as a process of the command's name: when it runs, how it ends, and whether it still
  /// waits when nothing is left to run. `cancel NAME` cancels its task. Several may run at once.
  ///
  /// - Parameters:
  ///   - name: one word.
  ///   - summary: one line, a sentence.
  ///   - details: what else is to know, in paragraphs.
  ///   - parameter: what it has to be told, in order.
  ///   - perform: does it; what it throws is how it failed.
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
    self.init(
      name: name,
      summary: summary,
      details: details + explanations,
      arguments: syntax,
      isAsync: true
    ) { arguments in
      let values = (repeat (each slots).value(in: arguments))
      return .task { try await perform(repeat each values) }
    }
  }

  private init(
    name: String,
    summary: String,
    details: [String],
    arguments: [Syntax],
    isAsync: Bool,
    work: @escaping @MainActor @Sendable (Arguments) throws -> Work
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.isAsync = isAsync
    self.work = work
  }
}

extension SceneAction {
  private static func next(_ number: inout Int) -> Int {
    number += 1
    return number
  }
}

/// A parameter as a slot of a command's syntax, and how its value is found again.
private struct SceneSlot<Value: Sendable>: Sendable {
  private let slot: Slot<Value>
  private let fallback: Value?

  init(_ parameter: SceneParameter<Value>, number: Int) {
    // A value is found by its slot's name, and several parameters may be called the same.
    slot = Slot(
      "\(parameter.placeholder) \(number)",
      parameter.placeholder,
      expecting: parameter.candidates.map { .keyword($0) },
      read: { parser throws(Diagnostic) in try parameter.read(from: &parser) }
    )
    fallback = parameter.fallback
  }

  func add(to syntax: inout [Syntax]) {
    guard fallback == nil else { return syntax.append(.optional(.slot(slot))) }
    if case .optional? = syntax.last {
      preconditionFailure("'\(slot.placeholder)' needs a default, since what is before it has one.")
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
