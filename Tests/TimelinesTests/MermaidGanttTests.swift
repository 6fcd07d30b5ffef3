import Testing
import Timelines

/// Mermaid Gantt diagrams. BrowserTests checks that Mermaid's own parser accepts them.
@Suite struct MermaidGanttTests {
  private func gantt(_ recording: Recording, last: Duration? = nil, title: String? = nil) throws
    -> String
  {
    try #require(TimelineFormat.named("mermaid"))
      .text(of: recording, .init(excerpt: Excerpt(last: last), title: title))
  }

  private func profile(_ name: String = "profile") -> Recording {
    .of(name) {
      $0.start(1)
      $0.at(300)
      $0.yield(1, #"{"id": 1}"#)
      $0.at(500)
      $0.start(2, replacing: 1)
      $0.fail(2, "Boom; #7")
      $0.request("GET /posts")
      $0.start(1)
      $0.at(2000)
    }
  }

  @Test func `an attempt is a bar and an event without duration a milestone`() throws {
    #expect(
      try gantt(profile()) == """
        gantt
          dateFormat x
          axisFormat %Qms
          todayMarker off
          section profile
            #35;1 #123;#34;id#34;#58; 1#125; replaced :active, t1, 0, 2000ms
            #35;1 yield #123;#34;id#34;#58; 1#125; :milestone, t2, 300, 0ms
            #35;2 Boom#59; #35;7 :crit, milestone, t3, 500, 0ms
          section profile › GET /posts
            #35;1 :active, t4, 500, 1500ms

        """
    )
  }

  @Test func `names are escaped`() throws {
    let text = try gantt(profile("end\nsection %% a: <b>"), title: "click \"x\"; y")
    #expect(text.contains("section end#92;nsection #37;#37; a#58; #60;b#62;\n"))
    #expect(text.contains("title click #34;x#34;#59; y\n"))
  }

  @Test func `long sessions count in seconds`() throws {
    var recording = profile()
    recording.advance(to: .seconds(86_400))
    #expect(try gantt(recording).contains("axisFormat %ss\n"))
    #expect(try gantt(recording, last: .seconds(5)).contains("axisFormat %Qms\n"))
  }

  @Test func `tasks beyond Mermaid's limit are left out and counted`() throws {
    let text = try gantt(.odd(seed: 7, events: 4000))
    #expect(text.count < 50_000)
    #expect(text.contains(/%% \d+ more left out: too long for Mermaid\n$/))
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `every recording gives lines of Mermaid's grammar`(seed: UInt64) throws {
    let text = try gantt(.odd(seed: seed, events: Int(seed)))
    let plain = "(?:[^:;#%\"<>&\\n\\p{Cc}]|#\\d+;)+"
    let grammar = try Regex(
      "    \(plain) :(?:(?:milestone|done|crit|active), )*t\\d+, \\d+, \\d+ms"
    )
    for line in text.split(separator: "\n").dropFirst(4) where !line.hasPrefix("  section ") {
      #expect(line.wholeMatch(of: grammar) != nil)
    }
  }
}
