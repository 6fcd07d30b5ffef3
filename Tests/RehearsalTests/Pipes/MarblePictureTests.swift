import Pipelines
import Testing

@testable import Rehearsal

@Suite struct MarblePictureTests {
  private typealias Lane = MarblePicture.Lane

  private static func lane(_ name: String, _ events: (Int, MarbleDrawing.Event)...) -> Lane {
    Lane(name: name, events: events.map { (.milliseconds($0), $1) })
  }

  @Test func `a column is one tick`() throws {
    let lanes = [
      Self.lane("a", (0, .value("x")), (0, .value("y")), (200, .finished)),
      Self.lane("long", (100, .value("x"))),
    ]
    let picture = try MarblePicture(
      of: lanes,
      tick: nil,
      until: .milliseconds(400),
      width: 80
    )
    #expect(picture.lines == ["a     (xy)-|", "long  -   x--", "a tick is 100ms"])
  }

  @Test func `equal values have the same name in all diagrams, and other values another`() throws {
    let lanes = [
      Self.lane("a", (0, .value("10")), (100, .value("a"))), Self.lane("b", (100, .value("10"))),
    ]
    let picture = try MarblePicture(of: lanes, tick: nil, until: .zero, width: 80)
    #expect(picture.lines == ["a  ba", "b  -b", "b = 10  a tick is 100ms"])
  }

  @Test func `a picture begins with the first event, and shows its time`() throws {
    let lanes = [Self.lane("a", (65_030, .value("x")), (65_100, .failed))]
    let picture = try MarblePicture(of: lanes, tick: nil, until: .seconds(66), width: 80)
    #expect(
      picture.lines == ["a  x#", "a tick is 100ms, from 65s  1 event drawn at the tick before"]
    )
  }

  @Test func `without a tick the shortest one that fits is used`() throws {
    let lanes = [Self.lane("a", (0, .value("x")), (30_000, .finished))]
    let picture = try MarblePicture(of: lanes, tick: nil, until: .seconds(30), width: 40)
    #expect(picture.lines == ["a  x" + String(repeating: "-", count: 29) + "|", "a tick is 1s"])
  }

  @Test(arguments: [0, 1])
  func `a picture with too many ticks is refused`(milliseconds: Int) {
    let lanes = [Self.lane("a", (0, .value("x")), (60_000, .finished))]
    #expect(throws: MarbleDrawing.Problem.self) {
      try MarblePicture(
        of: lanes,
        tick: .milliseconds(milliseconds),
        until: .zero,
        width: 80
      )
    }
  }

  @Test func `a drawn lane parses to its values`() throws {
    let lanes = [
      Self.lane("a", (100, .value("p")), (100, .value("q")), (500, .failed)),
      Self.lane("b", (0, .value("r")), (100, .value("s"))),
    ]
    let picture = try MarblePicture(of: lanes, tick: nil, until: .seconds(1), width: 80)
    let marble = try Marble(String(picture.lines[0].dropFirst(3)))
    #expect(marble.description == "-(pq)---#")
  }
}
