import CVirtualTime

/// The name of a step in causes and tables: what runs, and the function and line at which it continues.
package struct StepText: Sendable, Hashable, Codable {
  /// What runs: `task 3`, `'refresh'`, `a block on DispatchQueue.main`, `the answer of feed #1`.
  package let subject: String
  /// Where the tested code continues, or where a task was created that has not begun, or the place of a command; nil if
  /// unknown.
  package let place: String?
  /// The file of the place, without folders; nil if unknown.
  package let file: String?
  /// The line of the place, counted from 1; nil if unknown.
  package let line: Int?
  /// The place with the next line of its function, or at its end with its caller; nil if unknown.
  package let next: String?
  /// Whether the subject says what the step does, and not only what runs.
  package let isEffect: Bool
  /// What runs, if the subject does not say it.
  private let ownRunner: String?
  /// The functions that created a task that has not begun: `Model.load() at Model.swift:14, called in …`; nil for other
  /// steps, and if unknown.
  package let creation: String?

  /// What runs: the subject; for a step with an effect its owner; for a block on a concurrent queue its place.
  package var runner: String { ownRunner ?? subject }

  package init(subject: String, place: CodePlace? = nil, runner: String? = nil) {
    self.init(subject: subject, place, createdIn: nil, runner: runner)
  }

  fileprivate init(
    subject: String,
    _ place: CodePlace?,
    createdIn creation: String?,
    runner: String? = nil
  ) {
    (self.subject, isEffect, ownRunner, self.creation) = (subject, false, runner, creation)
    (self.place, file, line, next) = (place?.text, place?.file, place?.line, place?.next)
  }

  private init(effect: String, of other: StepText, at place: CodePlace?) {
    (subject, isEffect, ownRunner) = (effect, true, other.runner)
    creation = other.creation
    if let place {
      (self.place, file, line, next) = (place.text, place.file, place.line, place.next)
    } else {
      (self.place, file, line, next) = (other.place, other.file, other.line, other.next)
    }
  }

  /// The text of a step that has an effect. The place of the effect replaces that of the step, if it is known.
  package func with(_ effect: String, at place: CodePlace?) -> StepText {
    StepText(effect: effect, of: self, at: place)
  }

  /// What the step does and where; the place, if only that is known; or what runs.
  package var text: String { isEffect ? longText : longPlace ?? subject }

  /// The place, with the next line or the caller, if it is known.
  package var longPlace: String? { next ?? place }

  /// The text with the subject, to tell steps of one place apart.
  package var longText: String {
    if isEffect { return place.map { "\(subject) (\($0))" } ?? subject }
    return longPlace.map { $0 == subject ? subject : "\($0) (\(subject))" } ?? subject
  }
}

/// A place in Swift code or in a script, for readers.
package struct CodePlace: Sendable, Hashable {
  /// `Model.refresh() at Model.swift:14`, `login.rehearse:4`, `'load feed 1'`.
  package let text: String
  /// The name of the file, without folders; nil if unknown.
  package let file: String?
  /// The line, counted from 1; nil if unknown.
  package let line: Int?
  /// The place with the line that follows: `Model.refresh() at Model.swift:14 (next line: Model.swift:15)`; at the end of a
  /// function the place with its caller; nil if unknown.
  package let next: String?

  package init(text: String, file: String?, line: Int?) {
    (self.text, self.file, self.line, next) = (text, file, line, nil)
  }

  init(_ frame: SourceFrame, calledIn caller: SourceFrame? = nil) {
    (text, file, line) = ("\(frame)", frame.file, frame.line)
    let place = frame.file.flatMap { file in frame.nextLine.map { "\(file):\($0)" } }
    next =
      place.map { "\(frame) (next line: \($0))" } ?? caller.map { "\(frame) (called in \($0))" }
  }
}

