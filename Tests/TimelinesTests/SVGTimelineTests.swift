import Foundation
import Testing
import Timelines

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The SVG document: exact bytes, well-formed for any content, readable by screen readers.
@Suite struct SVGTimelineTests {
  /// An answer that comes too late, and the one that replaced it.
  private static let replaced = Recording.of {
    $0.start(1)
    $0.at(1000)
    $0.start(2, replacing: 1)
    $0.at(2000)
    $0.answer(2, "\"new\"")
    $0.at(3000)
    $0.answerTooLate(1, "\"old\"")
  }

  /// Two members, most marks, one crowded instant, and a folded gap.
  private static let everything = Recording.of {
    $0.member("feed", initially: "loaded [0]")
    $0.turn(to: "profile")
    $0.start(1)
    $0.at(300)
    $0.yield(1, "1")
    $0.add(.interrupted, 1)
    $0.at(600)
    $0.add(.retrying, 1, answer: "timeout")
    $0.at(900)
    $0.fail(1, "timeout")
    $0.turn(to: "feed")
    $0.startSilently(1)
    $0.add(.queued, 2)
    $0.add(.refused)
    $0.at(1200)
    $0.answer(1, "[1]")
    $0.start(2)
    $0.add(.cancelled, 2, state: "absent", phase: .resting)
    $0.at(1300)
    $0.obey(2)
    $0.add(.assigned, state: "loaded [2]", phase: .succeeded, answer: "[2]")
    $0.at(90_000)
    $0.start(3)
    $0.at(90_500)
  }

  @Test(arguments: SVGTimeline.Theme.allCases)
  func `the picture of a replaced attempt does not change`(theme: SVGTimeline.Theme) throws {
    let picture = SVGTimeline(width: 640, theme: theme).text(of: Self.replaced)
    try expectPicture("replaced-\(theme).svg", picture)
  }

  @Test func `the picture of most marks does not change`() throws {
    let picture = SVGTimeline(title: "Most marks").text(of: Self.everything)
    try expectPicture("everything.svg", picture)
  }

  /// An attempt that continues after it was replaced, and one on both sides of a folded gap.
  private static let folded = Recording.of {
    $0.member("feed", phase: .resting)
    $0.at(200)
    $0.start(1)
    $0.at(1000)
    $0.add(.assigned, 1, state: "error \"by hand\"", phase: .failed)
    $0.at(2990)
    $0.start(2)
    $0.at(3000)
    $0.turn(to: "profile")
    $0.start(1)
    $0.at(63_000)
    $0.turn(to: "feed")
    $0.obey(1)
    $0.at(64_000)
    $0.answer(2, "[2]")
  }

  @Test func `a bar shows the kind of process, inside or after it`() throws {
    var recording = Recording()
    let lane = recording.addLane(Recording.Lane(name: "saver", word: "process", initial: "idle"))
    for (attempt, kind) in [(1, "<save>"), (2, "delete")] {
      for (index, kind) in [(0, kind), (1, nil)] {
        recording.append(
          Recording.Event(
            time: .seconds(index * (attempt - 1)),
            lane: lane,
            attempt: attempt,
            kind: index == 0
              ? .started(replacing: nil, silently: false) : .ended(.succeeded, dropped: false),
            state: nil,
            phase: nil,
            process: kind
          )
        )
      }
    }
    let picture = SVGTimeline(width: 640).text(of: recording)
    #expect(picture.contains(">#1 &lt;save&gt;</text>"))
    #expect(picture.contains(">#2 delete</text>"))
    #expect(try Self.titles(in: picture).contains("saver #2 delete from 0s to 1s"))
  }

  @Test func `labels are next to a fold and above a replaced attempt`() throws {
    try expectPicture("folded.svg", SVGTimeline(theme: .light).text(of: Self.folded))
  }

