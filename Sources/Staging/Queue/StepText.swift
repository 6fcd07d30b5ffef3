import CVirtualTime

/// A possible step of a stage, for readers.
package struct StepText: Sendable, Hashable, Codable {
  /// What runs: `task 3`, `'refresh'`, `a block on DispatchQueue.main`.
  package let subject: String
  /// Where the tested code continues, or where a task was created that has not begun; nil if unknown.
  private let place: String?

  init(subject: String, place: String? = nil) {
    (self.subject, self.place) = (subject, place)
  }

  /// The place, or what runs.
  package var text: String { place ?? subject }

  /// The text with the subject, to tell steps of one place apart.
  package var longText: String { place.map { "\($0) (\(subject))" } ?? subject }
}

extension Turn {
  /// Returns what a step does. Slow, because it looks up functions and lines.
  package func text(of index: Int) -> StepText {
    if let block = block(index) { return block.text }
    guard let job = taskJob(index), Runtime.isTask(job) else {
      return StepText(subject: index < jobs ? "a step of an actor" : "a timer")
    }
    let task = TaskLayout.address(job)
    guard TaskLayout.isKnown else { return StepText(subject: "a task") }
    let frames = StackFunction.frames(at: TaskLayout.resumeAddresses(task))
    let name = TaskLayout.name(task).map { "'\($0)'" } ?? WaitingTask.unnamed(number(of: job))
    // A task that has not begun is in no function yet.
    let origin = origin(of: job).map { frame in
      "the task created \(frame.place.map { "at \($0)" } ?? "in \(frame.function)")"
    }
    return StepText(subject: name, place: frames.first.map { "\($0)" } ?? origin)
  }
}

extension QueuedBlock {
  fileprivate var text: StepText {
    let name = queue.map { QueueName.text(of: $0.object) } ?? "a thread"
    guard case .block(let block) = work else {
      return StepText(subject: queue == nil ? "a thread that was blocked" : "a timer on \(name)")
    }
    // The function of a block is the third word of its object. That of a Swift closure is made by the compiler.
    let function = block.load(fromByteOffset: 16, as: UInt.self) + 1
    let frame = StackFunction.frames(at: [function]).first
    return StepText(subject: "a block on \(name)", place: frame.map { "\($0)" })
  }
}
