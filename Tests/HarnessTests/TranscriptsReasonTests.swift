import Testing

@testable import Harness

@Suite struct TranscriptsReasonTests {
  private func reason(_ expected: String, _ output: String) -> String? {
    DifferenceReason(lines(expected), lines(output), [:])?.sentence
  }

  private func lines(_ text: String) -> [[UInt8]] {
    text.split(separator: "\n").map { Array($0.utf8) }
  }

  @Test(arguments: [
    ("   0.010s  a  x\n   0.020s  a  y", "   0.020s  a  x\n   0.030s  a  y", "each 10ms later"),
    ("   9.500s  a  x", "  10.000s  a  x", "each 500ms later"),
    ("   2.000s  a  x", "   1.000s  a  x", "each 1s earlier"),
    ("a retries in 2s", "a retries in 3s", "each 1s more"),
    ("a  1s  b", "a  10s b", "each 9s more"),
  ])
  func `times that all moved by the same amount are reported with the amount`(
    expected: String,
    output: String,
    words: String
  ) {
    #expect(reason(expected, output) == "only times differ (\(words))")
  }

  @Test func `times that moved by different amounts are reported without an amount`() {
    #expect(reason("1s a\n2s b", "2s a\n4s b") == "only times differ")
    #expect(reason("1s a took 2s", "2s a took 2s") == "only times differ (each 1s later)")
    #expect(reason("1s a\n...\n2s b", "1s a\nx\n3s b") == "only times differ (each 1s later)")
  }

  @Test func `lines in another order are reported`() {
    #expect(reason("a\nb\nc", "c\na\nb") == "only the order of lines differs")
    #expect(reason("1s a\n1s b", "1s b\n1s a") == "only the order of lines differs")
  }

  @Test(arguments: [
    ("a", "b"), ("a", "a\nb"), ("a\na\nb", "a\nb\nb"), ("1s a", "2s b"), ("1s a", "2 a"),
    ("1s a", "2s a\n2s a"), ("loaded \"1s\"", "loaded \"2s\""),
    ("say \"\\\"1s\"", "say \"\\\"2s\""),
    ("no command '1s'", "no command '2s'"), ("a1s", "a2s"), ("1s", "1s x"), ("v1.2s", "v1.3s"),
    ("#1s a", "#2s a"), ("1s a", "1.0s a"), ("x 1s", "x  1s"), ("1s\tnothing", "2snothing"),
    ("{{X:\\d}}s a\nb", "b\nc"), ("1s  a", "2s a b"), ("10 a", "20 a"), ("a 1s\nb", "b\na 2s"),
  ])
  func `other differences are not reported as times or order`(expected: String, output: String) {
    #expect(reason(expected, output) == nil)
  }

  @Test func `the reason is correct for random edits`() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var generator = SplitMix(seed)
    for round in 0..<3_000 {
      let expected = (0..<Int.random(in: 1...5, using: &generator)).map { _ in line(&generator) }
      var output = expected
      for _ in 0..<Int.random(in: 1...3, using: &generator) { edit(&output, &generator) }
      let said = DifferenceReason(bytes(expected), bytes(output), [:])
      switch said {
      case .onlyOrder:
        #expect(
          expected.map(\.text).sorted() == output.map(\.text).sorted(),
          "seed \(seed), round \(round)"
        )
        #expect(expected != output)
      case .onlyTimes:
        #expect(expected.map(\.words) == output.map(\.words), "seed \(seed), round \(round)")
        #expect(expected.map(\.time) != output.map(\.time))
      case nil:
        // The reason is also found whenever it applies.
        let isPermuted = expected.map(\.text).sorted() == output.map(\.text).sorted()
        let isShifted = expected.map(\.words) == output.map(\.words)
        #expect(expected == output || !isPermuted && !isShifted, "seed \(seed), round \(round)")
      }
    }
  }

  private struct Line: Equatable {
    var time: Int
    var words: String
    var text: String { "  \(time)ms  \(words)" }
  }

  private func bytes(_ lines: [Line]) -> [[UInt8]] { lines.map { Array($0.text.utf8) } }

  private func line(_ generator: inout SplitMix) -> Line {
    Line(
      time: Int.random(in: 1...3, using: &generator),
      words: ["a", "b", "loaded \"2s\"", "loaded \"3s\""].randomElement(using: &generator) ?? "a"
    )
  }

  private func edit(_ lines: inout [Line], _ generator: inout SplitMix) {
    guard let place = lines.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0...4, using: &generator) {
    case 0: lines[place].time += 1
    case 1: lines.shuffle(using: &generator)
    case 2: lines[place] = line(&generator)
    case 3: lines.insert(line(&generator), at: place)
    default: if lines.count > 1 { lines.remove(at: place) }
    }
  }
}

/// The generator by Steele, Lea and Flood.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
