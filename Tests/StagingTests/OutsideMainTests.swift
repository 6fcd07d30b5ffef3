#if os(Linux) && canImport(Glibc)
import Dispatch
import Foundation
import Staging
import Testing

/// Work that a thread outside of the stage, which code of the stage has started, gives to the main queue, the main run loop
/// or the main actor.
@Suite struct OutsideMainTests {
  private let stage = Stage()
  private let log = Log()

  /// Where the code runs: on the stage as main-actor code, or elsewhere.
  private func note(_ text: String) {
    let isOnStage = stage.isCurrent && Thread.isMainThread
    log("\(stage.now) \(text)\(isOnStage ? "" : " elsewhere")")
  }

  /// Starts a thread on the stage, and drives the stage until a number of lines is logged.
  private func lines(_ count: Int, _ body: @escaping @Sendable () -> Void) throws -> [String] {
    try linesOfStage(count) { Thread.detachNewThread(body) }
  }

  /// Calls code on the stage, and drives the stage until a number of lines is logged.
  private func linesOfStage(_ count: Int, _ body: @MainActor () -> Void) throws -> [String] {
    let descriptor = stage.wakeDescriptor
    stage.enter(body)
    while log.lines.count < count {
      #expect(stage.settle() == .idle)
      if log.lines.count >= count { break }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&entry, 1, 10_000) == 1)
    }
    return log.lines
  }

  private var calls: [String] { stage.takeSubmissions().map(\.call) }

  private func giveToMainQueue() { DispatchQueue.main.async { note("block") } }
  private static let lineOfGiving = #line - 1

  @Test func `a block for the main queue runs on the stage, and is named with its place`() throws {
    #expect(try lines(1) { giveToMainQueue() } == ["0s block"])
    #expect(
      stage.takeSubmissions().dropFirst().map(\.description) == [
        """
        DispatchQueue.main.async by another thread in OutsideMainTests.giveToMainQueue() \
        at OutsideMainTests.swift:\(Self.lineOfGiving)
        """
      ]
    )
  }

  @Test func `blocks keep their order, and their deadlines are in virtual time`() throws {
    let lines = try lines(4) {
      DispatchQueue.main.async { note("first") }
      DispatchQueue.main.asyncAfter(deadline: .now() - 1) { note("second") }
      DispatchQueue(label: "own", target: .main).async { note("third") }
      DispatchQueue.main.asyncAfter(deadline: .now() + 3600) { note("hour") }
    }
    #expect(lines.prefix(3) == ["0s first", "0s second", "0s third"])
    // The thread read the real clock, so the deadline is some moment before the hour.
    #expect(lines[3].hasSuffix(" hour"))
    #expect(stage.now.elapsed > .seconds(3590) && stage.now.elapsed <= .seconds(3600))
  }

  @Test func `sync of the main queue waits for the stage`() throws {
    let lines = try lines(2) {
      let value = DispatchQueue.main.sync {
        note("inside")
        return 7
      }
      DispatchQueue.main.async { note("\(value)") }
    }
    #expect(lines == ["0s inside", "0s 7"])
  }

  @Test func `a group leaves after its block, and notifies on the stage`() throws {
    let lines = try lines(2) {
      let group = DispatchGroup()
      DispatchQueue.main.async(group: group) { note("block") }
      group.notify(queue: .main) { note("notified") }
    }
    #expect(lines == ["0s block", "0s notified"])
  }

  @Test func `work for the main run loop runs on the stage`() throws {
    let lines = try lines(3) {
      RunLoop.main.perform { note("perform") }
      OperationQueue.main.addOperation { note("operation") }
      let timer = Timer(timeInterval: 3600, repeats: false) { _ in note("timer") }
      timer.fireDate = Date() + 3600
      RunLoop.main.add(timer, forMode: .default)
    }
    #expect(lines.prefix(2) == ["0s perform", "0s operation"])
    #expect(lines[2].hasSuffix(" timer"))
    #expect(stage.now.elapsed > .seconds(3590))
    #expect(
      calls == [
        "Thread", "RunLoop.main.perform by another thread",
        "DispatchQueue.main.async by another thread",
        "Timer on the main run loop by another thread",
      ]
    )
  }

  @Test func `tasks of such a thread run on the stage`() throws {
    let lines = try lines(2) {
      Task { @MainActor in note("main actor") }
      Task {
        try await Task.sleep(for: .seconds(1))
        await MainActor.run { note("slept") }
      }
    }
    #expect(lines == ["0s main actor", "1s slept"])
    #expect(calls == ["Thread", "Task by another thread", "Task by another thread"])
  }

  @Test func `a thread that such a thread starts belongs to the stage, too`() throws {
    let lines = try lines(1) {
      Thread.detachNewThread { DispatchQueue.main.async { note("block") } }
    }
    #expect(lines == ["0s block"])
  }

  // MARK: Threads of Dispatch

  /// A pipe with one byte.
  private func filledPipe() -> Pipe {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data([1]))
    return pipe
  }

  @Test func `a handler of DispatchIO gives its work to the stage that has called it`() throws {
    let pipe = filledPipe()
    let lines = try linesOfStage(1) {
      DispatchIO.read(
        fromFileDescriptor: pipe.fileHandleForReading.fileDescriptor,
        maxLength: 1,
        runningHandlerOn: .global()
      ) { @Sendable data, error in
        let text = "\(data.count) byte, error \(error)"
        DispatchQueue.main.async { note(text) }
      }
    }
    #expect(lines == ["0s 1 byte, error 0"])
    #expect(calls == ["DispatchIO.read", "DispatchQueue.main.async by another thread"])
  }

  @Test func `a handler of a source gives its work to the stage that has set it`() throws {
    let pipe = filledPipe()
    let lines = try linesOfStage(2) {
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        fileDescriptor: pipe.fileHandleForReading.fileDescriptor,
        queue: DispatchQueue(label: "own")
      )
      source.setEventHandler { @Sendable in
        _ = pipe.fileHandleForReading.availableData
        DispatchQueue.main.async { note("event") }
        source.cancel()
      }
      source.setCancelHandler { @Sendable in DispatchQueue.main.async { note("cancelled") } }
      source.resume()
    }
    #expect(lines == ["0s event", "0s cancelled"])
    #expect(
      calls == [
        "DispatchSource", "DispatchQueue.main.async by another thread",
        "DispatchQueue.main.async by another thread",
      ]
    )
  }

  @Test func `a handler that code of the stage gives to the main queue runs on the stage`() throws {
    let pipe = filledPipe()
    let other = filledPipe()
    let lines = try linesOfStage(2) {
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        fileDescriptor: pipe.fileHandleForReading.fileDescriptor,
        queue: .main
      )
      source.setEventHandler { @Sendable in
        note("event \(pipe.fileHandleForReading.availableData.count)")
        source.cancel()
      }
      source.resume()
      DispatchIO.read(
        fromFileDescriptor: other.fileHandleForReading.fileDescriptor,
        maxLength: 1,
        runningHandlerOn: DispatchQueue(label: "own", target: .main)
      ) { @Sendable data, error in
        note("\(data.count) byte, error \(error)")
      }
    }
    #expect(lines.sorted() == ["0s 1 byte, error 0", "0s event 1"])
    #expect(calls == ["DispatchSource", "DispatchIO.read", "a handler on DispatchQueue.main"])
  }

  @Test func `blocks that such a thread gives to other queues belong to the stage, too`() throws {
    let lines = try lines(5) {
      let queue = DispatchQueue(label: "serial")
      queue.async { DispatchQueue.main.async { note("async") } }
      queue.async(flags: .barrier) { DispatchQueue.main.async { note("barrier") } }
      let group = DispatchGroup()
      queue.async(group: group) { DispatchQueue.main.async { note("group") } }
      queue.sync {}
      group.notify(queue: queue) { DispatchQueue.main.async { note("notified") } }
      queue.sync {}
      queue.asyncAfter(deadline: .now()) {
        OperationQueue().addOperation { Task { @MainActor in note("operation") } }
      }
    }
    #expect(
      lines == ["0s async", "0s barrier", "0s group", "0s notified", "0s operation"]
    )
  }

  @Test
  func `a work item of such a thread keeps its cancellation, its barrier and its notification`()
    throws
  {
    let lines = try lines(3) {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let cancelled = DispatchWorkItem { DispatchQueue.main.async { note("cancelled") } }
      cancelled.cancel()
      queue.async(execute: cancelled)
      for _ in 0..<2 { queue.async { DispatchQueue.main.async { note("before") } } }
      let barrier = DispatchWorkItem(flags: .barrier) {
        DispatchQueue.main.async { note("barrier") }
      }
      queue.async(execute: barrier)
      barrier.wait()
    }
    #expect(lines == ["0s before", "0s before", "0s barrier"])
  }

  // MARK: Threads of no stage

  // Every stage of a process names such work, so each test has its own process.

  @Test func `a thread of code without a stage uses the main queue, and each stage names it`()
    async
  {
    await #expect(processExitsWith: .success) {
      let stages = [Stage(), Stage()]
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          DispatchQueue.main.async {
            if Stage.current == nil { done.resume() }
          }
        }
      }
      for stage in stages {
        stage.settle()
        let calls = stage.takeSubmissions().map(\.call)
        precondition(
          calls == ["DispatchQueue.main.async by a thread that may belong to this test"],
          "\(calls)"
        )
      }
    }
  }

  @Test func `after its end a stage takes no work, and an open stage names that of its threads`()
    async
  {
    await #expect(processExitsWith: .success) {
      let (ended, other) = (Stage(), Stage())
      let opened = DispatchSemaphore(value: 0)
      await withCheckedContinuation { done in
        ended.enter {
          Thread.detachNewThread {
            opened.wait()
            DispatchQueue.main.async {
              if Stage.current == nil { done.resume() }
            }
          }
        }
        ended.close()
        opened.signal()
      }
      other.settle()
      let calls = other.takeSubmissions().map(\.call)
      precondition(
        calls == ["DispatchQueue.main.async by a thread that may belong to this test"],
        "\(calls)"
      )
    }
  }

  @Test func `after its end a stage takes no work of its blocks, and no stage names it`() async {
    await #expect(processExitsWith: .success) {
      let (ended, other) = (Stage(), Stage())
      let begun = DispatchSemaphore(value: 0)
      let opened = DispatchSemaphore(value: 0)
      await withCheckedContinuation { done in
        ended.enter {
          Thread.detachNewThread {
            DispatchQueue.global().async {
              begun.signal()
              opened.wait()
              DispatchQueue.main.async {
                if Stage.current == nil { done.resume() }
              }
            }
          }
        }
        begun.wait()
        ended.close()
        opened.signal()
      }
      other.settle()
      precondition(other.takeSubmissions().isEmpty)
    }
  }

  @Test func `blocks and tasks of code without a stage use the main queue, and no stage names it`()
    async
  {
    await #expect(processExitsWith: .success) {
      let stages = [Stage(), Stage()]
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          OperationQueue().addOperation {
            DispatchQueue.main.async {
              if Stage.current == nil { done.resume() }
            }
          }
        }
      }
      await Task.detached { await MainActor.run { precondition(Stage.current == nil) } }.value
      for stage in stages {
        stage.settle()
        precondition(stage.takeSubmissions().isEmpty)
      }
    }
  }

  @Test func `the only open stage takes the work of a thread of unknown origin`() async {
    await #expect(processExitsWith: .success) {
      let stage = Stage()
      let descriptor = stage.wakeDescriptor
      OutsideMainTests.callOnUnknownThread {
        DispatchQueue.main.async {
          precondition(Stage.current?.isCurrent == true)
          exit(0)
        }
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      precondition(poll(&entry, 1, 10_000) == 1)
      stage.settle()
      exit(1)
    }
  }

  @Test func `several stages name the work of a thread of unknown origin`() async {
    await #expect(processExitsWith: .success) {
      let stages = [Stage(), Stage()]
      await withCheckedContinuation { done in
        OutsideMainTests.callOnUnknownThread {
          Task { @MainActor in if Stage.current == nil { done.resume() } }
        }
      }
      for stage in stages {
        stage.settle()
        let calls = stage.takeSubmissions().map(\.call)
        precondition(calls == ["Task by a thread that may belong to this test"], "\(calls)")
      }
    }
  }

  /// Calls a function by a function of libdispatch that is not replaced.
  static func callOnUnknownThread(_ body: @escaping @Sendable () -> Void) {
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
        @convention(c) (UnsafeMutableRawPointer?) -> Void
      ) -> Void
    let name = "dispatch_async_f"
    let submit = unsafeBitCast(dlsym(nil, name), to: Function.self)
    let get = unsafeBitCast(
      dlsym(nil, "dispatch_get_global_queue"),
      to: (@convention(c) (Int, UInt) -> UnsafeMutableRawPointer?).self
    )
    submit(get(0, 0), Unmanaged.passRetained(Body(body)).toOpaque()) { body in
      if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().body() }
    }
  }

  private final class Body: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
#endif
