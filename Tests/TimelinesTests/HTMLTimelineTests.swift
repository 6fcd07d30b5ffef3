import Foundation
import Testing
import Timelines

/// The page's text. BrowserTests tests its behaviour.
@Suite struct HTMLTimelineTests {
  @Test func `a page contains its recording in the format that programs read`() throws {
    for seed in 0..<10 as Range<UInt64> {
      let recording = Recording.odd(seed: seed, events: 50)
      let page = HTMLTimeline(title: "</title>").text(of: recording)
      let opening = "<script type=\"application/json\" id=\"recording\">"
      let start = try #require(page.range(of: opening))
      let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
      #expect(try Recording(json: Array(page[start.upperBound..<end.lowerBound].utf8)) == recording)
    }
  }

  @Test func `a page refers to nothing outside itself`() {
    let page = HTMLTimeline().text(of: .random(seed: 1, events: 40))
    for sign in ["http:", "https:", "//cdn", "src=", "@import", "url("] {
      #expect(!page.contains(sign))
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `the same recording gives the same page`() {
    let recording = Recording.odd(seed: 3, events: 200)
    #expect(HTMLTimeline().text(of: recording) == HTMLTimeline().text(of: recording))
  }
}
