import Staging
import Testing

@testable import Rehearsal

/// What counts of what a command prints.
@Suite struct PassageLinesTests {
  private func counted(_ lines: [(String, Duration)]) -> [String] {
    var output = PassageLines()
    for (line, time) in lines { output.add(line, at: StageInstant(elapsed: time)) }
    return output.counted
  }

  @Test func `of one instant it is in one order, and instants stay in theirs`() {
    let lines = ["2s  b", "2s  a", "1s  d", "1s  c"]
    let times: [Duration] = [.seconds(1), .seconds(1), .seconds(2), .seconds(2)]

    #expect(counted(Array(zip(lines, times))) == ["2s  a", "2s  b", "1s  c", "1s  d"])
  }

  @Test func `what is shown in several lines stays together, and what only holds does not count`() {
    let one = ["a: Int", "  data  1", "ok", "   1.000s  x", "ok", "b: Int", "  data  2"]
    let same = ["ok", "ok", "a: Int", "  data  1", "   1.000s  x", "b: Int", "  data  2"]
    let other = ["a: Int", "  data  2", "ok", "   1.000s  x", "ok", "b: Int", "  data  1"]
    let orders = [one, same, other].map { lines in counted(lines.map { ($0, .seconds(1)) }) }

    #expect(orders[0] == orders[1])
    #expect(orders[0] != orders[2])
  }

  @Test func `what went wrong is told without what happened meanwhile`() {
    let lines = ["   1.000s  a", "error: e", "  load", "  ^", "00:01.000  b", "hint: h"]

    #expect(PassageLines(lines).problem == ["error: e", "  load", "  ^", "hint: h"])
    #expect(PassageLines(["ok"]).problem == ["ok"])
  }
}
