/// Creates and cancels the tasks of attempts and of their interrupts; waits until an attempt has ended.
extension LoadDriver {
  /// Creates the task of an attempt and, if it has interrupts, a task that waits for them.
  @inlinable
  func launch(
    _ attempt: Attempt,
    _ priority: TaskPriority?,
    _ interrupts: [Duration],
    _ onInterrupt: ((Duration) throws -> Void)?,
    isolation: isolated (any Actor)?,
    _ block: @escaping (AttemptContext<State>) async throws -> State.Output?
  ) -> Task<Void, Never> {
    let context = AttemptContext(run: AttemptRun(attempt, of: self, block: block))
    let task = Task(priority: priority) {
      _ = isolation  // Captured, so that the block runs on the caller's actor.
      do {
        context.run.end(returning: try await context.run.block(context))
      } catch {
        context.run.end(throwing: error)
      }
    }
    let timer =
      interrupts.isEmpty
      ? nil : startTimer(attempt, priority, interrupts, onInterrupt, isolation: isolation)
    running.insert(Running(task: task, timer: timer), for: attempt)
    if machine.store(attempt) { slot?.claim(for: self) }
    if !machine.isUndisturbed(attempt) {
      // An observer cancelled the attempt when it started.
      task.cancel()
      timer?.cancel()
    }
    return task
  }

  @inlinable
  func end(_ attempt: Attempt, _ outcome: LoadMachine<State>.Outcome) {
    running.remove(attempt)?.timer?.cancel()
    send(.end(attempt, outcome, taskWasCancelled: Task.isCancelled))
  }

  @inlinable
  func startTimer(
    _ attempt: Attempt,
    _ priority: TaskPriority?,
    _ interrupts: [Duration],
    _ onInterrupt: ((Duration) throws -> Void)?,
    isolation: isolated (any Actor)?
  ) -> Task<Void, Never> {
    Task(priority: priority) {
      _ = isolation
      var sum = Duration.zero
      for delay in interrupts {
        sum += delay
        guard await self.waitForInterrupt(of: attempt, after: delay) else { return }
        self.send(.interrupt(attempt, after: sum))
        do {
          try onInterrupt?(sum)
        } catch {
          return self.send(.stop(attempt, error))
        }
      }
    }
  }

  /// Returns whether the attempt is still undisturbed when the delay has passed.
  @inlinable
  func waitForInterrupt(
    of attempt: Attempt,
    after delay: Duration,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    do {
      try await clock.sleep(for: delay)
      // A block that ends at this instant must end first.
      for _ in 0..<2 where machine.isUndisturbed(attempt) {
        await Task.yield()
        try await clock.sleep(for: .zero)
      }
    } catch {
      return false
    }
    return machine.isUndisturbed(attempt)
  }

  /// Returns when the attempt has ended, or when the calling task is cancelled. In the second case
  /// it cancels the attempt if the caller owns it.
  @inlinable
  func attend(
    _ attempt: Attempt,
    owning: Bool,
    isolation: isolated (any Actor)?
  ) async {
    guard machine.isPending(attempt) else { return }
    let waiter = AttemptWaiter()
    waiters[attempt, default: []].append(waiter)
    let reason = await withTaskCancellationHandler {
      await waiter.wait(isolation: isolation)
    } onCancel: {
      waiter.resume(.left)
    }
    guard reason == .left else { return }
    waiters[attempt]?.removeAll { $0 === waiter }
    if owning { send(.leave(attempt)) }
  }

  /// The tasks of all attempts whose blocks still run, oldest first.
  package var tasks: [Task<Void, Never>] {
    running.attempts.flatMap { attempt in
      [running[attempt]?.task, running[attempt]?.timer].compactMap(\.self)
    }
  }

  /// Cancels the tasks of all running blocks, regardless of the policy, and changes nothing else.
  /// For callers that release the driver: otherwise the tasks would wait forever.
  package func cancelTasks() {
    // A cancellation handler may end other attempts.
    for attempt in running.attempts {
      running[attempt]?.timer?.cancel()
      running[attempt]?.task.cancel()
    }
  }
}
