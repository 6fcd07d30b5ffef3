package import RehearsalBase
import Timelines

extension RunReport {
  /// The report as lines of JSON, which `init(json:)` reads: a line for each transcript, behind it one
  /// for each of its failures, and the counts.
  ///
  /// - Parameter beginning: whether the line comes first that says who reports.
  /// - Returns: the lines, each with its line feed.
  func json(beginning: Bool = true) -> String {
    var lines = [JSONLine.begin(program: program, version: version)]
    if let shard {
      lines.append(
        JSONLine("shard").with("index", shard.index).with("count", shard.count)
          .with("digest", shard.digest)
      )
    }
    lines += readings.sorted { $0.key < $1.key }
      .map { JSONLine("reading").with("path", $0.key).with("digest", $0.value) }
    for test in tests {
      lines.append(test.jsonLine)
      lines += test.failures.map(\.jsonLine)
    }
    lines += updated.map { JSONLine("updated").with("path", $0) }
    lines += notes.map { JSONLine("note").with("text", $0) }
    lines += problems.map { JSONLine.error($0, hint: hints[$0]) }
    lines += arrows.machines.sorted { $0.key < $1.key }.map(Self.line)
    if let coverage { lines.append(JSONLine("coverage").with(fieldsOf: coverage.json)) }
    lines.append(end(lines: lines.count + 1))
    return lines.dropFirst(beginning ? 0 : 1).map(\.text).joined()
  }

  /// The last line, which says how many lines there are, so that a report that lost one is not believed.
  private func end(lines: Int) -> JSONLine {
    let others = others.sorted { $0.key < $1.key }
      .map { JSONValue.Field(name: $0.key, value: .number("\($0.value)")) }
    return JSONLine("end").with("ok", exit == .success).with("passed", passed)
      .with("updated", count(.updated)).with("failed", count(.failed)).with("notPlayed", notPlayed)
      .with("others", .object(others)).with("flaky", count(.flaky).unlessZero)
      .with("knownFlaky", count(.knownFlaky).unlessZero)
      .with("expectsFailure", expectingFailure.count.unlessZero).with("lines", lines)
  }

  private static func line(of machine: String, _ arrows: [Arrow: Int]) -> JSONLine {
    let counts = arrows.sorted { $0.key < $1.key }.map {
      JSONValue.array([.number("\($0.key.code)"), .number("\($0.value)")])
    }
    return JSONLine("arrows").with("machine", machine).with("counts", .array(counts))
  }
}

extension TestReport {
  fileprivate var jsonLine: JSONLine {
    var line = JSONLine("transcript").with("path", path).with("fence", fence.unlessZero)
      .with("name", name).with("tags", tags.isEmpty ? nil : .array(tags.map(JSONValue.string)))
      .with("outcome", outcome.rawValue)
      .with("expectsFailure", expectsFailure ? JSONValue.bool(true) : nil)
      .with("failing", failing.isEmpty ? nil : .array(failing.map(\.json))).with("reason", reason)
      .with("passes", plays?.passed).with("fails", plays?.failed)
    if let time { line = line.with("time", time) }
    // Without its line feeds, which stand between its values only.
    if let recording {
      let json = recording.json.split(separator: "\n").joined(separator: " ")
      line = line.with(fieldsOf: "{\"recording\": \(json)}")
    }
    return line
  }
}

extension TranscriptFailure {
  fileprivate var jsonLine: JSONLine {
    let (kind, number, text) = problem.spelling
    return JSONLine("failure").with("path", path).with("line", line.unlessZero)
      .with("problem", problem.sentence).with("hint", problem.hint).with("command", command)
      .with("diff", diff.isEmpty ? nil : .array(diff.map(\.json)))
      .with("notes", notes.isEmpty ? nil : .array(notes.map(JSONValue.string)))
      .with("acceptance", acceptance)
      .with("kind", kind).with("number", number.unlessZero).with("text", text.isEmpty ? nil : text)
  }
}

extension TranscriptFailure.DiffLine {
  package var json: JSONValue {
    .object([
      .init(name: "mark", value: .string("\(mark)")), .init(name: "text", value: .string(text)),
    ])
  }
}

extension FailingCommand {
  fileprivate var json: JSONValue {
    .object([
      .init(name: "command", value: .number("\(block)")),
      .init(name: "line", value: .number("\(line)")),
      .init(name: "kind", value: .string("\(kind)")),
      .init(name: "text", value: .string(text)),
    ])
  }
}

extension Int {
  /// What a field that has nothing to say is left out by.
  fileprivate var unlessZero: Int? { self == 0 ? nil : self }
}
