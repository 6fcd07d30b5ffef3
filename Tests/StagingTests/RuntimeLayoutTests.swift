import Foundation
import Testing

@testable import Staging

/// The layouts of the runtime that stages read, which `CRuntimeLayout.h` lists. Each test fails if a toolchain has another
/// layout.
@MainActor @Suite struct RuntimeLayoutTests {
  @Test func `the layout of tasks, their status and their names is known`() {
    #expect(TaskLayout.isKnown)
  }

  @Test func `the free words of tasks are free`() { #expect(TaskStream.isKept) }

  @Test func `the layout of checked continuations and of classes is known`() {
    #expect(TaskLayout.knowsContinuations)
  }

  @Test func `the layout of streams is known`() { #expect(TaskLayout.knowsStreams) }

  @Test func `the layout of actors and of their messages is known`() {
    #expect(Runtime.canKeepHopsApart)
  }

  /// Returns the reports of a task that runs `body`.
  private func waiting(_ body: @escaping @MainActor () async -> Void) -> [WaitingTask] {
    let stage = Stage()
    stage.keepTasks()
    stage.enter { _ = Task { await body() } }
    _ = stage.settle()
    return stage.waitingTasks()?.tasks ?? []
  }

  @Test func `the layout of child tasks and of what tasks wait for is known`() {
    let tasks = waiting {
      async let first: Void = Self.waitForever()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await Self.waitForever() }
        group.addTask {}
      }
      await first
    }
    #expect(tasks.map(\.children.count) == [2])
    #expect(tasks.map(\.reason) == [.children(.groupEnd("withTaskGroup()"))])
    #expect(tasks.first?.children.map(\.reason) == [.continuation, .continuation])
  }

  @concurrent private static func waitForever() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test func `only one file has the layout of the runtime's objects`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    var readers: [String] = []
    for folder in ["Staging", "Exploring", "CVirtualTime"] {
      let files = FileManager.default.enumerator(atPath: sources.appending(path: folder).path)
      for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
        let text = try String(
          contentsOf: sources.appending(path: "\(folder)/\(file)"),
          encoding: .utf8
        )
        if text.contains("omByteOffset:") || text.contains("toByteOffset:") { readers.append(file) }
      }
    }
    // One reads the object of a Dispatch block, whose layout is public, and the other a copy of an actor's fields, whose
    // offsets the runtime gives.
    #expect(readers.sorted() == ["Queue/StepText.swift", "Runtime/WaitHistory.swift"])
  }
}
