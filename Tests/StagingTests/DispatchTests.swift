#if os(Linux)
import Dispatch
import Foundation
import Staging
import Testing

/// Dispatch, timers and run loops on a stage, in virtual time.
@Suite struct DispatchTests {
  private let stage = Stage()
  private let log = Log()

  private func note(_ text: String) {
    log("\(stage.now) \(text)\(Thread.isMainThread ? " main" : "")")
  }

  private func lines(_ body: @MainActor () -> Void) -> [String] {
    stage.enter(body)
    stage.settle()
    return log.lines
  }

  // MARK: Queues

  @Test func `a block on the main queue is main-actor code`() {
    let lines = lines {
      DispatchQueue.main.async { MainActor.assumeIsolated { note("block") } }
      Task { note("task") }
      DispatchQueue.main.async { note("block 2") }
    }
    #expect(lines == ["0s block main", "0s task main", "0s block 2 main"])
    #expect(stage.takeSubmissions().isEmpty)
  }

  @Test func `a later block waits in virtual time`() {
    let lines = lines {
      DispatchQueue.main.asyncAfter(deadline: .now() + 3600) { note("hour") }
      DispatchQueue.global().asyncAfter(wallDeadline: .now() + 2) { note("wall") }
      DispatchQueue.main.asyncAfter(deadline: .distantFuture) { note("never") }
      Task {
        try? await Task.sleep(for: .seconds(1))
        note("task")
      }
    }
    #expect(lines == ["1s task main", "2s wall", "3600s hour main"])
  }

  @Test func `time does not advance for a cancelled work item`() {
    let lines = lines {
      let item = DispatchWorkItem { note("cancelled") }
      DispatchQueue.main.asyncAfter(deadline: .now() + 5, execute: item)
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { note("one") }
      item.cancel()
    }
    #expect(lines == ["1s one main"])
    #expect(stage.now.elapsed == .seconds(1))
  }

  @Test func `a cancelled work item notifies at its deadline, and ends a wait for it`() {
    let lines = lines {
      let noted = DispatchWorkItem {}
      nonisolated(unsafe) let awaited = DispatchWorkItem {}
      DispatchQueue.main.asyncAfter(deadline: .now() + 5, execute: noted)
      noted.notify(queue: .main) { note("notified") }
      noted.cancel()
      DispatchQueue.global().asyncAfter(deadline: .now() + 7, execute: awaited)
      awaited.cancel()
      DispatchQueue.global().async { note("\(awaited.wait(timeout: .now() + 20))") }
    }
    #expect(lines == ["5s notified main", "7s success"])
  }

  @Test func `a global queue ignores a barrier`() {
    let lines = lines {
      DispatchQueue.global().async {
        Thread.sleep(forTimeInterval: 1)
        note("first")
      }
      DispatchQueue.global().async(flags: .barrier) { note("barrier") }
    }
    #expect(lines == ["0s barrier", "1s first"])
  }

  @Test func `blocks of a serial queue run in order, also by sync`() {
    let lines = lines {
      let queue = DispatchQueue(label: "serial")
      queue.async { note("a") }
      queue.async { note("b") }
      queue.sync { note("c") }
      queue.async { note("d") }
    }
    #expect(lines == ["0s a", "0s b", "0s c main", "0s d"])
  }

  @Test func `a barrier by sync excludes other blocks while it waits`() {
    let lines = lines {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.sync(flags: .barrier) {
        queue.async { note("after") }
        Thread.sleep(forTimeInterval: 1)
        note("barrier")
      }
    }
    #expect(lines == ["1s barrier main", "1s after"])
  }

  @Test func `a barrier waits for earlier blocks, and later ones wait for it`() {
    let lines = lines {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.async {
        Thread.sleep(forTimeInterval: 1)
        note("before")
      }
      queue.async(flags: .barrier) { note("barrier") }
      queue.async { note("after") }
      queue.async(execute: DispatchWorkItem(flags: .barrier) { @Sendable in note("barrier item") })
    }
    #expect(lines == ["1s before", "1s barrier", "1s after", "1s barrier item"])
  }

  @Test func `queues with one serial target do not overlap`() {
    let lines = lines {
      let target = DispatchQueue(label: "target")
      for name in ["a", "b"] {
        DispatchQueue(label: name, target: target).async {
          note("\(name) begins")
          Thread.sleep(forTimeInterval: 1)
          note("\(name) ends")
        }
      }
    }
    #expect(lines == ["0s a begins", "1s a ends", "1s b begins", "2s b ends"])
  }

