import Timelines

/// A builder of recordings, in a few words.
struct Situation {
  private(set) var recording = Recording()
  private var milliseconds = 0
  private var lane = 0

  init(_ name: String = "profile", initially state: String = "absent") {
    member(name, initially: state)
  }

  /// Adds a member and makes it current.
  mutating func member(
    _ name: String,
    initially state: String = "absent",
    phase: Recording.Phase? = nil,
    machine: String? = nil
  ) {
    lane = recording.addLane(
      Recording.Lane(
        name: name,
        word: "loadable",
        initial: state,
        phase: phase,
        machine: machine
      )
    )
  }

  /// Adds a request of the member and makes it current.
  mutating func request(_ name: String) {
    lane = recording.addLane(
      Recording.Lane(name: name, word: "request", initial: "", phase: .resting, owner: lane)
    )
  }

  /// Makes this member current.
  mutating func turn(to name: String) {
    lane = recording.lanes.firstIndex { $0.name == name } ?? lane
  }

  /// Sets the current time, in milliseconds since the beginning.
  mutating func at(_ milliseconds: Int) {
    self.milliseconds = milliseconds
    recording.advance(to: .milliseconds(milliseconds))
  }

  mutating func add(
    _ kind: Recording.Kind,
    _ attempt: Int? = nil,
    state: String? = nil,
    phase: Recording.Phase? = nil,
    answer: String? = nil
  ) {
    let time = Duration.milliseconds(milliseconds)
    recording.append(
      Recording.Event(
        time: time,
        lane: lane,
        attempt: attempt,
        kind: kind,
        state: state,
        phase: phase,
        answer: answer
      )
    )
  }

  mutating func start(_ attempt: Int, replacing: Int? = nil) {
    let kind = Recording.Kind.started(replacing: replacing, silently: false)
    add(kind, attempt, state: "loading #\(attempt)", phase: .inFlight)
  }

  mutating func startSilently(_ attempt: Int) {
    add(.started(replacing: nil, silently: true), attempt)
  }

  mutating func answer(_ attempt: Int, _ value: String) {
    let kind = Recording.Kind.ended(.succeeded, dropped: false)
    add(kind, attempt, state: "loaded \(value)", phase: .succeeded, answer: value)
  }

  mutating func yield(_ attempt: Int, _ value: String) {
    let kind = Recording.Kind.yielded(dropped: false)
    add(kind, attempt, state: "loaded \(value)", phase: .succeeded, answer: value)
  }

  mutating func fail(_ attempt: Int, _ error: String) {
    let kind = Recording.Kind.ended(.failed, dropped: false)
    add(kind, attempt, state: "error \(error)", phase: .failed, answer: error)
  }

  mutating func answerTooLate(_ attempt: Int, _ value: String) {
    add(.ended(.succeeded, dropped: true), attempt, answer: value)
  }

  /// The block of a cancelled attempt ends.
  mutating func obey(_ attempt: Int) {
    add(.ended(.cancelled, dropped: true), attempt)
  }
}

extension Recording {
  /// Returns the recording that `build` describes.
  static func of(
    _ name: String = "profile",
    initially state: String = "absent",
    build: (inout Situation) -> Void
  ) -> Recording {
    var situation = Situation(name, initially: state)
    build(&situation)
    return situation.recording
  }
}

extension Recording {
  /// Returns the recording's picture as one text.
  func drawn(width: Int, style: TextTimeline.Style = .unicode) -> String {
    TextTimeline(width: width, style: style).lines(of: self).joined(separator: "\n")
  }
}

extension Recording {
  /// Returns random events; the same seed gives the same events.
  static func random(seed: UInt64, events: Int) -> Recording {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let kinds: [Kind] = [
      .started(replacing: nil, silently: false), .started(replacing: 1, silently: false),
      .started(replacing: 2, silently: true), .queued, .refused, .yielded(dropped: false),
      .yielded(dropped: true), .interrupted, .retrying, .stopped(.failed, pending: false),
      .stopped(.cancelled, pending: true), .ended(.succeeded, dropped: false),
      .ended(.failed, dropped: true), .ended(.cancelled, dropped: true), .cancelled, .reset,
      .assigned, .changed, .governed(by: "loadable queue"), .forgotten,
    ]
    let texts = [nil, "loaded 1", "日本語\u{1B}[2J\n", String(repeating: "長", count: 90), ""]
    let steps = [0, 0, 0, 1, 7, 1000, 60_000, 86_400_000]
    var situation = Situation("長い名前" + String(repeating: "x", count: next(40)))
    for lane in 0..<next(3) {
      situation.member("m\u{7}\(lane)")
    }
    var time = 0
    for _ in 0..<events {
      time += steps[next(next(8) + 1)]
      situation.at(time)
      situation.turn(to: ["m\u{7}0", "m\u{7}1", "-"][next(3)])
      let attempt = next(4) == 0 ? nil : next(5)
      situation.add(
        kinds[next(kinds.count)],
        attempt,
        state: texts[next(5)],
        phase: [nil, .inFlight, .succeeded][next(3)],
        answer: texts[next(5)]
      )
    }
    return situation.recording
  }
}