/// What a step did, in words.
package struct StepEffect: Sendable, Hashable {
  /// `the answer of feed #1`; nil if a cause does not name it.
  package let text: String?
  /// The text in a table of steps; nil if an output line says the same.
  package let row: String?
  /// What the step belongs to: `feed #1`; nil if the effect is all that is known.
  package let owner: String?
  /// The number of the command record of the session that caused it; nil for code.
  package let record: Int?

  package init(
    _ text: String?,
    row: String?,
    owner: String? = nil,
    record: Int? = nil
  ) {
    (self.text, self.row, self.owner, self.record) = (text, row, owner, record)
  }
}

/// A value that code of a run got where several were possible.
package struct ChosenValue: Sendable, Hashable {
  /// What has the value: `'choose' at SearchTests.swift:9`, `the delay of 'load feed 1 after 1s to 2s'`.
  package let name: String
  package let value: String
  /// The number of the command record of the session that left it open; nil for code.
  package let record: Int?

  package init(_ name: String, _ value: String, record: Int? = nil) {
    (self.name, self.value, self.record) = (name, value, record)
  }
}

extension Turn {
  /// Returns what a step does. Slow, because it looks up functions and lines.
  package func text(of index: Int) -> StepText {
    if let block = block(index) { return block.text }
    if let job = taskJob(index), Runtime.isTask(job) { return text(of: job) }
    guard case .scheduled(let scheduled)? = sleeper(index) else {
      return StepText(subject: "a job of an actor")
    }
    return scheduled.queued?.text ?? StepText(subject: scheduled.name ?? "a timer")
  }

  /// Returns a task with the place at which it continues.
  func text(of job: UnownedJob) -> StepText {
    let task = TaskLayout.address(job)
    guard TaskLayout.isKnown else { return StepText(subject: "a task") }
    let frames = StackFunction.innermostFrames(at: TaskLayout.resumeAddresses(task))
    // A task that has not begun is in no function yet.
    let creators = creators(of: job)
    let place = creators.first.map { $0.place.map { "at \($0)" } ?? "in \($0.function)" }
    let name = TaskLayout.name(task).map { "'\($0)'" }
    let unnamed =
      TaskLayout.isChild(job)
      ? place.map { "the child task created \($0)" } ?? "a child task"
      : WaitingTask.unnamed(number(of: job))
    if let frame = frames.first {
      let place = CodePlace(frame, calledIn: frames.dropFirst().first)
      return StepText(subject: name ?? unnamed, place: place)
    }
    let origin = creators.first.map { frame in
      CodePlace(
        text: "the \(TaskLayout.isChild(job) ? "child task" : "task") created \(place ?? "")",
        file: frame.file,
        line: frame.line
      )
    }
    return StepText(
      subject: name ?? unnamed,
      origin,
      createdIn: creators.isEmpty
        ? nil : creators.prefix(2).map(\.description).joined(separator: ", called in ")
    )
  }
}

extension QueuedBlock {
  /// Returns the address in the function of a block, and, if the compiler has made that for a Swift closure, the address in
  /// the closure.
  private static func functions(of block: UnsafeMutableRawPointer) -> [UInt] {
    // `Block_layout` of the C blocks: the function is the third word, and the fourth leads to the size.
    let function = block.load(fromByteOffset: 16, as: UInt.self) + 1
    let description = block.load(fromByteOffset: 24, as: UnsafePointer<UInt>.self)
    // Then follow the captured values: of such a function, a Swift closure.
    guard description[1] >= 40, StackFunction.frames(at: [function]).isEmpty else {
      return [function]
    }
    let closure = block.load(fromByteOffset: 32, as: UInt.self)
    return [StackFunction.target(ofForwarder: closure &+ 1)]
  }

  /// What it is, and where.
  var text: StepText {
    let name = queue.map { QueueName.text(of: $0.object) } ?? "a thread"
    guard case .block(let block) = work else {
      return StepText(subject: queue == nil ? "a thread that was blocked" : "a timer on \(name)")
    }
    let frame = StackFunction.frames(at: Self.functions(of: block)).first
    // Blocks on one concurrent queue may run beside each other, like tasks.
    let runner =
      queue?.isSerial == false ? frame?.place.map { "the block at \($0) on \(name)" } : nil
    return StepText(
      subject: "a block on \(name)",
      place: frame.map { CodePlace($0) },
      runner: runner
    )
  }
}
