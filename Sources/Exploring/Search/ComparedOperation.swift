/// An operation that a search may generate, with the same operation of a model.
///
///     ComparedOperation("pop", model: { $0.popLast() }) { await stack.pop() }
///
/// A search compares the results. If operations overlap, some order of them must explain all results, and an operation
/// that ended before another began comes first. An error is a result; an operation that ended with `CancellationError` has
/// taken effect before its end, or never does.
@MainActor public struct ComparedOperation<Model: Hashable> {
  let name: String
  fileprivate let weight: Int
  fileprivate let most: Int
  fileprivate let condition: () -> Bool
  fileprivate let isLast: Bool
  fileprivate let effect: ModelHistory<Model>.Effect
  fileprivate let body: () async throws -> ModelResult

  /// Creates an operation with a result.
  ///
  /// - Parameters:
  ///   - name: the name in the run's output.
  ///   - weight: how often it is chosen, compared with others; at least 1.
  ///   - most: the maximum number in a run; at least 1.
  ///   - condition: whether it may be chosen now.
  ///   - model: performs the operation on the model. It may throw, like the code.
  ///   - body: the call. It runs in its own task, like the action of a button.
  public init<Result: Hashable>(
    _ name: String,
    often weight: Int = 1,
    atMost most: Int = .max,
    when condition: @escaping () -> Bool = { true },
    model: @escaping (inout Model) throws -> Result,
    _ body: @escaping () async throws -> Result
  ) {
    self.init(
      name,
      (weight, most, condition),
      isLast: false,
      model: { ModelResult(try model(&$0)) },
      { ModelResult(try await body()) }
    )
  }

  /// Creates an operation without a result.
  ///
  /// - Parameters: as those of an operation with a result.
  public init(
    _ name: String,
    often weight: Int = 1,
    atMost most: Int = .max,
    when condition: @escaping () -> Bool = { true },
    model: @escaping (inout Model) throws -> Void,
    _ body: @escaping () async throws -> Void
  ) {
    self.init(
      name,
      (weight, most, condition),
      isLast: false,
      model: {
        try model(&$0)
        return .nothing
      },
      {
        try await body()
        return .nothing
      }
    )
  }

  /// Creates a comparison that every run makes after the ends of all operations, such as one of the whole state.
  ///
  /// - Parameters:
  ///   - name: the name of the compared value.
  ///   - model: returns the value of the model.
  ///   - body: returns the value of the code.
  /// - Returns: the operation.
  public static func last<Result: Hashable>(
    _ name: String,
    model: @escaping (Model) throws -> Result,
    _ body: @escaping () async throws -> Result
  ) -> ComparedOperation {
    ComparedOperation(
      name,
      (1, 1, { true }),
      isLast: true,
      model: { ModelResult(try model($0)) },
      { ModelResult(try await body()) }
    )
  }

  private init(
    _ name: String,
    _ choosing: (weight: Int, most: Int, condition: () -> Bool),
    isLast: Bool,
    model: @escaping (inout Model) throws -> ModelResult,
    _ body: @escaping () async throws -> ModelResult
  ) {
    self.name = name
    (weight, most, condition) = choosing
    self.isLast = isLast
    effect = { state in
      do { return try model(&state) } catch { return .failed("\(error)") }
    }
    self.body = body
  }
}

extension ExploredRun {
  /// Performs operations that the search chooses, as `generate` without a model does, and compares their results with those
  /// of a model.
  ///
  /// The run fails at the first result that no order of the overlapping operations explains.
  ///
  /// - Parameters:
  ///   - operations: the possible operations.
  ///   - model: the model in the state of the code before the first operation.
  ///   - most: the maximum number in a run.
  ///   - pauses: the possible pauses before each operation.
  /// - Throws: as `generate` without a model.
  @MainActor public func generate<Model: Hashable>(
    _ operations: [ComparedOperation<Model>],
    against model: Model,
    atMost most: Int = 10,
    pauses: ClosedRange<Duration> = .zero ... .seconds(5)
  ) async throws {
    let comparison = ModelComparison(model, in: self)
    try await generate(
      operations.filter { !$0.isLast }.map { operation in
        GeneratedOperation(
          operation.name,
          often: operation.weight,
          atMost: operation.most,
          when: operation.condition
        ) { await comparison.perform(operation) }
      },
      atMost: most,
      pauses: pauses
    )
    for operation in operations where operation.isLast { await comparison.perform(operation) }
  }
}

/// Compares the operations of one run with a model.
@MainActor private final class ModelComparison<Model: Hashable> {
  private var history: ModelHistory<Model>
  private let run: ExploredRun

  init(_ model: Model, in run: ExploredRun) {
    history = ModelHistory(model)
    self.run = run
  }

  func perform(_ operation: ComparedOperation<Model>) async {
    let number = history.begin(operation.name, operation.effect)
    let result: ModelResult?
    do {
      result = try await operation.body()
    } catch is CancellationError where !operation.isLast {
      result = nil
    } catch {
      result = .failed("\(error)")
    }
    // If the model crashes, the last note names it.
    run.noteTemporarily("the reference model performs '\(operation.name)'") {
      if let result { history.end(number, result) } else { history.cancel(number) }
    }
    if let difference = history.difference {
      run.fail(by: Violation(.matchesModel, .model(.differs(difference))))
    }
    if history.isUndecided { run.isUndecided = true }
  }
}
