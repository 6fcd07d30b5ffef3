/// An abstraction of a load machine without values and attempt numbers: two machines with equal
/// sketches and policies behave alike from there on.
package struct LoadSketch: Hashable {
  let phase: LifecyclePhase
  let settled: LifecyclePhase
  let live: [Live]
  let waiting: [Waiting]
  /// The index of the stored attempt among the live ones.
  let stored: Int?

  struct Live: Hashable {
    let isAsync: Bool
    let counts: Bool
    let isCancelled: Bool
    /// The request of the error that an interrupt threw; nil if none did.
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

  /// Returns the sketch of the machine; `isMarked` distinguishes attempts that the machine treats
  /// alike.
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
