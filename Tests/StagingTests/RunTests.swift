import Foundation
import Staging
import Testing

/// `Stage.run` returns the result of its body, or throws.
@Suite struct RunTests {
  private let stage = Stage()

  @Test func `the value of the body is returned`() throws {
    let value = try stage.run {
      try await Task.sleep(for: .seconds(3600))
      return 7
    }
    #expect(value == 7)
    #expect(stage.now.elapsed == .seconds(3600))
  }

  @Test func `the error of the body is thrown`() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try stage.run { throw Failure() }
    }
  }

  @Test func `a body that waits forever is an error`() {
    let error = #expect(throws: Stage.Unfinished.self) {
      try stage.run {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(error?.stop == .idle)
    #expect(
      error.map { "\($0)" } == "nothing is left to do, and the body of 'run' still waits"
    )
  }

  @Test func `a body on the main actor that waits for another task is an error`() {
    let error = #expect(throws: Stage.Unfinished.self) {
      try stage.run { @MainActor in
        let endless = Task {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        await endless.value
      }
    }
    #expect(error?.stop == .idle)
  }

  @Test func `the error names work outside of virtual time`() {
    // The block runs on another thread, and never resumes the body.
    let error = #expect(throws: Stage.Unfinished.self) {
      try stage.run {
        Thread.detachNewThread {}
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(error.map { "\($0)" }?.contains("outside of virtual time, Thread") == true)
  }

  @Test func `work that never ends is an error, even if the body has ended`() {
    let error = #expect(throws: Stage.Unfinished.self) {
      try stage.run(limit: 100) { _ = Task { while true { await Task.yield() } } }
    }
    #expect(error?.stop.limit == .jobsAtOneInstant(100))
    stage.interrupt()
  }
}
