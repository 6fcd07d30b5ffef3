import Foundation
import Testing
import Timelines

/// SVG pictures, drawn by a browser as images: without scripts and without external resources.
@Suite(.serialized) struct SVGTimelineTests {
  @Test(arguments: SVGTimeline.Theme.allCases, [false, true])
  func `a picture has the requested colours`(
    theme: SVGTimeline.Theme,
    prefersDark: Bool
  ) throws {
    let seen = try Self.drawn(SVGTimeline(theme: theme).text(of: .session), dark: prefersDark)
    let isDark = theme == .dark || theme == .auto && prefersDark
    #expect(seen["ground"] == (isDark ? "13,17,23,255" : "255,255,255,255"))
    #expect(seen["isDrawn"] == "true")
    #expect(seen["errors"] == "")
  }

  @Test(arguments: [Recording(), .mischief, .crowd(10_000), .crowd(4000, lanes: 1000)])
  func `unusual pictures are drawn too`(recording: Recording) throws {
    let seen = try Self.drawn(SVGTimeline(title: "</title>&\u{0}").text(of: recording))
    #expect(seen["isDrawn"] == "true")
    #expect(seen["errors"] == "")
  }

  /// Returns the background colour, and whether the picture has other colours.
  private static func drawn(_ svg: String, dark: Bool = false) throws -> Page.Seen {
    let data = svg.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let page = Page(html: "<!doctype html><html><head></head><body></body></html>")
    return try page.tried(
      """
      const image = new Image();
      image.src = "data:image/svg+xml;charset=utf-8,\(data)";
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [960, 160];
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      const pixels = pen.getImageData(0, 0, 960, Math.min(160, image.height)).data;
      const colours = new Set();
      for (let n = 0; n < pixels.length; n += 4) colours.add(pixels[n] * 65536 + pixels[n + 1] * 256 + pixels[n + 2]);
      seen.ground = pen.getImageData(12, 12, 1, 1).data.join();
      seen.isDrawn = colours.size > 8;
      performance.clearResourceTimings();
      """,
      dark: dark
    )
  }
}
