import Timelines

extension Recording {
  /// A session of two members and a request, with its commands.
  static var session: Recording {
    var recording = Recording()
    let profile = recording.addLane(
      Lane(name: "profile", word: "loadable", initial: "absent", phase: .resting)
    )
    recording.add("load profile from GET /users/1") {
      let request = $0.addLane(
        Lane(name: "GET /users/1", word: "request", initial: "", phase: .resting, owner: profile)
      )
      $0.start(profile, 1)
      $0.start(request, 1)
    }
    let feed = recording.addLane(
      Lane(name: "feed", word: "loadable", initial: "absent", phase: .resting)
    )
    recording.add("load feed [1]") { $0.start(feed, 1) }
    recording.add("settle") {
      $0.answer(feed, 1, "[1]", at: 500)
      $0.answer(1, 1, "200", at: 700)
      $0.answer(profile, 1, "\"Ada\"", at: 700)
    }
    recording.advance(to: .milliseconds(1000))
    recording.add("load profile fail timeout after 1s") { $0.start(profile, 2) }
    recording.add("settle") { $0.fail(profile, 2, "timeout", at: 2000) }
    return recording
  }

  /// An error before a folded gap, and an attempt on both sides of it.
  static var folded: Recording {
    var recording = Recording()
    let lane = recording.addLane(
      Lane(name: "profile", word: "loadable", initial: "absent", phase: .resting)
    )
    recording.start(lane, 1)
    recording.fail(lane, 1, "a long story that tells what went wrong", at: 2900)
    recording.advance(to: .milliseconds(2990))
    recording.start(lane, 2)
    recording.answer(lane, 2, "2", at: 63_000)
    recording.advance(to: .seconds(64))
    recording.start(lane, 3)
    recording.advance(to: .seconds(65))
    return recording
  }

  /// Changes of properties: the second has no room at its right, because the third is near. At its left is more and more
  /// room.
  static var changes: Recording {
    var recording = Recording()
    let gaps = Array(stride(from: 300, through: 1500, by: 100))
    for gap in gaps {
      _ = recording.addLane(Lane(name: "title \(gap)", word: "property", initial: "none"))
    }
    let events = gaps.enumerated().flatMap { lane, gap in
      [(0, "first"), (gap, "second"), (gap + 200, "third")].map { (lane, $0, $1) }
    }
    for (lane, time, value) in events.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
      recording.append(
        Event(time: .milliseconds(time), lane: lane, attempt: nil, kind: .changed, state: value)
      )
    }
    recording.advance(to: .seconds(4))
    return recording
  }

  /// Two runs of a process with several kinds, one immediately after the other.
  static var processes: Recording {
    var recording = Recording()
    let lane = recording.addLane(
      Lane(name: "saver", word: "process", initial: "idle", phase: .resting)
    )
    for (attempt, kind) in [(1, "save"), (2, "delete")] {
      let started = Kind.started(replacing: nil, silently: false)
      let time = Duration.seconds(70 * (attempt - 1))
      for (kind, time, process) in [
        (started, time, kind), (.ended(.succeeded, dropped: false), time + .seconds(70), nil),
      ] {
        recording.append(
          Event(time: time, lane: lane, attempt: attempt, kind: kind, process: process)
        )
      }
    }
    return recording
  }

  /// Malicious names, values, commands and output.
  static var mischief: Recording {
    let script = "</script><script>window.evil = 1</script><img src=x onerror=evil()>"
    var recording = Recording()
    for name in [
      script, "\u{202E}שלום \u{0}\u{1B}[2J", "👩‍👩‍👧‍👦 ]]><!--", "a&lt;b \u{2028}'\"`${evil()}",
    ] {
      let lane = recording.addLane(
        Lane(name: name, word: "loadable", initial: name, phase: .resting)
      )
      recording.add("load \(name)", output: [script, name]) { $0.start(lane, 1) }
      recording.answer(lane, 1, name, at: 100 * (lane + 1))
    }
    return recording
  }

  /// `count` events in ten lanes: loads that yield once and then answer or fail.
  static func crowd(_ count: Int, lanes: Int = 10) -> Recording {
    var recording = Recording()
    for index in 0..<lanes {
      _ = recording.addLane(
        Lane(name: "m\(index)", word: "loadable", initial: "absent", phase: .resting)
      )
    }
    for load in 0..<count / 2 {
      let (lane, attempt) = (load % lanes, load / lanes + 1)
      recording.advance(to: .milliseconds(load * 30))
      recording.start(lane, attempt)
      if load.isMultiple(of: 7) {
        recording.fail(lane, attempt, "Boom", at: load * 30 + 20)
      } else {
        recording.answer(lane, attempt, "\"value \(load)\"", at: load * 30 + 20)
      }
    }
    return recording
  }

  /// Loads that are all in flight at the same time, in one lane.
  static func pile(_ count: Int) -> Recording {
    var recording = Recording()
    let lane = recording.addLane(
      Lane(name: "pile", word: "loadable", initial: "absent", phase: .resting)
    )
    for attempt in 1...count { recording.start(lane, attempt) }
    for attempt in 1...count { recording.answer(lane, attempt, "\(attempt)", at: 1000) }
    return recording
  }

  /// Two loads of a microsecond, a year apart.
  static var year: Recording {
    var recording = Recording()
    let lane = recording.addLane(
      Lane(name: "year", word: "loadable", initial: "absent", phase: .resting)
    )
    for attempt in 1...2 {
      recording.advance(to: .seconds(31_536_000 * (attempt - 1)))
      recording.start(lane, attempt)
      recording.advance(to: recording.end + .microseconds(1))
      recording.append(
        Event(
          time: recording.end,
          lane: lane,
          attempt: attempt,
          kind: .ended(.succeeded, dropped: false),
          state: "loaded 1",
          phase: .succeeded,
          answer: "1"
        )
      )
    }
    return recording
  }

  private mutating func add(
    _ command: String,
    output: [String] = [],
    effects: (inout Recording) -> Void
  ) {
    _ = begin(command, at: end)
    for line in output { print(line) }
    effects(&self)
  }

  private mutating func start(_ lane: Int, _ attempt: Int) {
    append(
      Event(
        time: end,
        lane: lane,
        attempt: attempt,
        kind: .started(replacing: nil, silently: false),
        state: "loading #\(attempt)",
        phase: .inFlight,
        cause: records.isEmpty ? nil : records.count - 1
      )
    )
  }

  private mutating func answer(_ lane: Int, _ attempt: Int, _ value: String, at time: Int) {
    let kind = Kind.ended(.succeeded, dropped: false)
    append(event(lane, attempt, kind, "loaded \(value)", .succeeded, value, at: time))
  }

  private mutating func fail(_ lane: Int, _ attempt: Int, _ error: String, at time: Int) {
    let kind = Kind.ended(.failed, dropped: false)
    append(event(lane, attempt, kind, "error \(error)", .failed, error, at: time))
  }

  private func event(
    _ lane: Int,
    _ attempt: Int,
    _ kind: Kind,
    _ state: String,
    _ phase: Phase,
    _ answer: String,
    at milliseconds: Int
  ) -> Event {
    Event(
      time: .milliseconds(milliseconds),
      lane: lane,
      attempt: attempt,
      kind: kind,
      state: state,
      phase: phase,
      answer: answer
    )
  }
}
