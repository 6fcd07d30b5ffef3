import Testing
import Timelines

/// Recordings as files.
@Suite struct RecordingJSONTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `every recording is read back exactly`(seed: UInt64) throws {
    let recording = Recording.odd(seed: seed, events: Int(seed))
    let json = recording.json
    let again = try Recording(json: Array(json.utf8))
    #expect(again == recording)
    #expect(Array(again.json.utf8) == Array(json.utf8))
  }

  @Test func `an event is one line with its fields`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(1250)
      $0.fail(1, "HTTP 503")
    }
    #expect(
      recording.json == """
        {
        "format": "rehearse-timeline",
        "version": 1,
        "end": 1.25,
        "lanes": [
        {"name": "profile", "word": "loadable", "initial": "absent"}],
        "records": [],
        "events": [
        {"time": 0, "lane": 0, "attempt": 1, "kind": "started", "state": "loading #1", "phase": "inFlight"},
        {"time": 1.25, "lane": 0, "attempt": 1, "kind": "ended", "outcome": "failed", "state": "error HTTP 503", "phase": "failed", "answer": "HTTP 503"}]
        }

        """
    )
  }

  @Test func `a recording cannot end a script element or control a terminal`() {
    let json = Recording.odd(seed: 3, events: 200).json
    #expect(!json.contains("<"))
    #expect(json.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{7F}" })
    #expect(!json.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
  }

  @Test func `an empty recording is a recording too`() throws {
    #expect(try Recording(json: Array(Recording().json.utf8)) == Recording())
  }

  @Test func `unknown fields are ignored and nulls mean missing`() throws {
    let text = """
      {"format": "rehearse-timeline", "version": 1, "by": {"x": []}, "end": 1.5e0, "records": [],
       "lanes": [{"name": "a", "word": "input", "initial": "1", "colour": "red", "phase": null}],
       "events": [{"time": 15e-1, "lane": 0, "kind": "changed", "state": "2"}]}
      """
    let recording = try Recording(json: Array(text.utf8))
    #expect(recording.events.first?.time == .milliseconds(1500))
    #expect(recording.lanes.first?.phase == nil)
  }

  @Test(arguments: [
    ("{", "line 1: the object is never closed"),
    ("{}", "not a recording: it lacks \"format\": \"rehearse-timeline\""),
    ("[1]\n]", "line 2: unexpected text after the value"),
    (
      #"{"format": "rehearse-timeline", "version": 2}"#,
      "version 2 is newer than 1, the latest known version"
    ),
    (
      file(events: #"{"time": 0, "lane": 1, "kind": "queued"}"#),
      "'events[0].lane' should be an index below 1"
    ),
    (
      file(events: #"{"time": -1, "lane": 0}"#),
      "'events[0].time' should be a number of seconds, 0 or more"
    ),
    (
      file(events: #"{"time": 1e99, "lane": 0}"#),
      "'events[0].time' should be a number of seconds, 0 or more"
    ),
    (
      file(events: #"{"time": 0, "lane": 0, "kind": "won"}"#),
      "'events[0].kind' should be a kind of event, and not 'won'"
    ),
    (
      file(events: #"{"time": 0, "lane": 0, "kind": "ended", "outcome": "well"}"#),
      "'events[0].outcome' should be one of succeeded, failed, cancelled, reset, empty"
    ),
    (
      file(
        events: #"{"time": 1, "lane": 0, "kind": "reset"}, {"time": 0, "lane": 0, "kind": "reset"}"#
      ),
      "'events[1].time' should be at or after the time of the previous event"
    ),
    (
      file(events: #"{"time": 9, "lane": 0, "kind": "reset"}"#),
      "'end' should be at or after the last event"
    ),
  ])
  func `a problem in a file names its position`(text: String, sentence: String) {
    let problem = #expect(throws: RecordingProblem.self) { try Recording(json: Array(text.utf8)) }
    #expect(problem?.sentence == sentence)
  }

  private static func file(events: String) -> String {
    #"{"format": "rehearse-timeline", "version": 1, "end": 2, "records": [], "lanes": "#
      + #"[{"name": "a", "word": "input", "initial": ""}], "events": ["# + events + "]}"
  }
}
