#if os(Linux)
import Dispatch
import Foundation
import Staging
import Testing

/// Work that code on a stage gives to Dispatch and to run loops.
@Suite struct SubmissionTests {
  private final class Model {
    func refresh() { DispatchQueue.main.async {} }

    func refreshLater() async {
      await Task.yield()
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) {}
    }
  }

  @Test func `work for a queue is reported, with the function that submits it`() throws {
    let stage = Stage()
    try stage.run {
      Model().refresh()
      await Model().refreshLater()
      for _ in 0..<3 { Model().refresh() }
    }

    let submissions = stage.takeSubmissions().map(\.description)
    #expect(
      submissions == [
        "DispatchQueue.main.async in SubmissionTests.Model.refresh()",
        "DispatchQueue.global().asyncAfter in SubmissionTests.Model.refreshLater()",
      ]
    )
    #expect(stage.takeSubmissions().isEmpty)
  }

  @Test func `alternating calls hide no other call`() throws {
    let calls = try calls {
      for _ in 0..<600 {
        DispatchQueue.main.async {}
        DispatchQueue.global().async {}
      }
      DispatchQueue(label: "third").async {}
    }
    #expect(
      calls == [
        "DispatchQueue.main.async", "DispatchQueue.global().async",
        "DispatchQueue(label: \"third\").async",
      ]
    )
  }

  @Test func `more work than is kept is reported as such`() throws {
    let calls = try calls {
      for number in 1...1_001 { DispatchQueue(label: "\(number)").async {} }
    }
    #expect(calls.count == 1_001)
    #expect(calls.last == "more work than is kept")
  }

  @Test func `operation queues are one, whatever their addresses`() throws {
    #expect(
      try calls { for _ in 0..<3 { OperationQueue().addOperation {} } } == [
        "OperationQueue.async"
      ]
    )
  }

  private func calls(_ body: @escaping @Sendable () -> Void) throws -> [String] {
    let stage = Stage()
    try stage.run { body() }
    return stage.takeSubmissions().map(\.call)
  }

  @Test func `each way to a queue is noted once`() throws {
    let queue = DispatchQueue(label: "own")
    #expect(try calls { queue.async {} } == ["DispatchQueue(label: \"own\").async"])
    #expect(
      try calls { queue.async(flags: .barrier) {} } == ["DispatchQueue(label: \"own\").async"]
    )
    #expect(try calls { queue.async(execute: DispatchWorkItem {}) }.count == 1)
    #expect(try calls { queue.async(group: DispatchGroup()) {} }.count == 1)
    #expect(try calls { queue.asyncAfter(deadline: .now()) {} }.count == 1)
    #expect(
      try calls { DispatchGroup().notify(queue: .main) {} }
        == ["DispatchGroup.notify on DispatchQueue.main"]
    )
    #expect(try calls { OperationQueue().addOperation {} } == ["OperationQueue.async"])
    #expect(try calls { OperationQueue.main.addOperation {} } == ["DispatchQueue.main.async"])
    #expect(
      try calls {
        let source = DispatchSource.makeTimerSource()
        source.schedule(deadline: .now() + 60)
        source.activate()
        source.cancel()
      } == ["DispatchSource.makeTimerSource"]
    )
    #expect(try calls { queue.sync {} }.isEmpty)
  }

  @Test func `a timer is noted`() throws {
    let calls = try calls {
      let timer = Timer.scheduledTimer(withTimeInterval: 60, repeats: false) { _ in }
      timer.invalidate()
    }

    #expect(calls == ["Timer"])
  }

  @Test func `a thread and a block for a run loop are noted`() throws {
    #expect(try calls { Thread.detachNewThread {} } == ["Thread"])
    #expect(try calls { RunLoop.main.perform {} } == ["RunLoop.perform"])
    #expect(try calls { RunLoop.main.perform(inModes: [.default]) {} } == ["RunLoop.perform"])
  }

  @Test func `calls that wait for other threads are noted`() throws {
    #expect(
      try calls { DispatchQueue.concurrentPerform(iterations: 2) { _ in } } == [
        "DispatchQueue.concurrentPerform"
      ]
    )
    #expect(
      try calls {
        let timer = Timer(timeInterval: 60, repeats: false) { _ in }
        RunLoop.current.add(timer, forMode: .default)
        RunLoop.current.run(until: .distantPast)
        timer.invalidate()
      } == ["Timer", "RunLoop.run"]
    )
  }

  @Test func `work for a file or a signal is noted`() throws {
    let pipe = Pipe()
    let file = pipe.fileHandleForReading.fileDescriptor
    #expect(
      try calls {
        let source = DispatchSource.makeReadSource(fileDescriptor: file)
        source.activate()
        source.cancel()
      } == ["DispatchSource"]
    )
    #expect(
      try calls {
        pipe.fileHandleForReading.readabilityHandler = { _ in }
        pipe.fileHandleForReading.readabilityHandler = nil
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
    #expect(
      try calls {
        let item = DispatchWorkItem {}
        item.notify(queue: .global()) {}
        item.perform()
      } == ["DispatchWorkItem.notify on DispatchQueue.global()"]
    )
  }

  @Test func `work outside of a stage is not noted`() async throws {
    let stage = Stage()
    DispatchQueue.global().async {}
    try stage.run { Stage.withoutStage { DispatchQueue.global().async {} } }

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
    ("closure #1 () -> () in App.Model.refresh(every: Swift.Int) -> ()", "Model.refresh()"),
    ("(2) await resume partial function for App.load(App.Key) async -> ()", "load()"),
    (
      "(1) suspend resume partial function for closure #2 @Sendable () async -> () in App.Model.value.getter : Swift.Int",
      "Model.value.getter"
    ),
    ("App.(Model in _E3F).(load in _E3F)(Swift.Int) -> ()", "Model.load()"),
    ("(extension in App):Swift.Array.load<A where A: App.P>(A) -> ()", "Array.load()"),
    ("static App.Model.make() -> App.Model", "Model.make()"),
  ])
  func `a function has a short name`(demangled: String, name: String) {
    #expect(SymbolName.short(demangled: demangled) == name)
  }
}
#endif
