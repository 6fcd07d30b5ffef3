import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing

@MainActor @Suite struct FailureCauseTests {
  @MainActor private final class Screen {
    var shown = ""
    func show(_ text: String) { shown = text }
  }

  private func cause(_ body: @escaping @MainActor (ExploredRun) async throws -> Void) throws
    -> String?
  {
    let findings = Exploration.explore(.init(.exhaustive), leavesNothing: false) {
      try await body($0)
    }
    let failure = try #require(findings.failures.first)
    return FailureCause(of: failure.schedule) { scheduler in
      Scenario(limit: 1_000, leavesNothing: false, body: body).play(scheduler)
        .violation(of: failure.check) != nil
    }?.text
  }

  @Test func `two tasks in the wrong order are the cause, not a third one between them`() throws {
    let line = #line + 4
    let text = try cause { run in
      let screen = Screen()
      // In the default schedule, they run in this order.
      Task { screen.show("old") }
      Task {
        screen.show("")
        screen.shown = "other"
      }
      Task { screen.show("new") }
      await run.settle()
      run.check(screen.shown != "old", "the old value is not shown")
    }
    #if DEBUG
    #expect(
      text == """
        the task created at FailureCauseTests.swift:\(line + 5) (task 4) ran before \
        the task created at FailureCauseTests.swift:\(line) (task 2); in the other order the nearest run passes
        """
    )
    #else
    #expect(text != nil)
    #endif
  }

  @Test func `the functions that continue are named with their lines`() throws {
    let line = #line + 6
    let text = try cause { run in
      let screen = Screen()
      // The tasks start one second apart, so that only the order of their ends can differ.
      for (text, delay) in [("old", 2), ("new", 1)] {
        Task {
          try await Task.sleep(for: .seconds(delay))
          screen.show(text)
        }
        try await Task.sleep(for: .seconds(1))
      }
      await run.settle()
      run.check(screen.shown == "new", "the new value is shown")
    }
    #if DEBUG
    // The line after the sleep writes the value.
    let file = "FailureCauseTests.swift"
    let place = " at \(file):\(line) (next line: \(file):\(line + 1))"
    #expect(text?.contains("\(place) (task 3) ran before ") == true, "\(text ?? "nil")")
    #expect(text?.contains("\(place) (task 2), so ") == true, "\(text ?? "nil")")
    #else
    #expect(text != nil)
    #endif
  }

  @Test func `a value is the cause, with the value of a run that passes`() throws {
    let line = #line + 2
    let text = try cause { run in
      let delay = run.choose([1, 2, 3])
      run.check(delay < 3, "in time")
    }
    #expect(
      text == "'choose' at FailureCauseTests.swift:\(line) is 3; with 2 the nearest run passes"
    )
  }

  @Test func `the actual value of the check in the run that passes is named`() throws {
    let text = try cause { run in
      let delay = run.choose([1, 2, 3])
      run.check(delay > 0, "positive", "\(-delay)")
      run.check(delay < 3, "in time", "after \(delay)")
    }
    #expect(text?.hasSuffix(" is 3; with 2 the nearest run passes (there: after 2)") == true)
  }

  @Test func `an order names the last steps whose order it changes, too`() throws {
    let text = try cause { run in
      let screen = Screen()
      for name in ["old", "new"] {
        Task(name: name) {
          try await Task.sleep(for: .seconds(1))
          screen.show(name)
        }
      }
      await run.settle()
      run.check(screen.shown == "new", "the new value is shown", screen.shown)
    }
    #if DEBUG
    let parts = text?.components(separatedBy: ", so ") ?? []
    #expect(parts.count == 2)
    let order = "'new' began before 'old' (both created at FailureCauseTests.swift:"
    #expect(parts.first?.hasPrefix(order) == true, "\(parts)")
    #expect(parts.last?.hasPrefix("'new' ran closure in FailureCauseTests.") == true)
    #expect(parts.last?.contains(" before 'old' did; in the ") == true)
    #endif
    #expect(text?.hasSuffix("; in the other order the nearest run passes (there: new)") == true)
  }

  @Test func `the values that a run chose are listed once`() throws {
    let line = #line + 4
    func explanation(_ count: Int) throws -> [String] {
      let body: @MainActor (ExploredRun) -> Void = { run in
        let values = (0..<count).map { _ in
          run.choose([Duration.zero, .seconds(2)], named: "logout")
        }
        run.check(values.contains(.zero), "in time")
      }
      let findings = Exploration.explore(.init(.exhaustive), leavesNothing: false) { body($0) }
      let failure = try #require(findings.failures.first)
      return FailureExplanation(of: failure.schedule) { scheduler in
        Scenario(limit: 1_000, leavesNothing: false) { body($0) }.play(scheduler).failure != nil
      }.lines
    }
    let value = "logout (FailureCauseTests.swift:\(line)) is 2s"
    let cause = "cause: \(value); with 0s the nearest run passes"
    #expect(try explanation(1) == [cause])
    #expect(try explanation(2) == [cause, "values: \(value), \(value)"])
  }

  @Test func `child tasks of one function are told apart by the places that created them`() throws {
    let line = #line + 3
    let text = try cause { run in
      let screen = Screen()
      async let first: Void = screen.show("old")
      async let second: Void = screen.show("new")
      _ = await (first, second)
      run.check(screen.shown == "new", "the new value is shown")
    }
    #if DEBUG
    let places = (line...line + 1).map { "the child task created at FailureCauseTests.swift:\($0)" }
    #expect(
      text?.hasPrefix("\(places[1]) ran before \(places[0]), so ") == true,
      "\(text ?? "nil")"
    )
    #else
    #expect(text != nil)
    #endif
  }

  @Test func `a task that only the run that passes creates is named`() throws {
    let line = #line + 4
    let text = try cause { run in
      let screen = Screen()
      @MainActor func show(_ text: String) {
        if screen.shown.isEmpty { Task(name: text) { screen.show(text) } }
      }
      show("old")
      if run.choose([true, false], named: "waits") { await run.settle() }
      screen.shown = ""
      if run.choose([true, false], named: "shows") { show("new") }
      await run.settle()
      run.check(screen.shown == "new", "the new value is shown")
    }
    #if DEBUG
    #expect(
      text?.contains("; only the passing run has a task created in show() at ") == true,
      "\(text ?? "nil")"
    )
    #expect(
      text?.contains(" at FailureCauseTests.swift:\(line), called in ") == true,
      "\(text ?? "nil")"
    )
    #endif
  }

  @Test func `tasks of one function are told apart`() throws {
    let text = try cause { run in
      let screen = Screen()
      for number in 1...2 { Task(name: "\(number)") { screen.show("\(number)") } }
      await run.settle()
      run.check(screen.shown == "2", "the last one is shown")
    }
    #if DEBUG
    #expect(
      text?.hasPrefix("'2' began before '1' (both created at FailureCauseTests.swift:") == true
    )
    #else
    #expect(text?.contains("('2') ran before ") == true)
    #endif
    #expect(text?.hasSuffix("; in the other order the nearest run passes") == true)
  }

  @Test func `a failure of the default schedule has the order that passes as its cause`() throws {
    let text = try cause { run in
      let screen = Screen()
      Task(name: "early") { screen.show("early") }
      Task(name: "late") { screen.show("late") }
      await run.settle()
      run.check(screen.shown == "early", "the early one is last")
    }
    let order = try #require(text?.split(separator: " before ").map(String.init))
    #expect(order.count == 2 && order[0].contains("'early'") && order[1].contains("'late'"))
    #expect(text?.hasSuffix("; in the other order the nearest run passes") == true)
  }

  @Test func `a value of the default schedule is a cause`() throws {
    let text = try cause { run in run.check(run.choose([0, 7]) == 7, "it is 7") }
    #expect(text?.contains(" is 0; with 7 the nearest run passes") == true, "\(text ?? "")")
  }

  @Test func `a failure of all schedules has no cause`() throws {
    let text = try cause { run in
      for number in 0..<3 { Task { run.note("\(number)") } }
      await run.settle()
      run.check(false, "never")
    }
    #expect(text == nil)
  }

  @Test func `blocks of Dispatch queues are named by their queue or function`() throws {
    let text = try cause { run in
      let screen = Screen()
      DispatchQueue.main.async { screen.show("block") }
      Task { screen.show("task") }
      await run.settle()
      run.check(screen.shown == "task", "the task is last")
    }
    #if DEBUG
    #expect(text?.contains(" ran before closure in ") == true, "\(text ?? "")")
    #else
    #expect(text?.contains(" ran before a block on DispatchQueue.main") == true)
    #endif
  }

  #if DEBUG
  @Test func `blocks of a concurrent queue are told apart by their lines`() throws {
    let line = #line
    let text = try cause { run in
      let shown = Mutex(0)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { shown.withLock { $0 = 1 } }
      DispatchQueue.global().async(group: group) { shown.withLock { $0 = 2 } }
      await withCheckedContinuation { ready in group.notify(queue: .main) { ready.resume() } }
      run.check(shown.withLock(\.self) == 2, "the second one is last")
    }
    let blocks = [line + 4, line + 5].map { "FailureCauseTests.swift:\($0)" }
    let order = try #require(text?.split(separator: " ran before ").map(String.init))
    #expect(order.count == 2 && order[0].contains(blocks[1]) && order[1].contains(blocks[0]))
  }
  #endif
}
