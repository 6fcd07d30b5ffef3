import Staging

/// An operation that a search may generate: a call of the code under test.
///
///     GeneratedOperation("cancel", when: { model.isLoading }) { model.cancel() }
@MainActor public struct GeneratedOperation {
  let name: String
  let weight: Int
  let most: Int
  let condition: () -> Bool
  let body: () async throws -> Void

  /// - Parameters:
  ///   - name: the name in the run's output.
  ///   - weight: how often it is chosen, compared with others; at least 1.
  ///   - most: the maximum number in a run; at least 1.
  ///   - condition: whether it may be chosen now.
  ///   - body: the call. It runs in its own task, like the action of a button. If it throws, the run fails.
  public init(
    _ name: String,
    often weight: Int = 1,
    atMost most: Int = .max,
    when condition: @escaping () -> Bool = { true },
    _ body: @escaping () async throws -> Void
  ) {
    precondition(weight > 0 && most > 0, "The operation '\(name)' is never chosen.")
    (self.name, self.weight, self.most) = (name, weight, most)
    (self.condition, self.body) = (condition, body)
  }
}

extension ExploredRun {
  /// Performs operations that the search chooses, with pauses between them, and waits for their ends.
  ///
  /// The default schedule performs none. Each of `most` decisions chooses one operation or none, so a failing run is
  /// shortened by leaving operations out. Operations run in their own tasks and may overlap. The output has the name of
  /// each. The search reports operations that no run has chosen.
  ///
  /// - Parameters:
  ///   - operations: the possible operations.
  ///   - most: the maximum number in a run.
  ///   - pauses: the possible pauses before each operation; often one that ends at the instant of another event.
  /// - Throws: `CancellationError` if the task is cancelled; an error if `operations` is empty or `most` is below 1.
  @MainActor public func generate(
    _ operations: [GeneratedOperation],
    atMost most: Int = 10,
    pauses: ClosedRange<Duration> = .zero ... .seconds(5)
  ) async throws {
    if operations.isEmpty { throw NothingToGenerate.noOperation }
    if most < 1 { throw NothingToGenerate.limit(most) }
    let use = OperationUse(count: operations.count)
    addOpenValues {
      // No closure, because it would check that it runs on the main actor. A thread of `explore` calls this after the run.
      var values: [(text: String, isAsked: Bool)] = []
      for (place, operation) in operations.enumerated() {
        values.append(
          ("the operation '\(operation.name)'; check its condition", use.counts[place] > 0)
        )
      }
      return values
    }
    var tasks: [Task<Void, any Error>] = []
    for number in 1...most {
      // Operations begin although no pause follows them.
      if !tasks.isEmpty { await Task.yield() }
      let allowed = operations.indices.filter {
        use.counts[$0] < operations[$0].most && operations[$0].condition()
      }
      let picks = allowed.flatMap { Array(repeating: $0, count: operations[$0].weight) }
      let choice = choose(among: picks.count + 1) { choice in
        ("operation \(number)", choice == 0 ? "none" : "'\(operations[picks[choice - 1]].name)'")
      }
      guard choice > 0 else { continue }
      let place = picks[choice - 1]
      let pause = choose(pauses)
      if pause > .zero { try await Task.sleep(for: pause) }
      guard operations[place].condition() else { continue }
      use.counts[place] += 1
      note(operations[place].name)
      tasks.append(Task { try await operations[place].body() })
    }
    for task in tasks { try await task.value }
  }
}

/// Why a run can generate no operation.
private enum NothingToGenerate: Error, CustomStringConvertible {
  case noOperation
  case limit(Int)

  var description: String {
    switch self {
    case .noOperation:
      "nothing can be generated, because there is no operation; return at least one"
    case .limit(let most):
      "nothing can be generated, because the maximum number of operations is \(most); pass at least 1"
    }
  }
}

/// How often each operation was performed in a run.
@MainActor private final class OperationUse {
  var counts: [Int]

  init(count: Int) { counts = Array(repeating: 0, count: count) }
}
