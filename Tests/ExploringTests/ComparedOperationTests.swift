import Testing

@testable import Exploring

/// Searches that compare generated operations with a model.
@MainActor @Suite struct ComparedOperationTests {
  private struct StackModel: Hashable {
    var values: [Int] = []
  }

  /// A stack whose calls overlap.
  private final class Stack {
    var values: [Int] = []
    let isBroken: Bool

    init(isBroken: Bool) { self.isBroken = isBroken }

    func push(_ value: Int) async throws {
      var values = values
      if isBroken { try await Task.sleep(for: .seconds(1)) }
      values.append(value)
      self.values = values
      if !isBroken { try await Task.sleep(for: .seconds(1)) }
    }

    func pop() async throws -> Int? {
      try await Task.sleep(for: .milliseconds(500))
      return values.popLast()
    }
  }

  private func explored(_ runs: UInt64, isBroken: Bool, most: Int = 6) -> Findings {
    Exploration.explore(.init(.random, seeds: 0..<runs)) { run in
      let stack = Stack(isBroken: isBroken)
      try await run.generate(
        [
          ComparedOperation("push 1", model: { $0.values.append(1) }) { try await stack.push(1) },
          ComparedOperation("push 2", model: { $0.values.append(2) }) { try await stack.push(2) },
          ComparedOperation("pop", model: { $0.values.popLast() }) { try await stack.pop() },
          .last("values", model: { $0.values }) { stack.values },
        ],
        against: StackModel(),
        atMost: most
      )
    }
  }

  @Test func `overlapping operations that an order explains do not fail`() {
    let findings = explored(500, isBroken: false)

    #expect(findings.failures.isEmpty)
    #expect(findings.inconclusiveRuns == 0)
    #expect(findings.behaviours > 50)
  }

  @Test func `a lost update that no order explains is found and shortened`() throws {
    let findings = explored(500, isBroken: true)

    let failure = try #require(findings.failures.first)
    #expect(failure.check == .matchesModel)
    #expect(failure.outcome.seen.count == 2, "\(failure.outcome.seen)")
    let what = failure.outcome.violation(of: .matchesModel)?.what ?? ""
    #expect(what.contains("the reference model says "), "\(what)")
  }

  // MARK: The history

  private typealias History = ModelHistory<StackModel>

  private func push(_ value: Int) -> History.Effect {
    {
      $0.values.append(value)
      return .nothing
    }
  }
  private var pop: History.Effect { { ModelResult($0.values.popLast()) } }

  @Test func `a cancelled operation has taken effect before its end, or never does`() {
    for hasEffect in [true, false] {
      var history = History(StackModel())
      let push = history.begin("push 1", push(1))
      history.cancel(push)
      history.end(history.begin("pop", pop), ModelResult(hasEffect ? 1 : nil as Int?))
      #expect(history.difference == nil)
    }
    var history = History(StackModel())
    let push = history.begin("push 1", push(1))
    history.cancel(push)
    history.end(history.begin("pop", pop), ModelResult(nil as Int?))
    history.end(history.begin("pop", pop), ModelResult(1 as Int?))
    #expect(history.difference?.operation == "pop")
  }

  @Test func `a last comparison that is cancelled is compared`() {
    let findings = Exploration.explore(.init(.random, seeds: 0..<10)) { run in
      try await run.generate(
        [.last("value", model: { $0 }) { () -> Int in throw CancellationError() }],
        against: 0
      )
    }
    #expect(findings.failures.count == 1)
  }

  @Test func `operations in turn have one order`() {
    var history = History(StackModel())
    history.end(history.begin("push 1", push(1)), .nothing)
    history.end(history.begin("push 2", push(2)), .nothing)
    history.end(history.begin("pop", pop), ModelResult(Optional(1)))

    #expect(history.difference?.expected == ["Optional(2)"])
    #expect(history.difference?.actual == "Optional(1)")
    #expect(history.difference?.overlapping == [])
    #expect(history.difference?.isFirst == false)
  }

  @Test(arguments: [1, 2, 3]) func `overlapping operations have several orders`(value: Int) {
    var history = History(StackModel())
    let first = history.begin("push 1", push(1))
    let second = history.begin("push 2", push(2))
    history.end(second, .nothing)
    history.end(first, .nothing)
    history.end(history.begin("pop", pop), ModelResult(Optional(value)))

    #expect((history.difference == nil) == (value < 3))
  }

  @Test func `an operation that ended comes before one that begins later`() {
    var history = History(StackModel())
    let open = history.begin("push 3", push(3))
    history.end(history.begin("push 1", push(1)), .nothing)
    history.end(history.begin("push 2", push(2)), .nothing)
    history.end(history.begin("pop", pop), ModelResult(Optional(1)))
    history.end(open, .nothing)

    #expect(history.difference?.expected == ["Optional(2)", "Optional(3)"])
    #expect(history.difference?.overlapping == ["push 3", "push 1", "push 2", "pop"])
  }

  @Test(arguments: [[], [1], [2]]) func `an operation that never ends may have taken effect`(
    values: [Int]
  ) {
    var history = History(StackModel())
    _ = history.begin("push 1", push(1))
    history.observe(["values"], ["\(values)"], after: "push 1") { ["\($0.values)"] }

    #expect((history.difference == nil) == (values != [2]))
  }

  @Test func `an effect that was seen stays`() {
    var history = History(StackModel())
    _ = history.begin("push 1", push(1))
    history.observe(["values"], ["[1]"], after: "push 1") { ["\($0.values)"] }
    history.observe(["values"], ["[]"], after: "wait") { ["\($0.values)"] }

    #expect(history.difference?.expected == ["[1]"])
  }

  @Test func `too many orders are undecided`() {
    var history = History(StackModel())
    let numbers = (0..<12).map { history.begin("push \($0)", push($0)) }
    history.end(numbers[11], ModelResult("another result"))

    #expect(history.isUndecided)
    #expect(history.difference == nil)
  }

  @Test func `values with equal descriptions differ`() {
    var history = History(StackModel())
    history.end(history.begin("read", { _ in ModelResult("1") }), ModelResult(1))

    #expect(history.difference?.isFirst == true)
  }

  @Test func `a difference names the values of both sides`() {
    var history = History(StackModel())
    let open = history.begin("push 1", push(1))
    history.end(history.begin("pop", pop), ModelResult(Optional(3)))
    _ = open
    let violation = history.difference.map { Violation(.matchesModel, .model(.differs($0))) }

    #expect(
      violation?.what
        == "'pop': the reference model says nil or Optional(1), the code Optional(3); no order of 'push 1', 'pop' explains it; no operation was compared before: check that the reference model begins in the state of the code"
    )
  }
}
