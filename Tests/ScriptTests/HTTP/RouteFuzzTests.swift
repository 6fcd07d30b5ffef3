import LibC
import Testing

@testable import Script

@Suite struct RouteFuzzTests {
  private static let pieces = [
    " ", ",", "\"", "{", "}", "/", "?", "&", "=", "%", "%4", "%41", "#", "200", "204",
    "99999999999999999999",
    "json", "text", "html", "file", "bytes", "base64", "gzip", "type", "with", "to", "chunked",
    "cut",
    "reset", "silent", "claiming", "after", "dripping", "at", "once", "then", "header", "body",
    "for",
    "lognormal", "sigma", "1s", "2s to 1s", "10 kB", "1e400", "http://", "https://[::1", "]", "\\",
    "\\u",
    "é", "\u{0}", "\u{7F}", "-", ".", "...", "{a}", "{a}", "{rest...}", "[1]", "any", "GET",
    "never",
  ]

  @Test func `a mutated route is parsed or refused with a place inside it`() {
    var random = RandomRoute(seed: 2)
    var chance = Generator(state: 3)
    var accepted = 0
    for _ in 0..<2000 {
      var text = Array(random.make().commandText.dropFirst(6).unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        let start = Int.random(in: 0...text.count, using: &chance)
        let end = min(text.count, start + Int.random(in: 0...4, using: &chance))
        text.replaceSubrange(start..<end, with: Array(chance.pick(Self.pieces).unicodeScalars))
      }
      accepted += isAccepted(String(String.UnicodeScalarView(text))) ? 1 : 0
    }
    #expect((100..<1900).contains(accepted))
  }

  @Test func `any sequence of words is parsed or refused with a place inside it`() {
    var chance = Generator(state: 4)
    for _ in 0..<2000 {
      let blank = chance.pick(["", " "])
      _ = isAccepted("/x " + chance.some(upTo: 8) { $0.pick(Self.pieces) }.joined(separator: blank))
    }
  }

  private func isAccepted(_ text: String) -> Bool {
    do throws(Diagnostic) {
      let route = try route(text).route
      // A parsed route prints as text that parses to the same route.
      let printed = route.commandText
      let again = try? read(printed) { parser throws(Diagnostic) in
        _ = parser.accept("route")
        return try parser.route()
      }
      #expect(again?.route == route, "\(text)")
      return true
    } catch {
      #expect(error.span.lowerBound >= 0 && error.span.upperBound <= text.utf8.count, "\(text)")
      #expect(!error.problem.sentence.isEmpty)
      return false
    }
  }

  @Test(arguments: [
    ("/", "a/", " 200"), ("/", "{a#}/", " 200"), ("/x?", "n=%41&", " 200"),
    ("/x?", "n={a#}&", " 200"),
    ("/x 200 ", "with A \"b\" ", ""), ("/x 200 ", "header A {a#} ", ""),
    ("/x 200 json [1", ",1", "]"),
    ("/x 200 text \"", "{a", "\""), ("/x 200 bytes 1", "0", ""), ("/x 200 after 1", "0", "s"),
    ("/x 200 file ", "a", ""), ("http://", "a", "/ 200"), ("", "A", " /x 200"),
    ("/x 200 ", "z", ""),
    ("/x 200 base64 \"", "AAAA", "\""), ("/x ", " ", "200"),
  ])
  func `eight times the text takes about eight times as long`(
    beginning: String,
    piece: String,
    end: String
  ) {
    func seconds(_ bytes: Int) -> Double {
      let pieces = (0..<bytes / piece.utf8.count).map { index in
        piece.split(separator: "#").joined(separator: "\(index)")
      }
      let text = beginning + pieces.joined() + end
      return (0..<3).map { _ in
        let start = Self.threadSeconds
        _ = try? route(text)
        return Self.threadSeconds - start
      }.min() ?? 0
    }
    // A quadratic parser would take 64 times as long.
    #expect(seconds(32_000) < 30 * max(seconds(4000), 0.0002))
  }

  /// Returns the processor time of this thread, which does not depend on the load of the machine.
  private static var threadSeconds: Double {
    // Seconds and nanoseconds. The module that declares the members of timespec varies.
    var time = [0, 0]
    time.withUnsafeMutableBytes { bytes in
      guard let place = bytes.baseAddress else { return }
      _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, place.assumingMemoryBound(to: timespec.self))
    }
    return Double(time[0]) + Double(time[1]) / 1e9
  }
}
