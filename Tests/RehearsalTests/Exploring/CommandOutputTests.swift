import Staging
import Testing

@testable import Rehearsal

/// The part of a command's output that distinguishes behaviours.
@Suite struct CommandOutputTests {
  private func counted(_ lines: [(String, Duration)]) -> [String] {
    var output = CommandOutput()
    for (line, time) in lines { output.add(line, .event, at: StageInstant(elapsed: time)) }
    return output.counted
  }

  @Test func `lines of one instant have one order, and instants keep theirs`() {
    let lines = ["2s  b", "2s  a", "1s  d", "1s  c"]
    let times: [Duration] = [.seconds(1), .seconds(1), .seconds(2), .seconds(2)]

    #expect(counted(Array(zip(lines, times))) == ["2s  a", "2s  b", "1s  c", "1s  d"])
  }

  @Test func `lines of one command stay together in every order of commands`() {
    func counted(_ blocks: [[String]]) -> [String] {
      var output = CommandOutput()
      for (turn, lines) in blocks.enumerated() {
        for line in lines {
          let kind: SessionOutput.LineKind = line.hasSuffix("x") ? .event : .text
          output.add(line, kind, at: StageInstant(elapsed: .seconds(1)), turn: turn)
        }
      }
      return output.counted
    }
    let (one, two) = (["a: Int", "  data  1"], ["b: Int", "  data  2"])
    let rest = [["ok"], ["   1.000s  x"], ["ok"]]

    #expect(counted([one, two] + rest) == counted(rest + [two, one]))
    #expect(counted([one, two]) != counted([[one[0], two[1]], [two[0], one[1]]]))
  }

  @Test func `a diagnostic begins a block`() {
    func counted(_ blocks: [[String]]) -> [String] {
      var output = CommandOutput()
      for line in blocks.joined() {
        let kind: SessionOutput.LineKind = line.hasPrefix("error: ") ? .diagnostic : .text
        output.add(line, kind, at: StageInstant(elapsed: .seconds(1)))
      }
      return output.counted
    }
    let (one, other) = (["error: e", "  load", "hint: h"], ["error: f", "hint: i"])

    #expect(counted([one, other]) == counted([other, one]))
    #expect(counted([one, other]) != counted([[one[0], other[1]], [other[0]] + one.dropFirst()]))
  }
}
