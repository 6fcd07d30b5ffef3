import Foundation
import Testing
import Timelines

@testable import Rehearsal

/// Sessions that exceed the limits of their history.
@Suite struct LongSessionTests {
  private static let limits = SessionLimits(commands: 40, lines: 200, events: 60)

  /// The output of one session, as text and as JSON.
  private final class Telling {
    var lines: [String] = []
    var objects: [String] = []
  }

  private final class Run {
    let host: SessionHost
    let files = MemoryFiles()
    private let telling: Telling
    private let report: SessionReport

    init(limits: SessionLimits = LongSessionTests.limits) {
      nonisolated(unsafe) let telling = Telling()
      self.telling = telling
      nonisolated(unsafe) let report = SessionReport { telling.objects.append($0) }
      self.report = report
      host = SessionHost(files: files, limits: limits) { telling.lines.append($0) }
      host.tellObjects()
    }

    deinit { host.end() }

    @discardableResult func perform(_ command: String) -> [String] {
      telling.lines = []
      report.begin(command)
      host.perform(command)
      report.end(host)
      return telling.lines
    }

    /// Performs `count` loads of one second each.
    func load(_ rounds: ClosedRange<Int>) {
      for round in rounds {
        perform("load profile \(round) after 1s")
        perform("settle")
      }
    }

    func text(of name: String) throws -> String {
      let files = files
      return String(decoding: try host.stage.enter { try files.read(name) }, as: UTF8.self)
    }

    func objects(of type: String) throws -> [[String: Any]] {
      try telling.objects.map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }.filter { $0["type"] as? String == type }
    }
  }

  /// A session of 201 commands and 200 events.
  private func long(limits: SessionLimits = LongSessionTests.limits) -> Run {
    let run = Run(limits: limits)
    run.perform("loadable profile")
    run.load(1...100)
    return run
  }

  @Test func `the kept part of a session does not grow`() {
    let run = long()
    run.host.stage.enter { [session = run.host.session] in
      #expect((30...41).contains(session.history.log.entries.count))
      #expect((30...41).contains(session.history.recording.records.count))
      #expect((45...62).contains(session.history.recording.events.count))
      #expect((45...62).contains(session.history.eventLines.lines.count))
      #expect(session.history.log.goneCount + session.history.log.commandCount == 201)
      let recording = session.history.recording
      let told = recording.events.count - recording.omitted.beginnings
      #expect(recording.omitted.events + told == 200)
    }
  }

  @Test func `a session below the limits keeps everything`() {
    let run = long(limits: SessionLimits())
    #expect(run.perform("undo")[0] == "undone: settle")
    #expect(run.perform("log last 1000").count == 199)
    #expect(run.perform("expect profile never error") == ["ok"])
    #expect(run.host.recording.omitted == Recording.Omission())
  }

  @Test(arguments: ["undo", "redo", "rewind 1s"])
  func `going back is refused with the reason`(command: String) {
    let lines = long().perform(command)
    #expect(lines[0].contains("of the session are not kept any more"))
    #expect(lines[0].contains("error: the first "))
    #expect(
      lines.last == "hint: 'record FILE' at the beginning of a session keeps all of it"
    )
  }

  @Test(arguments: ["save", "record"])
  func `an incomplete session is not saved`(command: String) throws {
    let run = long()
    let lines = run.perform("\(command) half.transcript")
    #expect(lines[0].contains("error: cannot write 'half.transcript': the first "))
    #expect(throws: (any Error).self) { try run.text(of: "half.transcript") }
  }

  @Test func `a recording from the beginning is complete`() throws {
    let run = Run()
    run.perform("record all.transcript")
    run.perform("loadable profile")
    run.load(1...100)
    let text = try run.text(of: "all.transcript")
    #expect(text.split(separator: "\n").count { $0.hasPrefix("> ") } == 201)
    #expect(text.hasPrefix("> loadable profile\n"))
    #expect(text.contains("loading #100 → loaded 100"))
  }

  @Test func `log and timeline report what is missing`() {
    let run = long()
    #expect(run.perform("log").last?.hasSuffix("lines are no longer kept") == true)
    #expect(run.perform("log profile last 3").count == 5)
    #expect(run.perform("timeline").last?.contains("earlier events left out, up to ") == true)
    #expect(run.perform("states").last?.contains("earlier events left out, up to ") == true)
    #expect(!run.perform("timeline last 2s").joined().contains("left out"))
  }

  @Test func `a run assertion is not checked on an incomplete session`() {
    let run = long()
    let lines = run.perform("expect profile never error")
    #expect(lines[0].contains("but its states before "))
    #expect(lines[0].contains(" are no longer kept"))
    // The known part is still checked.
    #expect(run.perform("expect profile never loaded 100")[0].contains("but it was at 100.000s"))
    #expect(run.perform("expect profile loaded 100") == ["ok"])
    #expect(run.perform("expect profile attempts 100") == ["ok"])
  }

  @Test func `programs receive everything once`() throws {
    let run = long()
    let events = try run.objects(of: "event")
    #expect(events.count == 200)
    #expect(events.compactMap { $0["attempt"] as? Int } == (1...100).flatMap { [$0, $0] })
    // Each cause is the number of a command, counted from the beginning of the session.
    let causes = events.compactMap { $0["cause"] as? Int }
    let ends = try run.objects(of: "end").compactMap { $0["record"] as? Int }
    #expect(ends == Array(0...200))
    #expect(Set(causes).isSubset(of: ends))
    #expect(causes.last == 199)
  }

  @Test func `lanes keep their numbers when others are left out`() throws {
    let run = Run()
    run.perform("route GET /a 200 json 1")
    run.perform("loadable profile from /a")
    for page in 1...100 { run.perform("load profile from /a?page=\(page)") }
    run.perform("loadable other")
    run.perform("load other 1")
    let lanes = try run.objects(of: "lane").compactMap { $0["lane"] as? Int }
    #expect(lanes == Array(0...101))
    #expect(try run.objects(of: "event").last?["lane"] as? Int == 101)
    #expect(run.host.recording.lanes.count < 40)
    #expect(run.perform("timeline other")[2].hasPrefix("other"))
  }

  @Test func `a request that is sent again has the lane of the first time`() throws {
    let run = Run()
    run.perform("route GET /a 200 json 1")
    run.perform("loadable profile from /a")
    for _ in 1...5 { run.perform("load profile") }
    #expect(try run.objects(of: "lane").compactMap { $0["lane"] as? Int } == [0, 1])
  }

  @Test func `a load that began before the kept part ends correctly`() {
    let run = Run()
    run.perform("loadable slow")
    run.perform("load slow 1 after 1h")
    run.perform("loadable profile")
    for round in 1...60 {
      run.perform("load profile \(round)")
      run.perform("wait 1s")
    }
    let picture = run.perform("timeline slow")
    #expect(picture.contains { $0.hasPrefix("slow") && $0.contains("◀#1") })
    #expect(run.perform("settle").last?.contains("slow  loading #1 → loaded 1") == true)
  }
}
