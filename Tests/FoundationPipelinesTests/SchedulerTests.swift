#if os(Linux)
import Foundation
import FoundationPipelines
import Staging
import Testing

/// `DispatchQueue`, `RunLoop` and `OperationQueue` as Combine schedulers, in virtual time.
@Suite struct SchedulerTests {
  private let run = QueueRun()
  // `OperationQueue.main` is one object for all stages of a process, which may pass an operation of
  // one stage to another one.
  private let operations = OperationQueue()

  // MARK: Hops

  @Test func `values arrive on the queue of receive`() {
    let events = run.events {
      run.watch(Just("global").receive(on: DispatchQueue.global()))
      run.watch(Just("main").receive(on: DispatchQueue.main))
      run.watch(Just("loop").receive(on: RunLoop.main))
      run.watch(Just("operation").receive(on: operations))
      run.note("sent")
    }
    #expect(
      events.filter { !$0.hasPrefix("finished") } == [
        "sent@0 main", "global@0", "main@0 main", "loop@0 main", "operation@0",
      ]
    )
    #expect(run.stage.takeSubmissions().isEmpty)
  }

  @Test func `a subscription begins on the queue of subscribe, and its values come back`() {
    let events = run.events {
      run.watch(
        Deferred {
          run.note("subscribed")
          return Just(1)
        }
        .subscribe(on: DispatchQueue(label: "background"))
        .receive(on: RunLoop.main)
      )
    }
    #expect(events == ["subscribed@0", "1@0 main", "finished@0 main"])
  }

  @Test func `no value arrives after a cancellation`() {
    let subject = PassthroughSubject<Int, Never>()
    let events = run.events {
      let sinks = [
        run.watch(subject.receive(on: DispatchQueue.main)),
        run.watch(subject.receive(on: RunLoop.main)),
        run.watch(subject.debounce(for: .seconds(1), scheduler: DispatchQueue.main)),
        run.watch(subject.debounce(for: .seconds(1), scheduler: RunLoop.main)),
        run.watch(subject.debounce(for: .seconds(1), scheduler: operations)),
      ]
      run.at(100) {
        subject.send(1)
        for sink in sinks { sink.cancel() }
      }
    }
    #expect(events == [])
    #expect(run.stage.nextInstant == nil)
  }

  // MARK: Time

  private static let typed = [("a", at: 0), ("b", at: 200), ("c", at: 900), ("d", at: 1000)]

  @Test(arguments: ["queue", "loop", "operation"])
  func `debounce waits on every scheduler`(scheduler: String) {
    let subject = PassthroughSubject<String, Never>()
    let events = run.events {
      let publisher: any Publisher<String, Never> =
        switch scheduler {
        case "queue": subject.debounce(for: .milliseconds(500), scheduler: DispatchQueue.main)
        case "loop": subject.debounce(for: .milliseconds(500), scheduler: RunLoop.main)
        default: subject.debounce(for: .milliseconds(500), scheduler: operations)
        }
      run.watch(publisher)
      run.send(Self.typed, to: subject)
    }
    let main = scheduler == "operation" ? "" : " main"
    #expect(events == ["b@700\(main)", "d@1500\(main)"])
  }

  @Test func `delay waits on every scheduler`() {
    let events = run.events {
      run.watch(Just("queue").delay(for: .seconds(1), scheduler: DispatchQueue.main))
      run.watch(Just("loop").delay(for: 2, scheduler: RunLoop.main))
      run.watch(Just("operation").delay(for: 3, scheduler: operations))
      run.watch(Just("global").delay(for: .seconds(4), scheduler: DispatchQueue.global()))
    }
    #expect(
      events == [
        "queue@1000 main", "finished@1000 main", "loop@2000 main", "finished@2000 main",
        "operation@3000", "finished@3000", "global@4000", "finished@4000",
      ]
    )
  }

  @Test(arguments: [(true, "c@700"), (false, "b@700")])
  func `throttle sends one value per interval`(latest: Bool, third: String) {
    let subject = PassthroughSubject<String, Never>()
    let events = run.events {
      run.watch(
        subject.throttle(for: 0.5, scheduler: DispatchQueue(label: "background"), latest: latest)
      )
      run.send([("a", at: 200), ("b", at: 300), ("c", at: 400), ("d", at: 2000)], to: subject)
    }
    #expect(events == ["a@200", third, "d@2000"])
  }

  @Test func `throttle begins with the current value of a property`() {
    final class Model {
      @Published var name = "first"
    }
    let model = Model()
    let events = run.events {
      run.watch(model.$name.throttle(for: .seconds(1), scheduler: RunLoop.main, latest: true))
      run.at(500) { model.name = "second" }
    }
    #expect(events == ["first@0 main", "second@1000 main"])
  }

  @Test func `throttle passes demand and cancellation on`() {
    let events = run.events {
      let source = Empty<Int, Never>(completeImmediately: false).handleEvents(
        receiveCancel: { run.note("cancelled") },
        receiveRequest: { run.note("requested \($0)") }
      )
      let sink = run.watch(
        source.throttle(for: 1, scheduler: operations, latest: true)
      )
      sink.cancel()
    }
    #expect(events == ["requested unlimited@0 main", "cancelled@0 main"])
  }

  @Test func `the time of a scheduler is virtual`() {
    let events = run.events {
      let (queue, loop) = (DispatchQueue.main.now, RunLoop.main.now)
      let operation = operations.now
      run.at(86_400_000) {
        run.note("\(queue.distance(to: DispatchQueue.main.now).timeInterval)")
        run.note("\(loop.distance(to: RunLoop.main.now).timeInterval)")
        run.note("\(operation.distance(to: operations.now).timeInterval)")
      }
    }
    #expect(
      events == ["nanoseconds(86400000000000)", "86400.0", "86400.0"].map { "\($0)@86400000 main" }
    )
  }

  // MARK: Timers

  @Test func `a timer publishes dates of virtual time until it is cancelled`() {
    let events = run.events {
      let start = Date()
      var ticks = 0
      var sink: AnyCancellable?
      sink = Timer.publish(every: 0.5, on: .main, in: .common).autoconnect()
        .sink { date in
          ticks += 1
          run.note("\(date.timeIntervalSince(start))")
          if ticks == 3 { sink?.cancel() }
        }
    }
    #expect(events == ["0.5@500 main", "1.0@1000 main", "1.5@1500 main"])
    #expect(run.stage.nextInstant == nil)
  }

  @Test func `a timer that is not connected does not tick`() {
    let events = run.events {
      run.watch(Timer.publish(every: 1, on: .main, in: .common))
      run.at(3000) { run.note("end") }
    }
    #expect(events == ["end@3000 main"])
  }

  @Test func `a repeating action runs until it is cancelled`() {
    let events = run.events {
      var count = 0
      var token: (any Cancellable)?
      token = DispatchQueue.main.schedule(
        after: DispatchQueue.main.now.advanced(by: .seconds(1)),
        interval: .seconds(2)
      ) {
        count += 1
        run.note("\(count)")
        if count == 2 { token?.cancel() }
      }
    }
    #expect(events == ["1@1000 main", "2@3000 main"])
  }
}
#endif