  @Test func `a block of a concurrent queue that sleeps lets others run`() {
    let lines = lines {
      for name in ["a", "b"] {
        DispatchQueue.global().async {
          Thread.sleep(forTimeInterval: 1)
          note(name)
        }
      }
    }
    #expect(lines == ["1s a", "1s b"])
    #expect(stage.now.elapsed == .seconds(1))
  }

  @Test func `a queue that targets the main queue runs main-actor code`() {
    #expect(
      lines { DispatchQueue(label: "own", target: .main).async { note("block") } } == [
        "0s block main"
      ]
    )
  }

  @Test func `a suspended queue holds its blocks`() {
    let lines = lines {
      let queue = DispatchQueue(label: "suspended")
      queue.async { note("first") }
      queue.suspend()
      queue.async { note("second") }
      let inactive = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
      inactive.async { note("inactive") }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { queue.resume() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { inactive.activate() }
    }
    #expect(lines == ["1s first", "1s second", "2s inactive"])
  }

  @Test func `code knows the queue that it runs on`() {
    let key = DispatchSpecificKey<Int>()
    let lines = lines {
      let target = DispatchQueue(label: "target")
      target.setSpecific(key: key, value: 7)
      DispatchQueue(label: "own", target: target).async {
        dispatchPrecondition(condition: .onQueue(target))
        dispatchPrecondition(condition: .notOnQueue(.main))
        note("\(DispatchQueue.getSpecific(key: key) ?? 0)")
      }
      DispatchQueue.main.async {
        dispatchPrecondition(condition: .onQueue(.main))
        dispatchPrecondition(condition: .onQueueAsBarrier(.main))
      }
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let check = { @Sendable in dispatchPrecondition(condition: .onQueueAsBarrier(concurrent)) }
      concurrent.async(flags: .barrier, execute: check)
      concurrent.sync(flags: .barrier, execute: check)
      DispatchQueue(label: "serial", target: concurrent).async(flags: .barrier) {
        dispatchPrecondition(condition: .onQueue(concurrent))
      }
    }
    #expect(lines == ["0s 7"])
  }

  @Test func `the iterations of concurrentPerform end before it returns`() {
    let lines = lines {
      DispatchQueue.concurrentPerform(iterations: 3) { note("\($0)") }
      note("end")
    }
    #expect(lines == ["0s 0 main", "0s 1 main", "0s 2 main", "0s end main"])
  }

  // MARK: Groups and work items

  @Test func `a group notifies when it is empty`() {
    let lines = lines {
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { note("block") }
      group.enter()
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { group.leave() }
      group.notify(queue: .main) { note("empty") }
      DispatchGroup().notify(queue: .main) { note("empty from the start") }
    }
    #expect(
      lines == ["0s empty from the start main", "0s block", "1s empty main"].sorted { $0 < $1 }
        || lines == ["0s block", "0s empty from the start main", "1s empty main"]
    )
  }

  @Test func `a work item notifies after it was performed in any way`() {
    let lines = lines {
      nonisolated(unsafe) let queued = DispatchWorkItem { @Sendable in note("queued") }
      queued.notify(queue: .main) { note("after queued") }
      DispatchQueue.global().async(execute: queued)
      let performed = DispatchWorkItem { note("performed") }
      performed.notify(queue: .main) { note("after performed") }
      performed.perform()
      DispatchQueue.global().async {
        note(queued.wait(timeout: .now() + 1) == .success ? "waited" : "no")
      }
    }
    #expect(
      lines == [
        "0s performed main", "0s queued", "0s waited", "0s after queued main",
        "0s after performed main",
      ]
    )
  }

  // MARK: Timers

  @Test func `a timer source fires, and ends with its cancellation or its last reference`() {
    let lines = lines {
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(deadline: .now() + 1, repeating: 0.5)
      timer.setEventHandler {
        note("tick \(timer.data)")
        if stage.now.elapsed >= .seconds(2) { timer.cancel() }
      }
      timer.setCancelHandler { note("cancelled \(timer.isCancelled)") }
      timer.resume()
      var released: (any DispatchSourceTimer)? = DispatchSource.makeTimerSource()
      released?.schedule(deadline: .now() + 1, repeating: 1)
      released?.setEventHandler { note("released") }
      released?.activate()
      released = nil
    }
    #expect(
      lines == ["1s tick 1 main", "1.5s tick 1 main", "2s tick 1 main", "2s cancelled true main"]
    )
  }

  @Test func `a suspended timer source collects its ticks`() {
    let lines = lines {
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(deadline: .now() + 1, repeating: 1)
      timer.setEventHandler {
        note("tick \(timer.data)")
        if timer.data > 1 { timer.cancel() }
      }
      timer.resume()
      DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { timer.suspend() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 4.5) { timer.resume() }
    }
    #expect(
      lines == ["1s tick 1 main", "4.500s tick 3 main"]
        || lines == ["1s tick 1 main", "4.5s tick 3 main"]
    )
  }

  @Test func `timers of Foundation fire in virtual time until they are invalidated`() {
    let lines = lines {
      _ = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { timer in
        note("repeats")
        if stage.now.elapsed >= .seconds(1) { timer.invalidate() }
      }
      let once = Timer(timeInterval: 2, repeats: false) { _ in note("once") }
      once.fireDate = Date() + 2
      RunLoop.main.add(once, forMode: .common)
      let never = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in note("never") }
      never.invalidate()
      RunLoop.main.perform { note("perform") }
    }
    #expect(lines == ["0s perform main", "0.5s repeats main", "1s repeats main", "2s once main"])
  }

  @Test func `a timer on the run loop of a background queue is named`() {
    let lines = lines {
      DispatchQueue.global().async {
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in note("fires") }
      }
    }
    #expect(lines == [])
    #expect(
      stage.takeSubmissions().map(\.call) == [
        "Timer on the run loop of a background queue, which virtual time does not run,"
      ]
    )
  }

  @Test func `a run loop runs other work until its date`() {
    let lines = lines {
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { note("inside") }
      RunLoop.current.run(until: Date() + 3)
      note("after")
    }
    #expect(lines == ["1s inside main", "3s after main"])
  }

  @Test func `a run loop ends at a date that is no whole number of nanoseconds`() {
    let lines = lines {
      for hundredths in 1...20 {
        RunLoop.current.run(until: Date(timeIntervalSinceReferenceDate: Double(hundredths) / 100))
      }
      note("over")
    }
    #expect(lines.count == 1)
    #expect(stage.now.elapsed < .milliseconds(201))
  }

  @Test func `the main run loop runs other work until its date`() {
    let lines = lines {
      _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in note("inside") }
      RunLoop.main.run(until: Date() + 3)
      note(RunLoop.current === RunLoop.main ? "the same" : "another")
      DispatchQueue.global().async {
        note(RunLoop.current === RunLoop.main ? "the same" : "another")
      }
    }
    #expect(lines == ["1s inside main", "3s the same main", "3s another"])
  }

  @Test(arguments: [true, false])
  func `a library that waits for its own lock lets no other code run`(isLibrary: Bool) {
    let lines = lines {
      DispatchQueue.global().async { note("other") }
      if isLibrary {
        // The C library calls `sleep(0)`: the key of the search is the argument, and the result says that it is found.
        typealias Comparison = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32
        typealias Search =
          @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Int, Int, Comparison) -> Void
        let sleep: @convention(c) (UInt32) -> UInt32 = sleep
        let search = unsafeBitCast(dlsym(nil, "bsearch"), to: Search.self)
        withUnsafeBytes(of: 1) {
          search(nil, $0.baseAddress, 1, 1, unsafeBitCast(sleep, to: Comparison.self))
        }
      } else {
        sleep(0)
      }
      note("after")
    }
    #expect(lines == (isLibrary ? ["0s after main", "0s other"] : ["0s other", "0s after main"]))
  }

  @Test func `timers fire inside of a run loop that a block or another timer runs`() {
    let lines = lines {
      DispatchQueue.main.async {
        let flag = Log()
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in flag("done") }
        DispatchQueue.main.async { note("block") }
        while flag.lines.isEmpty { _ = RunLoop.current.run(mode: .default, before: Date() + 10) }
        note("done")
      }
      _ = Timer.scheduledTimer(withTimeInterval: 2, repeats: false) { _ in
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in note("inner") }
        RunLoop.current.run(until: Date() + 2)
        note("outer")
      }
    }
    #expect(lines == ["1s done main", "1s block main", "3s inner main", "4s outer main"])
  }

  @Test func `operation queues keep their order and their width`() {
    let lines = lines {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      for number in 1...3 {
        queue.addOperation {
          Thread.sleep(forTimeInterval: 1)
          note("\(number)")
        }
      }
      queue.waitUntilAllOperationsAreFinished()
      note("end")
    }
    #expect(lines == ["1s 1", "2s 2", "3s 3", "3s end main"])
  }

  // MARK: Blocking

  @Test
  func
    `other queues run while main-actor code waits for a semaphore, and main-actor code does not`()
  {
    let lines = lines {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
        note("signal")
        semaphore.signal()
      }
      DispatchQueue.main.async { note("main") }
      Task { note("main task") }
      semaphore.wait()
      note("waited")
    }
    #expect(lines == ["1s signal", "1s waited main", "1s main main", "1s main task main"])
    #expect(stage.takeDeadlocks() == [])
  }

  @Test func `a wait with a timeout ends in virtual time`() {
    let lines = lines {
      let semaphore = DispatchSemaphore(value: 0)
      note("\(semaphore.wait(timeout: .now() + 5) == .timedOut)")
      let group = DispatchGroup()
      group.enter()
      note("\(group.wait(timeout: .now() + 5) == .timedOut)")
      group.leave()
      sleep(1)
      usleep(500_000)
      note("slept")
    }
    #expect(lines == ["5s true main", "10s true main", "11.5s slept main"])
  }

  @Test func `threads that wait for each other in turn are no deadlock`() {
    let lines = lines {
      let one = DispatchSemaphore(value: 0)
      let other = DispatchSemaphore(value: 0)
      DispatchQueue(label: "x").async {
        for number in 1...2 {
          one.wait()
          note("x \(number)")
          other.signal()
        }
      }
      DispatchQueue(label: "y").async {
        for number in 1...2 {
          one.signal()
          other.wait()
          note("y \(number)")
        }
      }
    }
    #expect(lines == ["0s x 1", "0s y 1", "0s x 2", "0s y 2"])
    #expect(stage.takeBlocked() == [])
  }

  @Test func `a thread waits over several driving calls`() {
    let semaphore = DispatchSemaphore(value: 0)
    stage.enter {
      DispatchQueue(label: "worker").async {
        for number in 1... {
          semaphore.wait()
          note("\(number)")
        }
      }
    }
    for _ in 1...2 {
      stage.settle()
      stage.enter { _ = semaphore.signal() }
      stage.advance(by: .seconds(1))
    }
    #expect(log.lines == ["0s 1", "1s 2"])
    #expect(
      stage.takeBlocked().map { $0.hasPrefix("DispatchSemaphore.wait in DispatchTests.") } == [true]
    )
    #expect(stage.close() == .idle)
  }

  private final class State: @unchecked Sendable {
    let condition = NSCondition()
    var isReady = false
  }

  @Test func `a thread outside of the stage signals a condition as soon as the mutex is free`() {
    let lines = lines {
      for _ in 1...20 {
        let state = State()
        state.condition.lock()
        Thread.detachNewThread {
          state.condition.withLock {
            state.isReady = true
            state.condition.broadcast()
          }
        }
        while !state.isReady { state.condition.wait() }
        state.condition.unlock()
      }
      note("ready")
    }
    #expect(lines == ["0s ready main"])
    #expect(stage.takeDeadlocks() == [])
  }

  @Test func `a condition is signalled by a block`() {
    let state = State()
    let lines = lines {
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
        state.condition.withLock {
          state.isReady = true
          state.condition.broadcast()
        }
      }
      state.condition.lock()
      while !state.isReady { state.condition.wait() }
      state.condition.unlock()
      note("ready")
    }
    #expect(lines == ["1s ready main"])
  }

  @Test func `a block waits for operations that sleep`() {
    let lines = lines {
      let queue = OperationQueue()
      DispatchQueue(label: "waiting").async {
        queue.addOperation {
          Thread.sleep(forTimeInterval: 1)
          note("operation")
        }
        queue.waitUntilAllOperationsAreFinished()
        note("end")
      }
    }
    #expect(lines == ["1s operation", "1s end"])
  }

  @Test func `queues with one serial target stay apart when many other queues come and go`() {
    let lines = lines {
      let target = DispatchQueue(label: "target")
      DispatchQueue(label: "a", target: target).async {
        note("a begins")
        Thread.sleep(forTimeInterval: 1)
        note("a ends")
      }
      for number in 0..<600 { DispatchQueue(label: "\(number)").async {} }
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
        DispatchQueue(label: "b", target: target).async { note("b") }
      }
    }
    #expect(lines == ["0s a begins", "1s a ends", "1s b"])
  }

  @Test func `a closed stage drops blocks that would wait in a loop`() {
    let semaphore = DispatchSemaphore(value: 0)
    stage.enter { DispatchQueue(label: "worker").async { while true { semaphore.wait() } } }
    #expect(stage.close() == .idle)
  }

  @Test func `main-actor code that waits for nothing is named, and goes on`() {
    let lines = lines {
      DispatchSemaphore(value: 0).wait()
      note("after")
    }
    #expect(lines == ["0s after main"])
    let texts = stage.takeDeadlocks()
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("DispatchSemaphore.wait in DispatchTests.") == true)
    #expect(texts.first?.hasSuffix(" blocks the main actor forever") == true)
    #expect(stage.takeDeadlocks() == [])
  }

  @Test func `sync on the queue of its own code is named`() {
    let lines = lines {
      let queue = DispatchQueue(label: "own")
      queue.sync { queue.sync { note("inside") } }
      DispatchQueue.main.sync { note("main") }
    }
    #expect(lines == ["0s inside main", "0s main main"])
    #expect(
      stage.takeDeadlocks().map { String($0.prefix { $0 != " " }) } == [
        "DispatchQueue(label:", "DispatchQueue.main.sync",
      ]
    )
  }

  @Test func `sync on a concurrent queue of its own code runs at once, except as a barrier`() {
    let lines = lines {
      let own = DispatchQueue(label: "own", attributes: .concurrent)
      for queue in [DispatchQueue.global(), own] {
        queue.async { queue.sync { note("inside") } }
      }
    }
    #expect(lines.count == 2 && stage.takeDeadlocks() == [])
    for isOuter in [false, true] {
      _ = self.lines {
        let own = DispatchQueue(label: "own \(isOuter)", attributes: .concurrent)
        own.async(flags: isOuter ? .barrier : []) {
          own.sync(flags: isOuter ? [] : .barrier) { note("inside") }
        }
      }
      #expect(stage.takeDeadlocks().count == 1)
    }
  }

  @Test func `a queue that stays suspended and a group that is never left are named`() {
    let queue = DispatchQueue(label: "held")
    let group = DispatchGroup()
    _ = lines {
      queue.suspend()
      queue.async {}
      group.enter()
      group.notify(queue: .main) {}
    }
    #expect(
      stage.takeBlocked() == [
        "DispatchQueue(label: \"held\") is suspended with 1 block",
        "DispatchGroup.notify on DispatchQueue.main waits for a group that is still entered",
      ]
    )
    queue.resume()
    group.leave()
  }

  @Test func `a semaphore that a thread signals ends the wait, and the thread is named`() {
    let lines = lines {
      let semaphore = DispatchSemaphore(value: 0)
      Thread.detachNewThread { semaphore.signal() }
      semaphore.wait()
      note("waited")
    }
    #expect(lines == ["0s waited main"])
    #expect(stage.takeSubmissions().map(\.call) == ["Thread"])
  }

  // MARK: Orders, and the end

  @Test func `a random order keeps the order of serial queues`() {
    var orders: Set<[String]> = []
    for seed in 0..<20 {
      let stage = Stage(order: .shuffled(seed: UInt64(seed)))
      let log = Log()
      stage.enter {
        for name in ["a", "b"] {
          let queue = DispatchQueue(label: name)
          for number in 1...3 { queue.async { log("\(name)\(number)") } }
        }
      }
      stage.settle()
      for name in ["a", "b"] {
        #expect(log.lines.filter { $0.hasPrefix(name) } == (1...3).map { "\(name)\($0)" })
      }
      orders.insert(log.lines)
      let again = Stage(order: .recorded(stage.choices))
      let second = Log()
      again.enter {
        for name in ["a", "b"] {
          let queue = DispatchQueue(label: name)
          for number in 1...3 { queue.async { second("\(name)\(number)") } }
        }
      }
      again.settle()
      #expect(second.lines == log.lines)
    }
    #expect(orders.count > 5)
  }

  @Test func `a closed stage drops blocks, timers and waits`() {
    weak var leftover: AnyObject?
    do {
      final class Model: Sendable {}
      let model = Model()
      leftover = model
      stage.enter {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { note("\(model)") }
        let queue = DispatchQueue(label: "held")
        queue.suspend()
        queue.async { note("\(model)") }
        queue.resume()
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in note("timer") }
      }
    }
    stage.close()
    #expect(log.lines.filter { $0.contains("timer") }.isEmpty)
    #expect(leftover == nil)
  }

  @Test(arguments: [Stage.Order.firstInFirstOut, .recorded([]), .shuffled(seed: 1)])
  func `many later blocks run in order`(order: Stage.Order) {
    final class Count: @unchecked Sendable { var value = 0 }
    let stage = Stage(order: order)
    let count = Count()
    let total = 100_000
    stage.enter {
      for number in 0..<total {
        DispatchQueue.main.asyncAfter(deadline: .now() + .microseconds(total - number)) {
          count.value += 1
        }
      }
    }
    #expect(stage.settle() == .idle)
    #expect(count.value == total)
  }

  // MARK: Mistakes for which libdispatch ends the program

  private enum Mistake: String, CaseIterable, Codable, Sendable {
    case releasesSuspendedSource, releasesInactiveSource, releasesSuspendedSourceAfterCancel
    case waitsTwice, waitsTwiceWithTimeout, waitsDuringWait, waitsForTwicePerformed
    case performsTwiceAfterWait, followsTwicePerformed, assertsBarrier

    var message: String? {
      switch self {
      // libdispatch itself finds it.
      case .performsTwiceAfterWait: nil
      case .releasesSuspendedSource, .releasesSuspendedSourceAfterCancel:
        "release of a suspended DispatchSource timer, created"
      case .releasesInactiveSource: "release of an inactive DispatchSource timer, created"
      case .waitsTwice, .waitsTwiceWithTimeout, .waitsDuringWait:
        "second wait for a DispatchWorkItem"
      case .waitsForTwicePerformed: "wait for a DispatchWorkItem that runs more than once"
      case .followsTwicePerformed: "notify of a DispatchWorkItem that runs more than once"
      case .assertsBarrier: "dispatchPrecondition .onQueueAsBarrier in a block that is no barrier"
      }
    }

    func make() {
      let item = DispatchWorkItem {}
      switch self {
      case .releasesSuspendedSource: release(suspends: true, cancels: false)
      case .releasesInactiveSource: release(suspends: false, cancels: false)
      case .releasesSuspendedSourceAfterCancel: release(suspends: true, cancels: true)
      case .waitsTwice:
        DispatchQueue.global().async(execute: item)
        item.wait()
        item.wait()
      case .waitsTwiceWithTimeout:
        DispatchQueue.global().async(execute: item)
        item.wait()
        _ = item.wait(timeout: .now() + 1)
      case .waitsDuringWait:
        nonisolated(unsafe) let item = item
        DispatchQueue.global().async { item.wait() }
        DispatchQueue.global().async { item.wait() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: item)
      case .waitsForTwicePerformed:
        item.perform()
        item.perform()
        item.wait()
      case .performsTwiceAfterWait:
        item.perform()
        item.wait()
        item.perform()
      case .followsTwicePerformed:
        item.perform()
        item.perform()
        item.notify(queue: .main) {}
      case .assertsBarrier:
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        queue.async { dispatchPrecondition(condition: .onQueueAsBarrier(queue)) }
      }
    }

    private func release(suspends: Bool, cancels: Bool) {
      var source: (any DispatchSourceTimer)? = DispatchSource.makeTimerSource()
      if suspends {
        source?.activate()
        source?.suspend()
      }
      if cancels { source?.cancel() }
      source = nil
    }
  }

  @Test(arguments: Mistake.allCases)
  private func `what libdispatch ends the program for ends it here, and is named`(
    _ mistake: Mistake
  ) async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { [mistake] in
      let stage = Stage()
      stage.enter { mistake.make() }
      stage.settle()
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    guard let message = mistake.message else { return }
    #expect(errors.contains("libdispatch ends the program: \(message)"))
    #expect(errors.contains(" in DispatchTests.Mistake."), "\(errors)")
  }

  @Test func `a wait that timed out may be repeated, and so may notify`() {
    let lines = lines {
      let item = DispatchWorkItem {}
      note("\(item.wait(timeout: .now() + 1))")
      item.notify(queue: .main) { note("notified") }
      item.perform()
      note("\(item.wait(timeout: .now() + 1))")
      let source = DispatchSource.makeTimerSource()
      source.suspend()
      source.activate()
      source.resume()
    }
    #expect(lines == ["1s timedOut main", "1s success main", "1s notified main"])
  }
}
#endif
