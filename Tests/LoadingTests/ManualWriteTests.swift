import Staging
import Testing

@testable import Loading

/// A class whose properties are written directly while they load.
@MainActor final class Editor: LoadableSupport, ProcessSupport {
  enum Action { case saving, deleting }

  var number: LoadableState<Double> = .absent
  var action: ProcessState<Action> = .idle
  /// Never above a hundred.
  var percentage: LoadableState<Int> = .absent {
    didSet { if let value = percentage.data, value > 100 { percentage = .loaded(100) } }
  }
  nonisolated let loadingPolicy: LoadingPolicy

  init(policy: LoadingPolicy = .latest) {
    loadingPolicy = policy
  }
}

@MainActor
@Suite struct ManualWriteTests {
  private let stage = Stage()
  private let editor = Editor()

  private func after<Value>(_ milliseconds: Int, _ value: Value) async throws -> Value {
    try await Task.sleep(for: .milliseconds(milliseconds))
    return value
  }

  private func settled(_ body: () -> Void) {
    stage.enter {
      body()
      #expect(stage.settle() == .idle)
    }
  }

  @Test func `a property that is written during a load keeps the written value`() {
    var observed: [String] = []
    editor.driver(of: \.number).observer = { observed.append(word(for: $0.change)) }
    settled {
      editor.load(\.number) { try await after(10, 1) }
      editor.number = .loaded(9)
    }
    #expect(editor.number == .loaded(9))
    #expect(observed == ["start #1", "assigned over #1", "#1 returned 1.0, dropped"])
  }

  @Test func `a process whose property is written ends, too`() {
    settled {
      editor.run(\.action, as: .saving) { try await after(10, ()) }
      editor.action = .running(.deleting)
    }
    #expect(editor.action.isRunning(.deleting))
  }

  @Test func `the task is cancelled as soon as the driver is used`() {
    var end: Duration?
    settled {
      editor.load(\.number) {
        defer { end = stage.now.elapsed }
        return try await after(10, 1)
      }
      stage.advance(by: .milliseconds(5))
      editor.number = .absent
      #expect(editor.driver(of: \.number).snapshot.attempt == nil)
    }
    #expect(end == .milliseconds(5))
    #expect(editor.number == .absent)
  }

  @Test func `a yield after a direct write is dropped`() {
    settled {
      editor.load(\.number) { yield in
        yield(.loaded(1))
        editor.number = .loaded(9)
        yield(.loaded(2))
      }
    }
    #expect(editor.number == .loaded(9))
  }

  @Test func `a silent load is cancelled by a write of another value, not of the same one`() {
    editor.number = .loaded(.nan)
    settled { editor.load(\.number, silently: true) { try await after(10, 1) } }
    #expect(editor.number == .loaded(1))
    settled {
      editor.load(\.number, silently: true) { try await after(10, 2) }
      editor.number = .loaded(1)
    }
    #expect(editor.number == .loaded(2))
    settled {
      editor.load(\.number, silently: true) { try await after(10, 3) }
      editor.number = .loaded(9)
    }
    #expect(editor.number == .loaded(9))
  }

  @Test func `a property that corrects a yielded value does not cancel the load`() {
    settled {
      editor.load(\.percentage) { yield in
        yield(.loaded(120))
        yield(.loaded(try await after(10, 50)))
      }
    }
    #expect(editor.percentage == .loaded(50))
  }

  @Test func `in Processed the load continues and overwrites`() {
    let editor = Editor(policy: .processed)
    settled {
      editor.load(\.number) { try await after(10, 1) }
      editor.number = .loaded(9)
    }
    #expect(editor.number == .loaded(1))
  }
}
