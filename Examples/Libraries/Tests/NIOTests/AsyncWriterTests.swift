import DequeModule
import Exploring
import NIOCore
import Sessions
import Testing

/// `NIOAsyncWriter`: two writers, a sink whose writability changes, and an end.
@Suite struct AsyncWriterTests {
  typealias Writer = NIOAsyncWriter<String, Delegate>

  /// The consumer. It can make the writer unwritable after each element.
  struct Delegate: NIOAsyncWriterSinkDelegate {
    let delivered = Cell<[String]>([])
    let ends = Cell<[String]>([])
    let sink = Cell<Writer.Sink?>(nil)
    let blocks: Bool

    func didYield(contentsOf sequence: Deque<String>) {
      delivered.change { $0 += Array(sequence) }
      if blocks { sink.value?.setWritability(to: false) }
    }

    func didTerminate(error: (any Error)?) {
      ends.change { $0.append(error.map { "\($0)" } ?? "finished") }
    }
  }

  /// What a call of `yield` has done.
  struct Yield: Sendable {
    var values: [String]
    var start: Int
    var end: Int?
    var error: String?
  }

  @MainActor static func session(_ run: ExploredRun) async -> [BrokenRule] {
    let log = SessionLog(sources: 0, consumers: 0)
    let yields = Cell<[Yield]>([])
    let cancelled = Cell<[Int?]>([nil, nil])
    let finished = Cell<Int?>(nil)
    let delegate = Delegate(
      blocks: run.choose([false, true], named: "the sink blocks after each element")
    )
    let isWritable = run.choose([true, false], named: "writable at the start")
    let finish = run.choose(
      ["writer", "writer fails", "sink", "sink fails", "never"],
      named: "end"
    )
    let finishSecond = run.choose([4, 0, 1, 2, 3], named: "second of the end")
    let new = Writer.makeWriter(
      isWritable: isWritable,
      finishOnDeinit: run.choose([true, false], named: "finish on deinit"),
      delegate: delegate
    )
    delegate.sink.change { [sink = new.sink] in $0 = sink }
    let writer = new.writer
    for index in 0...1 {
      let name = ["a", "b"][index]
      let batches = (0..<run.choose([1, 2, 3, 0], named: "yields of \(name)")).map { batch in
        (0..<run.choose([1, 2], named: "elements of yield \(batch + 1)")).map {
          "\(name)\(batch + 1)\($0 + 1)"
        }
      }
      let pauses = batches.map { _ in run.choose([0, 1, 2], named: "pause of \(name)") }
      let task = Task.detached {
        for (values, pause) in zip(batches, pauses) {
          if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
          let place = yields.change { list -> Int in
            list.append(Yield(values: values, start: log.second))
            return list.count - 1
          }
          do {
            if values.count == 1 {
              try await writer.yield(values[0])
            } else {
              try await writer.yield(contentsOf: values)
            }
          } catch {
            yields.change { $0[place].error = "\(error)" }
          }
          yields.change { $0[place].end = log.second }
        }
      }
      if let second = run.choose([nil, nil, 0, 1, 2, 3], named: "cancellation of \(name)") {
        Task {
          try await Task.sleep(for: .seconds(second))
          cancelled.change { $0[index] = log.second }
          task.cancel()
        }
      }
    }
    for second in 1...3 {
      let change = run.choose([nil, true, false], named: "writability at \(second)")
      guard let change else { continue }
      Task { [sink = new.sink] in
        try await Task.sleep(for: .seconds(second))
        sink.setWritability(to: change)
      }
    }
    Task { [sink = new.sink] in
      try await Task.sleep(for: .seconds(finishSecond))
      if finish != "never" { finished.change { $0 = log.second } }
      switch finish {
      case "writer": writer.finish()
      case "writer fails": writer.finish(error: SourceError(source: "writer"))
      case "sink": sink.finish()
      case "sink fails": sink.finish(error: SourceError(source: "sink"))
      default: break
      }
      // The sink becomes writable again until everything is delivered.
      for _ in 0..<20 {
        try await Task.sleep(for: .seconds(1))
        sink.setWritability(to: true)
      }
      writer.finish()
      sink.setWritability(to: true)
      sink.finish()
      delegate.sink.change { $0 = nil }
    }
    await run.settle()
    run.note("\(yields.value) \(delegate.delivered.value) \(delegate.ends.value)")
    return rules(yields.value, delegate, finish, finished.value, cancelled.value)
  }

  static func rules(
    _ yields: [Yield],
    _ delegate: Delegate,
    _ finish: String,
    _ finished: Int?,
    _ cancelled: [Int?]
  ) -> [BrokenRule] {
    let delivered = delegate.delivered.value
    let ends = delegate.ends.value
    let calls = yields.map {
      "\($0.values)@\($0.start)–\($0.end.map(String.init) ?? "")\($0.error.map { " \($0)" } ?? "")"
    }
    let what =
      "\(calls), \(finish)@\(finished ?? -1), cancelled \(cancelled); delivered \(delivered), ends \(ends)"
    func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
      condition ? [BrokenRule(rule, what)] : []
    }
    let good = yields.filter { $0.end != nil && $0.error == nil }.flatMap(\.values)
    let bad = yields.filter { $0.error != nil }.flatMap(\.values)
    func second(of yield: Yield) -> Int? { cancelled[yield.values[0].hasPrefix("a") ? 0 : 1] }
    return broken("yield() returns", if: yields.contains { $0.end == nil })
      + broken("an element is delivered once", if: Set(delivered).count < delivered.count)
      + broken(
        "elements of a yield() that returned are delivered",
        if: !finish.hasPrefix("sink") && !Set(good).isSubset(of: delivered)
      )
      + broken(
        "elements of a yield() that threw are not delivered",
        if: !Set(bad).isDisjoint(with: delivered)
      )
      + ["a", "b"].flatMap { name in
        let own = delivered.filter { $0.hasPrefix(name) }
        return broken("elements of a writer are delivered in order", if: own != own.sorted())
      }
      // The end of the sink itself is no reason for didTerminate().
      + broken(
        "didTerminate() is called once",
        if: ends.count != (finish.hasPrefix("sink") ? 0 : 1)
      )
      + broken(
        "didTerminate() gets the error",
        if: finish == "writer fails" && !ends.isEmpty && ends != ["error of writer"]
      )
      + broken(
        "cancellation ends yield() at its instant",
        if: yields.contains { yield in
          second(of: yield).map { (yield.end ?? .max) > max($0, yield.start) } ?? false
        }
      )
      + broken(
        "finish() ends yield() at its instant",
        if: yields.contains { yield in
          finished.map { (yield.end ?? .max) > max($0, yield.start) } ?? false
        }
      )
      + broken(
        "yield() throws only after an end or a cancellation",
        if: yields.contains { $0.error != nil && finished == nil && second(of: $0) == nil }
      )
  }

  @Test func writer() async throws {
    try await search(
      "NIOAsyncWriter",
      known: ["didTerminate() is called once", "finish() ends yield() at its instant"]
    ) { run in
      await Self.session(run)
    }
  }
}
