import CVirtualTime
import RehearsalBase

/// The random numbers of code that belongs to no task, and of `rand` after `srand`.
struct StageRandomness {
  /// The stream of the code that runs outside of tasks.
  var current: RandomStream
  /// The stream of the work that threads outside of the stage give to it. It arrives at any moment, which must not change the
  /// numbers of other code.
  var outside: RandomStream
  /// The numbers of `rand` and its relatives since `srand`; nil before that.
  var seeded: SplitMix64?
  /// Whether tasks have streams.
  fileprivate let isInTasks = TaskStream.isKept

  init(seed: UInt64) {
    current = RandomStream(seed: seed)
    outside = RandomStream(seed: seed ^ 0x6F75_7473_6964_6500)
  }
}

extension StageExecutor {
  /// Makes the random functions of the system draw from the stage of their thread, from now on.
  static let drawing: Void = cvt_handle_random_numbers(
    cvt_random_source(
      fill: { bytes, count in
        let bytes = UnsafeMutableRawBufferPointer(start: bytes, count: count)
        current?.scheduler?.hasDrawnRandomNumber()
        current?.withStream { $0.fill(bytes) }
      },
      number: { current?.nextSeededNumber() ?? 0 },
      seed: { seed in current?.random.seeded = SplitMix64(seed: seed) }
    )
  )

  /// Calls `body` with the stream of the running code: that of the lazy global that is initialised, of the running task,
  /// or of the code outside of tasks.
  func withStream<T>(_ body: (inout RandomStream) -> T) -> T {
    if let initialisation = cvt_current_initialisation() {
      return initialisation.pointee.withStream(body)
    }
    // A task of the process may enter the stage. It draws as code outside of tasks.
    guard random.isInTasks, let task = Runtime.currentTask(),
      !registry.isOlder(Runtime.taskNumber(of: task.job)), var stream = TaskStream.load(task)
    else { return body(&random.current) }
    defer { TaskStream.store(stream, in: task) }
    return body(&stream)
  }

  /// Returns the stream of a task or closure that the running code creates.
  func childStream() -> RandomStream { withStream { $0.child() } }

  /// Calls `body`, which runs outside of tasks, with its own stream. Afterwards `stream` is at the place that `body`
  /// reached.
  func drawing<T>(from stream: inout RandomStream, _ body: () throws -> T) rethrows -> T {
    let outer = random.current
    random.current = stream
    defer {
      stream = random.current
      random.current = outer
    }
    return try body()
  }

  /// Calls `body`, which accepts work of a thread outside of the stage.
  func drawingOutside(_ body: () -> Void) {
    var stream = random.outside
    drawing(from: &stream, body)
    random.outside = stream
  }

  /// Calls `body` with its own stream, although it may run in a task.
  func drawingOutsideOfTasks(from stream: inout RandomStream, _ body: () -> Void) {
    guard random.isInTasks, let task = Runtime.currentTask(), let outer = TaskStream.load(task)
    else {
      return drawing(from: &stream, body)
    }
    TaskStream.store(stream, in: task)
    body()
    TaskStream.store(outer, in: task)
  }

  /// Gives a task that the running code has created its stream, unless it has one.
  func beginStream(of job: UnownedJob) {
    let task = TaskLayout.address(job)
    guard random.isInTasks, TaskStream.load(task) == nil else { return }
    TaskStream.store(childStream(), in: task)
  }

  private func nextSeededNumber() -> UInt64 {
    scheduler?.hasDrawnRandomNumber()
    return random.seeded?.next() ?? withStream { $0.numbers.next() }
  }
}

extension cvt_initialisation {
  /// Calls `body` with the stream of this initialisation. Only the initialised variable determines its numbers: it is
  /// initialised once in a process, whichever code needs it first.
  fileprivate mutating func withStream<T>(_ body: (inout RandomStream) -> T) -> T {
    var stream =
      children == 0 && numbers == 0
      ? RandomStream(seed: StackFunction.identity(of: function))
      : RandomStream(children: children, numbers: numbers)
    defer { (children, numbers) = (stream.children.state, stream.numbers.state) }
    return body(&stream)
  }
}

extension UnsafeMutableRawPointer {
  /// The task at this address, as a job.
  fileprivate var job: UnownedJob { unsafeBitCast(self, to: UnownedJob.self) }
}
