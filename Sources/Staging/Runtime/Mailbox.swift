import CVirtualTime

/// The waiting messages of a default actor: tasks that are to run on it.
///
/// The owner of the actor's job owns the actor: until that job runs, no thread enters the actor.
struct Mailbox {
  private let actor: UnsafeMutableRawPointer

  /// The mailbox of the actor whose messages a job runs; nil for other jobs.
  init?(of job: ReadyJob) {
    guard job.isActor, let actor = cvt_actor_of(unsafeBitCast(job.job, to: UnsafeRawPointer.self))
    else { return nil }
    self.actor = actor
  }

  /// The actor as an executor.
  var executor: UnownedSerialExecutor {
    unsafeBitCast((actor, 0), to: UnownedSerialExecutor.self)
  }

  /// The actor as an object.
  var object: Unmanaged<AnyObject> { Unmanaged.fromOpaque(actor) }

  /// The name of the actor's type.
  var typeName: String { object._withUnsafeGuaranteedRef { "\(type(of: $0))" } }

  var isEmpty: Bool { cvt_last_message(actor) == nil }

  var count: Int {
    var count = 0
    var next = cvt_last_message(actor)
    while let message = next {
      count += 1
      next = cvt_earlier_message(message)
    }
    return count
  }

  /// The newest message.
  var last: UnownedJob? {
    cvt_last_message(actor).map { unsafeBitCast($0, to: UnownedJob.self) }
  }

  /// The only message; nil if there are more.
  var only: UnownedJob? {
    guard let last = cvt_last_message(actor), cvt_earlier_message(last) == nil else { return nil }
    return unsafeBitCast(last, to: UnownedJob.self)
  }

  /// All messages, oldest first.
  var messages: [UnownedJob] {
    var messages: [UnownedJob] = []
    var next = cvt_last_message(actor)
    while let message = next {
      messages.append(unsafeBitCast(message, to: UnownedJob.self))
      next = cvt_earlier_message(message)
    }
    messages.reverse()
    return messages
  }

  /// Returns whether a message destroys the actor. Such a message is the only one, and releases the
  /// actor.
  func isEnded(by message: UnownedJob) -> Bool {
    Runtime.isDeinit(message)
      && cvt_actor_of(unsafeBitCast(message, to: UnsafeRawPointer.self)) == actor
  }

  /// Removes a message, which must wait in this mailbox.
  func take(_ message: UnownedJob) {
    let isTaken = cvt_take_message(actor, unsafeBitCast(message, to: UnsafeMutableRawPointer.self))
    precondition(isTaken, "A message can be taken only while it waits.")
  }
}
