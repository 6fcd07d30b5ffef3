import Timelines

extension Recording {
  /// A recording with awkward names, values and times; the same seed gives the same recording.
  static func odd(seed: UInt64, events: Int) -> Recording {
    var maker = OddRecording(state: seed &+ 1)
    return maker.make(events: events)
  }

  /// Texts that are special in one format or another.
  static let oddTexts = [
    "", "loaded 1", "</script><script>alert(1)</script>", "<!-- <b>&amp; ]]>",
    #"quote " and \ and '"#,
    "line\nbreak\r\ntab\t", "\u{1B}[2J\u{7}\u{0}\u{7F}\u{85}", "👩‍👩‍👧‍👦🇩🇪 e\u{301}",
    "שלום \u{202E}cba\u{202C} مرحبا",
    "日本語\u{2028}\u{FEFF}", "end", "section a: b; #c %%d", "${x} `y` {{z}}", "\u{10FFFF}\u{E0001}",
    String(repeating: "長", count: 300),
  ]
}

private struct OddRecording {
  var state: UInt64
  var recording = Recording()

  private mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func text() -> String { Recording.oddTexts[next(Recording.oddTexts.count)] }

  private mutating func optional<Value>(_ value: Value) -> Value? { next(2) == 0 ? nil : value }

  mutating func make(events: Int) -> Recording {
    for index in 0..<next(6) + 1 { addLane(index) }
    var time = Duration.zero
    for _ in 0..<events {
      time +=
        [.zero, .zero, Duration(attoseconds: 1), .milliseconds(250), .seconds(86_400)][next(5)]
      if next(3) == 0 { addRecord(at: time) }
      addEvent(at: time)
    }
    if next(2) == 0 { addRecord(at: time) }
    recording.advance(to: time + .nanoseconds(next(3)))
    return recording
  }

  private mutating func addLane(_ index: Int) {
    let phase = Recording.Phase.allCases[next(4)]
    _ = recording.addLane(
      Recording.Lane(
        name: text(),
        word: ["loadable", "process", "pipe", "request"][next(4)],
        initial: text(),
        phase: optional(phase),
        machine: optional("loadable latest"),
        owner: index == 0 ? nil : optional(next(index))
      )
    )
  }

  private mutating func addRecord(at time: Duration) {
    _ = recording.begin(text(), at: time)
    for _ in 0..<next(3) { recording.print(text()) }
  }

  private mutating func addEvent(at time: Duration) {
    let (state, phase, answer) = (text(), Recording.Phase.allCases[next(4)], text())
    recording.append(
      Recording.Event(
        time: time,
        lane: next(recording.lanes.count),
        attempt: optional(next(5)),
        kind: kind(),
        state: optional(state),
        phase: optional(phase),
        answer: optional(answer),
        process: optional(answer),
        cause: recording.records.isEmpty ? nil : optional(next(recording.records.count))
      )
    )
  }

  private mutating func kind() -> Recording.Kind {
    let end = Recording.End.allCases[next(5)]
    let flag = next(2) == 0
    let kinds: [Recording.Kind] = [
      .started(replacing: optional(next(4)), silently: flag), .queued, .refused,
      .yielded(dropped: flag), .interrupted, .retrying, .stopped(end, pending: flag),
      .ended(end, dropped: flag), .cancelled, .reset, .assigned, .changed,
      .governed(by: "loadable \"queue\""), .forgotten,
    ]
    return kinds[next(kinds.count)]
  }
}
