/// The steps that a stage took, in order.
struct ExecutionTrace {
  private(set) var steps: [ExecutionStep] = []
  private var numbers: [UInt64: Int] = [:]

  /// Numbers a task when the stage meets it for the first time.
  mutating func meet(_ task: UInt64) {
    if numbers[task] == nil { numbers[task] = numbers.count + 1 }
  }

  mutating func note(_ ready: ReadyJob, at nanoseconds: Int64) {
    if let block = ready.block {
      return add(.ranBlock(Int(block.number), onMain: ready.onMain), at: nanoseconds)
    }
    guard Runtime.isTask(ready.job) else {
      return add(Runtime.isContinuation(ready.job) ? .endedYield : .ranActor, at: nanoseconds)
    }
    let task = Runtime.taskNumber(of: ready.job)
    meet(task)
    add(.ran(task: numbers[task] ?? 0, onMain: ready.onMain), at: nanoseconds)
  }

  mutating func note(_ sleeper: Sleeper, sequence: UInt64, at nanoseconds: Int64) {
    if case .scheduled = sleeper {
      add(.called(sleeper: Int(sequence)), at: nanoseconds)
    } else {
      add(.woke(sleeper: Int(sequence)), at: nanoseconds)
    }
  }

  private mutating func add(_ what: ExecutionStep.What, at nanoseconds: Int64) {
    steps.append(ExecutionStep(at: StageInstant(nanoseconds: nanoseconds), what: what))
  }
}
