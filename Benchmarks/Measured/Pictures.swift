import Timelines

extension Benchmark {
  /// Recordings rendered as SVG and as HTML, and the frame times of the page in a browser.
  static let pictures = Benchmark(name: "pictures") {
    measureText(of: .crowd(events: 100_000))
    let recording = Recording.crowd(events: 10_000)
    measure("SVG", of: recording) { SVGTimeline().text(of: $0) }
    measure("HTML", of: recording) { HTMLTimeline().text(of: $0) }
    for (name, crowd) in [
      ("10,000 events", recording), ("1,000 members", .crowd(events: 10_000, lanes: 1000)),
    ] {
      measureFrames(name, HTMLTimeline().text(of: crowd))
    }
  }

  private static func measure(
    _ name: String,
    of recording: Recording,
    draw: (Recording) -> String
  ) {
    var picture = ""
    let samples = Samples.seconds { picture = draw(recording) }
    Table.print(
      Row(
        what: "10,000 events drawn as \(name), CPU time",
        samples: samples,
        unit: .seconds,
        goal: .atMost(0.5),
        floor: Row.Floor(what: "to write its bytes", samples: copying(picture))
      )
    )
    Table.print(
      Row(
        what: "10,000 events drawn as \(name), size",
        samples: Samples([Double(picture.utf8.count)]),
        unit: .bytes,
        goal: .atMost(5e6),
        floor: Row.Floor(what: "as JSON", samples: Samples([Double(recording.json.utf8.count)]))
      )
    )
  }

  private static func measureText(of recording: Recording) {
    var lines: [String] = []
    let floor = Samples.seconds {
      let letters = recording.events.reduce(0) { $0 + ($1.state?.utf8.count ?? 0) }
      precondition(letters > 0, "Every event has a state.")
    }
    Table.print(
      Row(
        what: "100,000 events drawn as text, CPU time",
        samples: Samples.seconds { lines = TextTimeline().lines(of: recording) },
        unit: .seconds,
        goal: .atMost(0.2),
        floor: Row.Floor(what: "to walk over the events once", samples: floor)
      )
    )
    precondition(lines.count > 10, "A picture has an axis and ten lanes.")
  }

  /// Copies the same bytes in pieces of the length of a line.
  private static func copying(_ picture: String) -> Samples {
    let lines = picture.split(separator: "\n").map(String.init)
    return Samples.seconds {
      var copy = ""
      for line in lines { copy += line }
      precondition(copy.utf8.count <= picture.utf8.count, "Only the line ends are missing.")
    }
  }

  /// Zooms and pans through a page, one frame for each step. Reads a pixel of each frame to force painting.
  private static func measureFrames(_ name: String, _ page: String) {
    guard let frames = PageFrames.milliseconds(of: page), !frames.isEmpty else {
      return Table.note("not measured: frames of a page with \(name); there is no Chromium")
    }
    let samples = Samples(frames.map { $0 / 1000 })
    let worst = Samples([samples.most])
    for (figure, samples, goal) in [("median", samples, 0.016), ("worst", worst, 0.05)] {
      Table.print(
        Row(
          what: "a frame of a page, \(name), zooming: \(figure)",
          samples: samples,
          unit: .seconds,
          goal: .atMost(goal)
        )
      )
    }
  }
}

extension Recording {
  /// Loads in ten members, one after another, that yield once and then answer or fail.
  fileprivate static func crowd(events count: Int, lanes: Int = 10) -> Recording {
    var recording = Recording()
    for index in 0..<lanes {
      _ = recording.addLane(
        Lane(name: "member\(index)", word: "loadable", initial: "absent", phase: .resting)
      )
    }
    for load in 0..<count / 4 {
      let command = recording.begin(
        "load member\(load % lanes) \(load) after 25ms",
        at: recording.end
      )
      recording.print("\(load * 30)ms  member\(load % lanes)  loading #\(load / lanes + 1)")
      recording.addLoad(load, lanes: lanes, cause: command)
    }
    return recording
  }

  private mutating func addLoad(_ load: Int, lanes: Int, cause: Int) {
    let isFailing = load.isMultiple(of: 7)
    let kinds: [(Kind, String, Phase)] = [
      (.started(replacing: nil, silently: false), "loading #\(load / lanes + 1)", .inFlight),
      (.yielded(dropped: false), "loaded \(load)", .succeeded),
      (.interrupted, "loaded \(load)", .succeeded),
      isFailing
        ? (.ended(.failed, dropped: false), "error timeout", .failed)
        : (.ended(.succeeded, dropped: false), "loaded \"value \(load)\"", .succeeded),
    ]
    for (index, (kind, state, phase)) in kinds.enumerated() {
      append(
        Event(
          time: .milliseconds(load * 30 + index * 8),
          lane: load % lanes,
          attempt: load / lanes + 1,
          kind: kind,
          state: state,
          phase: phase,
          answer: index == 0 ? nil : state,
          cause: index == 0 ? cause : nil
        )
      )
    }
  }
}
