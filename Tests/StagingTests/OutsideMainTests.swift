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
    let descriptor = stage.wakeDescriptor
    stage.enter { Thread.detachNewThread(body) }
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

  @Test func `after its end a stage takes no work`() throws {
    let opened = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    stage.enter {
      Thread.detachNewThread {
        opened.wait()
        DispatchQueue.main.async {
          note("block")
          done.signal()
        }
      }
    }
    stage.close()
    opened.signal()
    done.wait()
    #expect(log.lines == ["0s block elsewhere"])
  }

  @Test func `threads of a test without a stage use the main queue of the process`() {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      DispatchQueue.main.async {
        note("block")
        done.signal()
      }
    }
    done.wait()
    #expect(log.lines == ["0s block elsewhere"])
  }
}
#endif
