#if os(Linux)
import Dispatch
import Foundation
import Staging
import Testing

/// Work that code on a stage gives to threads, files and run loops that the stage does not run.
@Suite struct SubmissionTests {
  private final class Model {
    func refresh() { Thread.detachNewThread {} }
    static let refreshLine = #line - 1

    func refreshLater() async {
      await Task.yield()
      Thread.detachNewThread {}
    }
    static let laterLine = #line - 2
  }

  @Test func `a thread is reported, with the function that starts it`() throws {
    let stage = Stage()
    try stage.run {
      Model().refresh()
      await Model().refreshLater()
      for _ in 0..<3 { Model().refresh() }
    }

    let submissions = stage.takeSubmissions().map(\.description)
    #expect(
      submissions == [
        "Thread in SubmissionTests.Model.refresh() at SubmissionTests.swift:\(Model.refreshLine)",
        "Thread in SubmissionTests.Model.refreshLater() at SubmissionTests.swift:\(Model.laterLine)",
      ]
    )
    #expect(stage.takeSubmissions().isEmpty)
  }

  /// Open as long as the process: a file must not be closed while a source or a read still waits for it.
  private static let pipe = Pipe()

  private func calls(_ body: @escaping @Sendable () -> Void) throws -> [String] {
    let stage = Stage()
    try stage.run { body() }
    return stage.takeSubmissions().map(\.call)
  }

  @Test func `work for queues and run loops is not noted, since the stage runs it`() throws {
    let queue = DispatchQueue(label: "own")
    #expect(
      try calls {
        queue.async {}
        queue.async(flags: .barrier) {}
        queue.async(execute: DispatchWorkItem {})
        queue.async(group: DispatchGroup()) {}
        queue.asyncAfter(deadline: .now()) {}
        DispatchGroup().notify(queue: .main) {}
        OperationQueue().addOperation {}
        RunLoop.main.perform {}
        RunLoop.main.perform(inModes: [.default]) {}
        DispatchQueue.concurrentPerform(iterations: 2) { _ in }
      } == []
    )
  }

  @Test func `the clock of C11 shows virtual time`() throws {
    #if canImport(Glibc)
    try Stage().run {
      // Seconds and nanoseconds.
      func now() -> Int {
        var words = [0, 0]
        words.withUnsafeMutableBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          _ = timespec_get(start.assumingMemoryBound(to: timespec.self), TIME_UTC)
        }
        return words[0]
      }
      let start = now()
      try await Task.sleep(for: .seconds(3600))
      #expect(now() - start == 3600)
    }
    #endif
  }

  @Test func `a timer of C, and one in another mode of a run loop, are noted`() throws {
    #if canImport(Glibc)
    let calls = try calls {
      var timer: timer_t?
      var event = sigevent()
      event.sigev_notify = Int32(SIGEV_NONE)
      #expect(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
      if let timer { timer_delete(timer) }
      let usual = Timer(timeInterval: 1, repeats: false) { _ in }
      RunLoop.main.add(usual, forMode: .common)
      let other = Timer(timeInterval: 1, repeats: false) { _ in Issue.record("it fires") }
      RunLoop.main.add(other, forMode: RunLoop.Mode("editing"))
    }
    // The run loop of the system sets it, too.
    #expect(calls == ["timer_create", "a timer in another mode of a RunLoop", "Timer"])
    #endif
  }

  @Test func `alternating calls hide no other call`() throws {
    let file = Self.pipe.fileHandleForReading.fileDescriptor
    let calls = try calls {
      for _ in 0..<100 {
        Thread.detachNewThread {}
        DispatchSource.makeReadSource(fileDescriptor: file).activate()
      }
    }
    #expect(calls == ["Thread", "DispatchSource"])
  }

  @Test func `work for the run loop of a background queue is noted`() throws {
    #expect(
      try calls { DispatchQueue.global().async { RunLoop.current.perform {} } } == [
        "RunLoop.perform on the run loop of a background queue, which virtual time does not run,"
      ]
    )
  }

  @Test func `an observer of a run loop is noted`() throws {
    let calls = try calls {
      NotificationQueue.default.enqueue(Notification(name: .init("saved")), postingStyle: .whenIdle)
    }
    #expect(calls == ["NotificationQueue or another observer of a run loop"])
  }

  @Test func `work for a file or a signal is noted`() throws {
    let reader = Self.pipe.fileHandleForReading
    let file = reader.fileDescriptor
    #expect(
      try calls {
        let source = DispatchSource.makeReadSource(fileDescriptor: file)
        source.activate()
        source.cancel()
      } == ["DispatchSource"]
    )
    #expect(
      try calls {
        reader.readabilityHandler = { _ in }
        reader.readabilityHandler = nil
      }.contains("DispatchSource")
    )
    #expect(
      try calls {
        DispatchIO.read(fromFileDescriptor: file, maxLength: 1, runningHandlerOn: .global()) {
          _,
          _ in
        }
      } == ["DispatchIO.read"]
    )
  }

  @Test func `work outside of a stage is not noted`() async throws {
    let stage = Stage()
    Thread.detachNewThread {}
    try stage.run { Stage.withoutStage { Thread.detachNewThread {} } }

    #expect(stage.takeSubmissions().isEmpty)
  }

  @Test(arguments: [
    ("$s3App5ModelC7refreshyyF", false),
    ("$s3App5ModelC7refreshyyFyycfU_", false),
    (
      "$s11OpenCombine10PublishersO9ReceiveOnV5Inner33_0123456789ABCDEF0123456789ABCDEFLLC7receiveyyF",
      true
    ),
    ("$s9Pipelines14OrderedSubjectC4sendyyxF", true),
    ("$sSo17OS_dispatch_queueC19OpenCombineDispatchE9OCombineV8schedule7options_y", true),
    ("$sIeg_IyB_TR", true),
    ("$sytIeAgHr_IeAgH_TRTA", true),
  ])
  func `operators and thunks are skipped for the function that calls them`(
    symbol: String,
    isOfLibrary: Bool
  ) {
    #expect(SymbolName.isOfLibrary(symbol) == isOfLibrary)
  }

  @Test(arguments: [
    ("App.Model.refresh() -> ()", "Model.refresh()"),
    ("generic specialization <() -> ()> of App.Model.load<A>(A) -> ()", "Model.load()"),
    (
      "(1) suspend resume partial function for function signature specialization <Arg[0] = Dead> of generic specialization <Swift.Int> of closure #1 () -> () in static App.Model.load<A>(A) -> ()",
      "Model.load()"
    ),
    ("merged generic specialization <Swift.Int> of App.Model.load<A>() -> ()", "Model.load()"),
    (
      "function signature specialization <Arg[1] = [Constant Propagated Function : static Swift.Int.< infix(Swift.Int, Swift.Int) -> Swift.Bool]> of App.Model.sort() -> ()",
      "Model.sort()"
    ),
    ("closure #1 () -> () in App.Model.refresh(every: Swift.Int) -> ()", "Model.refresh()"),
    ("(2) await resume partial function for App.load(App.Key) async -> ()", "load()"),
    (
      "(1) suspend resume partial function for closure #2 @Sendable () async -> () in App.Model.value.getter : Swift.Int",
      "Model.value.getter"
    ),
    ("App.(Model in _E3F).(load in _E3F)(Swift.Int) -> ()", "Model.load()"),
    ("(extension in App):Swift.Array.load<A where A: App.P>(A) -> ()", "Array.load()"),
    ("static App.Model.make() -> App.Model", "Model.make()"),
    ("load #1 (_: Swift.Int) -> () in App.Model.refresh() -> ()", "load()"),
    ("closure #1 () -> () in load #2 () -> () in closure #1 () -> () in App.run() -> ()", "run()"),
  ])
  func `a function has a short name`(demangled: String, name: String) {
    #expect(SymbolName.short(demangled: demangled) == name)
  }
}
#endif
