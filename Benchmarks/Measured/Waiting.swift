import Staging

extension Benchmark {
  /// A report of what 1,000 tasks wait for: the first one also finds functions and lines in the debug information.
  static let waiting = Benchmark(name: "waiting") {
    let stage = Stage()
    stage.keepTasks()
    stage.enter {
      for number in 0..<waitingTasks { Task { await wait(number) } }
    }
    stage.settle()
    func report() {
      let report = stage.waitingTasks()
      precondition(report?.tasks.count == waitingTasks, "Each task waits.")
      precondition(report?.lines.isEmpty == false, "The report has lines.")
    }
    for (what, samples) in [
      ("the first", Samples([Samples.secondsOnce(report)])),
      ("each later", Samples.seconds(report)),
    ] {
      Table.print(
        Row(
          what: "\(what) report of \(waitingTasks) waiting tasks",
          samples: samples,
          unit: .seconds,
          goal: .atMost(0.05)
        )
      )
    }
    stage.close()
  }

  private static let waitingTasks = 1_000

  /// Waits at one of several places, as the tasks of a program do.
  private static func wait(_ number: Int) async {
    switch number % 4 {
    case 0: await waitForContinuation()
    case 1:
      let task = Task.detached { try? await Task.sleep(for: .seconds(1)) }
      await withTaskGroup { group in group.addTask { await waitForContinuation() } }
      await task.value
    case 2:
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      for await _ in stream {}
      continuation.finish()
    default: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  private static func waitForContinuation() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
