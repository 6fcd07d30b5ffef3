import Pipelines
import Testing

/// Ties at the edge of a window: the action that was scheduled first runs first.
@Suite struct TieTests {
  /// Sends 1 at 0, 3 at 100, which waits for the end of the window at 500, and 2 exactly at 500,
  /// scheduled before or after the window's end was.
  private func run<P: Publisher>(
    edgeFirst: Bool,
    _ operate: (PassthroughSubject<Int, Never>, StageScheduler) -> P
  ) -> String {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(operate(subject, run.scheduler))
    run.send([(1, 0), (3, 100)], to: subject)
    if edgeFirst {
      run.send([(2, 500)], to: subject)
    } else {
      run.at(200) { run.send([(2, 500)], to: subject) }
    }
    return run.settle()
  }

  @Test(arguments: [(true, "1@0 2@500"), (false, "1@0 3@500 2@1000")])
  func `a value at the end of a throttle's window belongs to it if it was scheduled earlier`(
    edgeFirst: Bool,
    expected: String
  ) {
    let text = run(edgeFirst: edgeFirst) { $0.throttle(for: 0.5, scheduler: $1, latest: true) }

    #expect(text == expected)
  }

  @Test(arguments: [(true, "1@0 3@500"), (false, "1@0 3@500 2@1000")])
  func `a throttle for first values drops a value at the edge that was scheduled earlier`(
    edgeFirst: Bool,
    expected: String
  ) {
    let text = run(edgeFirst: edgeFirst) { $0.throttle(for: 0.5, scheduler: $1, latest: false) }

    #expect(text == expected)
  }

  @Test(arguments: [(true, "2@1000"), (false, "1@500 2@1000")])
  func `a value at the end of debounce's pause interrupts it if it was scheduled earlier`(
    edgeFirst: Bool,
    expected: String
  ) {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.debounce(for: 0.5, scheduler: run.scheduler))
    run.send([(1, 0)], to: subject)
    if edgeFirst {
      run.send([(2, 500)], to: subject)
    } else {
      run.at(100) { run.send([(2, 500)], to: subject) }
    }

    #expect(run.settle() == expected)
  }

  @Test(arguments: [(true, "1@500 finished@1000"), (false, "finished@500")])
  func `a value at the end of a timeout prevents it if it was scheduled earlier`(
    edgeFirst: Bool,
    expected: String
  ) {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    if edgeFirst { run.send([(1, 500)], to: subject) }
    run.watch(subject.timeout(0.5, scheduler: run.scheduler))
    if !edgeFirst { run.send([(1, 500)], to: subject) }

    #expect(run.settle() == expected)
  }

  @Test(arguments: [(true, "2@0"), (false, "1@0")])
  func
    `of values sent at one go an idle throttle passes one, as it hands on in an action of its own`(
      latest: Bool,
      expected: String
    )
  {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.throttle(for: 0.5, scheduler: run.scheduler, latest: latest))
    run.at(0) {
      subject.send(1)
      subject.send(2)
    }

    // As in Combine.
    #expect(run.settle() == expected)
  }

  @Test func `an idle throttle passes a value at the end of its window immediately`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.throttle(for: 0.5, scheduler: run.scheduler, latest: true))
    run.send([(1, 0), (2, 500), (3, 1000)], to: subject)

    #expect(run.settle() == "1@0 2@500 3@1000")
  }

  @Test func `a diagram's event comes before timers that its values started`()
    throws
  {
    let run = Rehearsing()
    let source = try Marble("a----b")
      .publisher(on: run.scheduler, tick: .milliseconds(100)) { String($0) }
    run.watch(source.debounce(for: 0.5, scheduler: run.scheduler))

    #expect(run.settle() == "b@1000")
  }
}
