import Testing

@testable import Timelines

/// The transitions in the events of a recording.
@Suite struct TransitionReaderTests {
  private struct Lane {
    var recording = Recording()

    init(machine: String? = "loadable latest", phase: Recording.Phase? = .resting) {
      _ = recording.addLane(
        Recording.Lane(name: "a", word: "loadable", initial: "", phase: phase, machine: machine)
      )
    }

    mutating func add(
      _ kind: Recording.Kind,
      _ attempt: Int? = 1,
      _ phase: Recording.Phase? = nil,
      answer: String? = nil
    ) {
      recording.append(
        Recording.Event(
          time: .zero,
          lane: 0,
          attempt: attempt,
          kind: kind,
          state: nil,
          phase: phase,
          answer: answer
        )
      )
    }

    var causes: [Transition.Cause] {
      var causes: [Transition.Cause] = []
      recording.forEachTransition { _, _, transition in causes.append(transition.cause) }
      return causes
    }
  }

  @Test func `a transition has the phase before and the phase after`() {
    var lane = Lane()
    lane.add(.started(replacing: nil, silently: false), 1, .inFlight)
    lane.add(.ended(.succeeded, dropped: false), 1, .succeeded, answer: "1")
    #expect(
      TransitionCounts(lane.recording).machines == [
        "loadable latest": [
          Transition(from: .resting, cause: .start, to: .inFlight): 1,
          Transition(from: .inFlight, cause: .value, to: .succeeded): 1,
        ]
      ]
    )
  }

  @Test func `a state that a replaced attempt writes is late`() {
    var lane = Lane()
    lane.add(.started(replacing: nil, silently: false), 1, .inFlight)
    lane.add(.started(replacing: 1, silently: false), 2, .inFlight)
    lane.add(.yielded(dropped: false), 1, .succeeded, answer: "1")
    lane.add(.ended(.failed, dropped: false), 1, .failed, answer: "e")
    lane.add(.ended(.succeeded, dropped: false), 2, .succeeded, answer: "2")
    #expect(lane.causes == [.start, .restart, .late, .late, .value])
  }

  @Test func `an attempt that obeys takes no transition, a late answer does`() {
    var lane = Lane()
    lane.add(.started(replacing: nil, silently: false), 1, .inFlight)
    lane.add(.cancelled, 1, .resting)
    lane.add(.ended(.cancelled, dropped: true))
    lane.add(.ended(.succeeded, dropped: true), answer: "1")
    #expect(lane.causes == [.start, .cancel, .dropped])
  }

  @Test func `a block that returns after its yields ends without a value`() {
    var lane = Lane()
    lane.add(.yielded(dropped: false), 1, .succeeded, answer: "loaded 1")
    lane.add(.ended(.succeeded, dropped: false))
    lane.add(.ended(.empty, dropped: false))
    #expect(lane.causes == [.yield, .end, .end])
  }

  @Test func `retries and interrupts are no transitions`() {
    var lane = Lane()
    lane.add(.interrupted)
    lane.add(.retrying, answer: "e")
    lane.add(.forgotten, nil)
    #expect(lane.causes == [])
  }

  @Test func `a stop is a timeout unless it asks for a reset`() {
    var lane = Lane()
    lane.add(.stopped(.failed, pending: false), 1, .failed)
    lane.add(.stopped(.cancelled, pending: false))
    lane.add(.stopped(.reset, pending: false), 1, .resting)
    #expect(lane.causes == [.timeout, .end, .resetting])
  }

  @Test func `transitions belong to the machine at their time`() {
    var lane = Lane()
    lane.add(.reset, nil)
    lane.add(.governed(by: "loadable queue"), nil)
    lane.add(.queued)
    let counts = TransitionCounts(lane.recording)
    #expect(counts.machines["loadable latest"]?.keys.map(\.cause) == [.reset])
    #expect(counts.machines["loadable queue"]?.keys.map(\.cause) == [.queue])
    #expect(lane.recording.machines(of: 0) == ["loadable latest", "loadable queue"])
  }

  @Test func `lanes without states or a machine take no transitions`() {
    for (machine, phase) in [("loadable latest", nil), (nil, Recording.Phase.resting)] {
      var lane = Lane(machine: machine, phase: phase)
      lane.add(.reset, nil)
      #expect(lane.causes == [])
    }
  }

  @Test func `counts of two runs are added up`() {
    let (one, two) = (
      Transition(from: nil, cause: .set, to: .failed),
      Transition(from: nil, cause: .set, to: .resting)
    )
    var left = TransitionCounts()
    left.add(one, of: "a")
    var right = TransitionCounts()
    right.add(one, of: "a", times: 2)
    right.add(two, of: "b")
    left.merge(right)
    #expect(left.machines == ["a": [one: 3], "b": [two: 1]])
  }
}
