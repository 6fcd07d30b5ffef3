import Script

extension RunReport {
  /// Each failure and each file that was rewritten, then the counts.
  func writeJSON(output: (String) -> Void) {
    for failure in failed.joined() { output(failure.jsonLine.text) }
    for path in updated { output(JSONLine("updated").with("path", path).text) }
    let others = others.sorted { $0.key < $1.key }
      .map { JSONValue.Field(name: $0.key, value: .number("\($0.value)")) }
    output(
      JSONLine("end").with("ok", failed.isEmpty).with("passed", passed)
        .with("updated", updated.count).with("failed", failed.count).with("notPlayed", notPlayed)
        .with("others", .object(others)).text
    )
  }
}

extension TranscriptFailure {
  fileprivate var jsonLine: JSONLine {
    JSONLine("failure").with("path", path).with("line", line > 0 ? line : nil)
      .with("problem", problem.sentence).with("hint", problem.hint).with("command", command)
      .with("diff", .array(diff.map(\.json))).with("notes", notes)
  }
}

extension TranscriptFailure.DiffLine {
  fileprivate var json: JSONValue {
    .object([
      .init(name: "mark", value: .string("\(mark)")), .init(name: "text", value: .string(text)),
    ])
  }
}
