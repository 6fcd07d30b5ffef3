import Foundation
import Testing
import Timelines

/// Diagrams, parsed by Mermaid itself.
@Suite(.serialized) struct MermaidTests {
  @Test func `Mermaid accepts the diagrams of any recording`() throws {
    let recordings: [Recording] = [Recording(), .session, .mischief, .crowd(200), .crowd(3000)]
    let format = try #require(TimelineFormat.named("mermaid"))
    let problems = try Self.problems(in: recordings.map { format.text(of: $0) })
    #expect(problems == recordings.map { _ in "" })
  }

  @Test func `Mermaid rejects text that is not a diagram`() throws {
    #expect(
      try Self.problems(in: ["gantt\n  task without a colon", "no diagram"]).allSatisfy { $0 != "" }
    )
  }

  /// Returns Mermaid's error about each text, empty if it accepts the text.
  private static func problems(in texts: [String]) throws -> [String] {
    let data = try JSONEncoder().encode(texts.map { Data($0.utf8).base64EncodedString() })
    let page = Page(
      html: """
        <!doctype html><html><head></head><body><script src="\(library)"></script></body></html>
        """
    )
    let seen = try page.tried(
      """
      const problems = [];
      mermaid.initialize({ startOnLoad: false });
      for (const text of \(String(decoding: data, as: UTF8.self))) {
        const words = new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
        problems.push(await mermaid.parse(words).then(() => "", (error) => String(error.message ?? error)));
      }
      seen.problems = JSON.stringify(problems);
      performance.clearResourceTimings();
      """
    )
    #expect(seen["errors"] == "")
    return try JSONDecoder().decode([String].self, from: Data((seen["problems"] ?? "[]").utf8))
  }

  /// Fetched by `scripts/test`.
  private static var library: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: ".build/mermaid/mmdc/assets/mermaid.js")
  }
}
