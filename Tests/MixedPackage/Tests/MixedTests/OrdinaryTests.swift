import Dispatch
import Foundation
import Synchronization
import Testing

actor Counter {
  private(set) var sum = 0
  func add(_ number: Int) { sum += number }
  func set(_ number: Int) { sum = number }
}

/// Tests without a trait: their time is real.
@Suite struct OrdinaryTests {
  @Test(arguments: 1...5) func `a sleep takes real time`(milliseconds: Int) async throws {
    let (clock, date) = (ContinuousClock.now, Date())
    try await Task.sleep(for: .milliseconds(milliseconds))
    let passed = ContinuousClock.now - clock
    #expect(passed >= .milliseconds(milliseconds) && passed < .seconds(10))
    #expect(Date().timeIntervalSince(date) < 10)
  }

  @Test func `an actor counts the tasks of a group`() async {
    let counter = Counter()
    await withTaskGroup { group in
      for number in 1...100 {
        group.addTask {
          try? await Task.sleep(for: .milliseconds(number % 3))
          await counter.add(number)
        }
      }
    }
    #expect(await counter.sum == 5_050)
  }

  @Test(arguments: [1, 4]) func `a queue runs later blocks`(milliseconds: Int) async {
    let start = DispatchTime.now()
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "own").asyncAfter(deadline: start + .milliseconds(milliseconds)) {
        continuation.resume()
      }
    }
    #expect(DispatchTime.now() >= start + .milliseconds(milliseconds))
  }

  @Test func `a semaphore and a group wait for other threads`() async {
    let ended = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let (semaphore, group) = (DispatchSemaphore(value: 0), DispatchGroup())
        DispatchQueue.global().async(group: group) { usleep(2_000) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) {
          semaphore.signal()
        }
        semaphore.wait()
        continuation.resume(returning: group.wait(timeout: .now() + 10) == .success)
      }
    }
    #expect(ended)
  }

  @Test func `a timer fires in the run loop of a thread`() async {
    let fired = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let count = Atomic(0)
        let timer = Timer(timeInterval: 0.002, repeats: true) { timer in
          if count.add(1, ordering: .relaxed).newValue == 3 { timer.invalidate() }
        }
        RunLoop.current.add(timer, forMode: .default)
        while timer.isValid, RunLoop.current.run(mode: .default, before: Date() + 10) {}
        continuation.resume(returning: count.load(ordering: .relaxed))
      }
    }
    #expect(fired == 3)
  }

  @MainActor @Test func `the main actor goes on`() async throws {
    var order: [Int] = []
    let task = Task { order.append(1) }
    try await Task.sleep(for: .milliseconds(3))
    await task.value
    order.append(2)
    #expect(order == [1, 2])
  }

  @Test func `a stream delivers its elements in order`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let producer = Task {
      for number in 0..<20 {
        continuation.yield(number)
        await Task.yield()
      }
      continuation.finish()
    }
    var received: [Int] = []
    for await number in stream { received.append(number) }
    await producer.value
    #expect(received == Array(0..<20))
  }

  @Test func `a cancelled sleep ends early`() async {
    let sleeper = Task { try await Task.sleep(for: .seconds(60)) }
    let start = ContinuousClock.now
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}
