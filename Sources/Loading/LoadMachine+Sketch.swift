/// Where a load machine stands, without values and without the numbers of its attempts: two machines of
/// one sketch and one policy go on alike.
package struct LoadSketch: Hashable {
  let phase: LifecyclePhase
  let settled: LifecyclePhase
  let live: [Live]
  let waiting: [Waiting]
  /// The place, among those that live, of the one whose task is stored.
  let stored: Int?

  struct Live: Hashable {
    let isAsync: Bool
    let counts: Bool
    let isCancelled: Bool
    /// What threw an interrupt asks for; nil where none did.
    let stop: Stop?
    let isMarked: Bool
  }

  enum Stop: Hashable {
    case failure, cancellation, reset
  }

  struct Waiting: Hashable {
    let isSilent: Bool
    let isAsync: Bool
  }
}

extension LoadMachine {
  /// Attempts that wait for their turn, in order.
  package var waitingAttempts: [Attempt] { waiting.map(\.attempt) }

  /// How the machine stands; `isMarked` tells attempts apart that the machine holds for alike.
  package func sketch(marking isMarked: (Attempt) -> Bool) -> LoadSketch {
    let attempts = live.attempts
    return LoadSketch(
      phase: state.phase,
      settled: settled.phase,
      live: attempts.compactMap { attempt in
        live[attempt].map { sketch($0, isMarked: isMarked(attempt)) }
      },
      waiting: waiting.map { .init(isSilent: $0.silently, isAsync: $0.form == .async) },
      stored: stored.flatMap { attempts.firstIndex(of: $0) }
    )
  }

  private func sketch(_ record: Record, isMarked: Bool) -> LoadSketch.Live {
    LoadSketch.Live(
      isAsync: record.form == .async,
      counts: record.counts,
      isCancelled: record.isCancelled,
      stop: record.stoppedBy.map { error in
        switch State.request(in: error) {
        case .reset: .reset
        case .cancel: .cancellation
        case nil: error is CancellationError ? .cancellation : .failure
        }
      },
      isMarked: isMarked
    )
  }
}
