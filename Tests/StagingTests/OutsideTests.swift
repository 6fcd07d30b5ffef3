import Foundation
import Staging
import Synchronization
import Testing

@Suite struct OutsideTests {
  private let stage = Stage()
  private let log = Log()

  @Test func `a task that another thread resumes returns to its stage`() throws {
    try stage.run { [stage, log] in
      await stage.outside { await resumedByForeignThread() }
      log("\(stage.isCurrent) at \(stage.now)")
    }
    #expect(log.lines == ["true at 0s"])
  }

  @Test func `main-actor tasks, actors and detached tasks return to their stage, too`() throws {
    actor Caller {
      func call(_ stage: Stage) async -> Bool {
        await stage.outside { await resumedByForeignThread() }
        return stage.isCurrent
      }
    }
    try stage.run { [stage, log] in
      log("actor \(await Caller().call(stage))")
      await Task { @MainActor in
        await stage.outside { await resumedByForeignThread() }
        MainActor.assertIsolated()
        log("main actor \(stage.isCurrent)")
      }.value
      await Task.detached {
        await stage.outside { await resumedByForeignThread() }
        log("detached \(stage.isCurrent)")
      }.value
    }
    #expect(log.lines == ["actor true", "main actor true", "detached true"])
  }

  @Test func `another thread's answer finds its stage even if the stage did not expect it`() throws
  {
    let doors = [Door(), Door(), Door()]
    stage.enter {
      Task { [stage, log] in
        await doors[0].wait()
        log("task \(stage.isCurrent)")
      }
      Task { @MainActor [stage, log] in
        await doors[1].wait()
        MainActor.assertIsolated()
        log("main actor \(stage.isCurrent)")
      }
      Task.detached { [stage, log] in
        await doors[2].wait()
        log("detached \(stage.isCurrent)")
      }
    }
    #expect(stage.runReady() == .idle)
    for (index, door) in doors.enumerated() {
      let descriptor = stage.wakeDescriptor
      Thread.detachNewThread { door.open() }
      // The descriptor may be readable without a message.
      while log.lines.count == index {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 60_000) == 1)
        #expect(stage.settle() == .idle)
      }
    }
    #expect(log.lines == ["task true", "main actor true", "detached true"])
  }

  @Test func `virtual time stands still while an operation is in flight`() {
    let door = Door()
    stage.enter {
      Task { [stage, log] in
        await stage.outside {
          Thread.detachNewThread { door.open() }
          await door.wait()
        }
        log("answered at \(stage.now)")
      }
      Task { [stage, log] in
        try await Task.sleep(for: .seconds(1))
        log("slept until \(stage.now)")
      }
    }
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["answered at 0s", "slept until 1s"])
  }

  @Test func `a host that follows real time does not wait`() {
    let door = Door()
    stage.enter {
      _ = Task { [stage, log] in
        await stage.outside { await door.wait() }
        log("answered at \(stage.now)")
      }
    }
    #expect(stage.runReady() == .idle)
    #expect(stage.pending.outsideOperations == 1)
    #expect(stage.advance(by: .seconds(1), waitingForOutside: false) == .reached)
    stage.enter { door.open() }
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["answered at 1s"])
  }

  @Test func `an interruption ends the wait for an answer that never comes`() {
    let door = Door()
    stage.enter { _ = Task { [stage] in await stage.outside { await door.wait() } } }
    stage.runReady()
    Thread.detachNewThread { [stage] in stage.interrupt() }
    #expect(stage.settle() == .interrupted)
    stage.enter { door.open() }
    #expect(stage.settle() == .idle)
  }

  @Test func `a thousand answers from four threads all arrive, and none twice`() throws {
    let queue = Queue()
    for thread in 0..<4 {
      Thread.detachNewThread {
        while queue.answered.load(ordering: .relaxed) < 1000 {
          queue.answerOne(thread)
          sched_yield()
        }
      }
    }
    try stage.run { [stage] in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<1000 {
          group.addTask {
            _ = await stage.outside { await queue.ask() }
            if stage.isCurrent { queue.answered.wrappingAdd(1, ordering: .relaxed) }
          }
        }
      }
    }
    #expect(queue.answered.load(ordering: .relaxed) == 1000)
  }

  @Test func `outside returns results and rethrows errors`() throws {
    struct Refused: Error {}
    try stage.run { [stage, log] in
      log("\(await stage.outside { 42 })")
      do { try await stage.outside { throw Refused() } } catch { log("\(error)") }
    }
    #expect(log.lines == ["42", "Refused()"])
    #expect(stage.pending.outsideOperations == 0)
  }
}

/// Requests that other threads answer.
private final class Queue: Sendable {
  let answered = Atomic<Int>(0)
  private let waiting = Mutex<[CheckedContinuation<Int, Never>]>([])

  func ask() async -> Int {
    await withCheckedContinuation { question in waiting.withLock { $0.append(question) } }
  }

  func answerOne(_ answer: Int) {
    waiting.withLock { $0.popLast() }?.resume(returning: answer)
  }
}
