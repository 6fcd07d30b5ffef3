import RehearsalBase
import Testing

@testable import Timelines

/// Pictures of a user's own model: values as bars, commands as marks, a linear time axis.
@Suite struct ValueLaneTests {
  /// A scene with a Bool, an enum and a command.
  private static func scene(_ changes: [(seconds: Int, lane: Int, state: String)]) -> Recording {
    var recording = Recording()
    for (name, word, initial, values) in [
      ("commands", "commands", "", nil), ("isBusy", "property", "false", .flag),
      ("phase", "property", "\"idle\"", .cases),
    ] as [(String, String, String, Recording.Lane.Values?)] {
      _ = recording.addLane(
        Recording.Lane(name: name, word: word, initial: initial, values: values)
      )
    }
    for change in changes {
      recording.append(
        Recording.Event(
          time: .seconds(change.seconds),
          lane: change.lane,
          attempt: nil,
          kind: .changed,
          state: change.state,
          phase: .resting
        )
      )
    }
    return recording
  }

  private static let login = scene([
    (0, 2, "\"idle\""), (2, 0, "log-in"), (2, 1, "true"), (2, 2, "\"loading\""), (4, 1, "false"),
    (4, 2, "\"loaded\""), (6, 2, "\"idle\""),
  ])

  @Test func `a Bool is a bar while true, a case is a bar with its name`() {
    let lines = TextTimeline(width: 60).lines(of: Self.login)
    #expect(
      lines == [
        "          0s           2s           4s            6s",
        "          ├────────────┼────────────┼─────────────┤",
        "commands               ▷ log-in",
        "isBusy    false        ┣━━━━━━━━━━━━┫                false",
        "phase     ┣idle━━━━━━━━┣loading━━━━━┣loaded━━━━━━━┣  \"idle\"",
        "▷ command",
      ]
    )
  }

  @Test func `the picture of a model is kept`() throws {
    try expectPicture("model.svg", TimelineFormat.svg.text(of: Self.login))
  }

  @Test func `a value that begins at the end has some width`() {
    let svg = SVGTimeline().text(of: Self.scene([(1, 0, "tap"), (2, 1, "true")]))
    #expect(svg.contains("<rect class=\"bar\""))
  }

  @Test(arguments: [(nil, "GET /feed "), (0, "  GET /feed ")] as [(Int?, String)])
  func `a request without a member is not indented`(owner: Int?, label: String) {
    let lines = TextTimeline(width: 60).lines(of: Self.request(owner: owner, firstByteAt: 1))
    #expect(lines.contains { $0.hasPrefix(label) })
  }

  @Test(arguments: [(1, true), (2, false)])
  func `the first byte at the instant of the end has no mark`(second: Int, hasMark: Bool) {
    let lines = TextTimeline(width: 60).lines(of: Self.request(owner: 0, firstByteAt: second))
    #expect(lines.contains { $0.contains("◆") } == hasMark)
  }

  /// A model, and a request that is answered at 2 seconds.
  private static func request(owner: Int?, firstByteAt second: Int) -> Recording {
    var recording = scene([])
    let lane = recording.addLane(
      Recording.Lane(name: "GET /feed", word: "request", initial: "", owner: owner)
    )
    func append(_ second: Int, _ kind: Recording.Kind, _ state: String) {
      recording.append(
        Recording.Event(time: .seconds(second), lane: lane, attempt: 1, kind: kind, state: state)
      )
    }
    append(0, .started(replacing: nil, silently: false), "in flight")
    append(second, .yielded(dropped: false), "in flight")
    append(2, .ended(.succeeded, dropped: false), "200")
    return recording
  }

  @Test func `a lane of commands without a command is not drawn`() {
    let lines = TextTimeline(width: 60).lines(of: Self.scene([(1, 1, "true")]))
    #expect(!lines.joined().contains("commands"))
    #expect(lines.contains { $0.hasPrefix("isBusy") })
  }

  @Test func `a value whose beginning was left out begins at the left edge`() throws {
    var recording = Self.scene([(1, 1, "true"), (2, 2, "\"loading\""), (4, 1, "false")])
    _ = recording.omit(keepingEvents: 2, records: 0, lanes: [0, 1, 2])
    let model = TimelineModel(recording)
    let lane = try #require(model.lanes.first { $0.name == "isBusy" })
    let bar = try #require(lane.bars.first)
    #expect(lane.initial == "true")
    #expect(bar.start == 0 && bar.end == 1)
    #expect(bar.marks.map(\.mark) == [.entered, .left])
  }

  @Test func `changes of different lanes at one instant share a moment`() {
    #expect(TimelineModel(Self.login).moments == [0, 2, 4, 6].map { .seconds($0) })
    let widened = TimelineModel(Self.login, isWidened: true)
    #expect(widened.moments == [0, 2, 2, 2, 4, 4, 6].map { .seconds($0) })
  }

  @Test func `a linear scale gives equal durations equal lengths`() {
    func places(_ step: Double?) -> [Double] {
      PlotScale(
        moments: [0, 2, 2, 2, 4, 4, 6].map { .seconds($0) },
        start: .zero,
        end: .seconds(6),
        width: 300,
        step: step
      ).places
    }
    #expect(places(nil) == [0, 100, 100, 100, 200, 200, 300])
    let widened = places(16)
    #expect(Set(widened).count == 7)
  }

  @Test func `the moments of one instant divide the width`() {
    let scale = PlotScale(
      moments: [.zero, .zero, .zero],
      start: .zero,
      end: .zero,
      width: 300,
      step: nil
    )
    #expect(Set(scale.places).count == 3)
  }

  @Test func `values survive JSON`() throws {
    let again = try Recording(json: Array(Self.login.json.utf8))
    #expect(again == Self.login)
    #expect(again.lanes.map(\.values) == [nil, .flag, .cases])
  }

  @Test func `every format draws values`() {
    for format in TimelineFormat.all {
      let text = format.text(of: Self.login)
      #expect(text.contains("loading"), "\(format.name)")
    }
  }
}
