import Foundation
import RehearsalBase
import Testing
import Timelines

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Terminal sessions as SVG.
@Suite struct SessionPictureTests {
  private static func records(_ lines: (command: String, output: [String])...)
    -> [Recording.CommandRecord]
  {
    var recording = Recording()
    for (command, output) in lines {
      _ = recording.begin(command, at: .zero)
      for line in output { recording.print(line) }
    }
    return recording.records
  }

  private static func picture(_ theme: SessionPicture.Theme = .auto, columns: Int = 80)
    -> SessionPicture
  {
    SessionPicture(title: "rehearse", theme: theme, columns: columns)
  }

  @Test func `a small picture has exactly this text`() throws {
    var session = Recording()
    _ = session.begin("now", at: .zero)
    session.print("0.000s")
    session.print(.error("<no>"))
    let picture = SessionPicture(title: "demo", theme: .light)
    let text = picture.text(of: session.records, colours: [[(0..<3, .verb)]])
    let body = try #require(text.range(of: "</style>\n")).upperBound
    #expect(
      text[body...] == """
        <rect class="window" x="0.5" y="0.5" width="539" height="127" rx="8"/>
        <path class="bar" d="M0.5 36V8.5a8 8 0 0 1 8 -8H531.5a8 8 0 0 1 8 8V36z"/>
        <path class="edge" d="M0.5 36H539.5"/>
        <circle class="button" cx="20" cy="18" r="6"/>
        <circle class="button" cx="40" cy="18" r="6"/>
        <circle class="button" cx="60" cy="18" r="6"/>
        <text class="title" x="270" y="22.5">demo</text>
        <text class="prompt" x="18" y="66" textLength="8.4" lengthAdjust="spacingAndGlyphs">&gt;</text>
        <text class="verb" x="34.8" y="66" textLength="25.2" lengthAdjust="spacingAndGlyphs">now</text>
        <text class="dim" x="34.8" y="86" textLength="50.4" lengthAdjust="spacingAndGlyphs">0.000s</text>
        <text class="mistake" x="34.8" y="106" textLength="50.4" lengthAdjust="spacingAndGlyphs">error:</text>
        <text x="93.6" y="106" textLength="33.6" lengthAdjust="spacingAndGlyphs">&lt;no&gt;</text>
        </svg>

        """
    )
  }

  @Test func `the label of an error or hint has a colour, also after a place`() {
    var session = Recording()
    _ = session.begin("source a", at: .zero)
    for line in [OutputLine.error("no", at: "a:1"), .hint("yes"), .note("so")] {
      session.print(line)
    }
    let svg = Self.picture().text(of: session.records)

    #expect(svg.contains(/class="mistake"[^>]*>error:</))
    #expect(svg.contains(/class="verb"[^>]*>hint:</))
    #expect(!svg.contains(/class="[a-z]*"[^>]*>(a:1:|note:)</))
  }

  @Test(arguments: ["error: no", "hint: yes"])
  func `a value that looks like an error has no colour`(text: String) {
    let svg = Self.picture().text(of: Self.records(("show a", [text])))

    #expect(!svg.contains("class=\"mistake\"") && !svg.contains(/class="verb"[^>]*>hint:/))
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "a & b", "]]>", "\u{0}\u{1B}[31m\u{7F}", "\u{202E}txt.exe",
    "שלום 👩‍👩‍👧 漢字", "\u{FFFE}\u{FFFF}", "\"';--", "&amp;", "", "\r\n\t",
  ])
  func `the picture of any session is well-formed and has no script`(text: String) {
    let svg = SessionPicture(title: text).text(
      of: Self.records((text, [text, text])),
      colours: [[(0..<1000, .name), (-5..<2, .verb)], [(0..<1, .verb)]]
    )
    #expect(XMLParser(data: Data(svg.utf8)).parse())
    #expect(!svg.contains("<script"))
    #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(!svg.contains("\u{202E}"))
  }

  @Test func `an empty session is an empty window`() {
    let svg = Self.picture().text(of: [])
    #expect(XMLParser(data: Data(svg.utf8)).parse())
    #expect(svg.contains("<rect class=\"window\""))
  }

  @Test func `screen readers get the session as text`() {
    let svg = Self.picture().text(of: Self.records(("load a\n1", ["x  y"])))
    #expect(svg.contains("<desc id=\"desc\">&gt; load a\n. 1\n  x  y</desc>"))
    #expect(svg.contains("role=\"img\" aria-labelledby=\"title desc\""))
  }

  @Test func `a line that is too long continues in the next row`() {
    let svg = Self.picture(columns: 20).text(
      of: Self.records(("now", [String(repeating: "漢", count: 12)]))
    )
    #expect(svg.contains("textLength=\"151.2\""))
    #expect(svg.contains("x=\"18\" y=\"106\" textLength=\"50.4\""))
  }

  @Test func `colours count scalars, and a character of several scalars has one colour`() {
    let session = Self.records(("e\u{301} load\nfrom", []))
    let svg = Self.picture().text(of: session, colours: [[(3..<7, .verb), (8..<12, .keyword)]])
    #expect(svg.contains("class=\"verb\" x=\"51.6\" y=\"66\" textLength=\"33.6\""))
    #expect(svg.contains("class=\"keyword\" x=\"34.8\" y=\"86\" textLength=\"33.6\""))
  }

  @Test func `right-to-left text stays whole and is not stretched`() {
    let svg = Self.picture().text(of: Self.records(("x \"שלום עולם\" y", [])))
    #expect(svg.contains("<text x=\"60\" y=\"66\">שלום עולם</text>"))
    #expect(
      svg.contains(
        "x=\"135.6\" y=\"66\" textLength=\"8.4\" lengthAdjust=\"spacingAndGlyphs\">&quot;<"
      )
    )
  }

  @Test func `a wide character takes two columns`() {
    let svg = Self.picture().text(of: Self.records(("漢 b", [])))
    #expect(svg.contains("textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\">漢<"))
    #expect(svg.contains("x=\"60\" y=\"66\" textLength=\"8.4\""))
  }

  @Test func `only the automatic theme contains a media query`() {
    let session = Self.records(("now", []))
    #expect(Self.picture(.auto).text(of: session).contains("prefers-color-scheme: dark"))
    #expect(!Self.picture(.light).text(of: session).contains("prefers-color-scheme"))
    #expect(!Self.picture(.dark).text(of: session).contains("#ffffff"))
  }

  @Test func `a session that is too long is cut with a note`() {
    let lines = (0..<5000).map { "line \($0)" }
    let svg = Self.picture().text(of: Self.records(("log", lines)))
    #expect(svg.contains("… 4001 more rows</desc>"))
    #expect(!svg.contains("line 4000"))
  }

  @Test func `a log line has a dim time and a coloured member name`() {
    let svg = Self.picture().text(of: Self.records(("now", ["   0.300s  posts  loading #1"])))
    #expect(svg.contains("class=\"dim\" x=\"60\""))
    #expect(svg.contains("class=\"name\" x=\"127.2\""))
    #expect(svg.contains(">loading<"))
  }
}