  @Test func `a pointer needs an instant that the picture has`() throws {
    let pointer = Pointer("first difference", at: .seconds(1))
    let timeline = SVGTimeline(width: 640, theme: .light)
    try expectPicture("pointer.svg", timeline.text(of: Self.replaced, pointingAt: pointer))
    let nowhere = Pointer("first difference", at: .seconds(9))
    #expect(
      timeline.text(of: Self.replaced, pointingAt: nowhere) == timeline.text(of: Self.replaced)
    )
  }

  @Test func `a narrow picture has its states below the names`() throws {
    try expectPicture("narrow.svg", SVGTimeline(width: 420).text(of: Self.replaced))
  }

  @Test func `a picture without lanes says so`() {
    #expect(SVGTimeline().text(of: Recording()).contains(">nothing to draw: no member yet<"))
    #expect(SVGTimeline().text(of: Recording.of { _ in }).contains(">nothing happened yet<"))
  }

  @Test func `every bar and every mark has a title, and the picture a description`() throws {
    let titles = try Self.titles(in: SVGTimeline().text(of: Self.replaced))
    #expect(
      titles == [
        "Timeline", "loadable profile, began absent, ends loaded \"new\"",
        "profile #1 from 0s to 3s, no longer counts after 1s",
        "profile #1 from 0s to 3s, no longer counts after 1s", "1s profile #1 replaced",
        "3s profile #1 too late, dropped: \"old\"", "profile #2 from 1s to 2s",
        "2s profile #2 answer: \"new\"",
      ]
    )
    let picture = SVGTimeline().text(of: Self.replaced)
    let description = "1 lane, 3s. profile: 2 attempts, in the end loaded &quot;new&quot;."
    #expect(picture.contains("<desc>\(description)</desc>"))
  }

  @Test(arguments: 0..<40)
  func `a picture is well-formed for any content`(seed: UInt64) throws {
    for recording in [Recording.odd(seed: seed, events: 60), .random(seed: seed, events: 90)] {
      let names = recording.lanes.prefix(2).map(\.name)
      let excerpts = [Excerpt(), Excerpt(names: names), Excerpt(last: .seconds(100))]
      for excerpt in excerpts {
        let title = Recording.oddTexts[Int(seed) % Recording.oddTexts.count]
        let timeline = SVGTimeline(width: 100 + Int(seed) * 40, title: title)
        let picture = timeline.text(of: recording, excerpt)
        #expect(try Self.titles(in: picture).count > 1)
        #expect(picture == timeline.text(of: recording, excerpt))
        #expect(!picture.contains("<script") && !picture.contains("\u{202E}"))
      }
    }
  }

  @Test func `a year, one instant and a thousand lanes are drawn within their width`() throws {
    var year = Situation()
    year.start(1)
    year.at(31_536_000_000)
    year.answer(1, "1")
    let instant = Recording.of { situation in
      for attempt in 1...300 {
        situation.start(attempt)
        situation.answer(attempt, "\(attempt)")
      }
    }
    let crowd = Recording.of { situation in
      for index in 0..<1000 { situation.member("m\(index)") }
      situation.start(1)
    }
    for recording in [year.recording, instant, crowd] {
      let picture = SVGTimeline(width: 800).text(of: recording)
      #expect(try Self.read(picture).rightmost <= 800)
    }
  }

  /// Returns the text of all titles, with a parser that accepts only well-formed XML.
  private static func titles(in picture: String) throws -> [String] {
    try read(picture).titles
  }

  private static func read(_ picture: String) throws -> PictureReader {
    let reader = PictureReader()
    let parser = XMLParser(data: Data(picture.utf8))
    parser.delegate = reader
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return reader
  }
}

private final class PictureReader: NSObject, XMLParserDelegate {
  var titles: [String] = []
  /// Returns the right edge of the rightmost element with a position.
  var rightmost = 0.0
  private var isInTitle = false

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    let (x, width) = (
      attributes["x"].flatMap(Double.init), attributes["width"].flatMap(Double.init)
    )
    rightmost = max(rightmost, (x ?? 0) + (width ?? 0))
    isInTitle = name == "title"
    if isInTitle { titles.append("") }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if isInTitle { titles[titles.count - 1] += text }
  }

  func parser(
    _ parser: XMLParser,
    didEndElement name: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    isInTitle = false
  }
}
