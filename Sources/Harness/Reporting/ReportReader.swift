package import RehearsalBase

/// The fields of a line of a report.
package struct ReportFields {
  package let fields: [JSONValue.Field]

  package func has(_ name: String) -> Bool { self[name] != nil }

  private subscript(name: String) -> JSONValue? { fields.first { $0.name == name }?.value }

  package func text(_ name: String) -> String? {
    if case .string(let text) = self[name] { text } else { nil }
  }

  package func number(_ name: String) -> Int? {
    if case .number(let text) = self[name] { Int(text) } else { nil }
  }

  package func array(_ name: String) -> [JSONValue] {
    if case .array(let values) = self[name] { values } else { [] }
  }

  package func texts(_ name: String) -> [String] {
    array(name).compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  package func flag(_ name: String) -> Bool { self[name] == .bool(true) }

  package func object(_ name: String) -> [JSONValue.Field] {
    if case .object(let fields) = self[name] { fields } else { [] }
  }
}

/// Reads the lines of any report: its first line, its fields, and the errors about them.
package struct ReportReader {
  package let path: String
  package var line = 0
  package var hasEnded = false

  package init(path: String) { self.path = path }

  package func problem(_ reason: String) -> ReportProblem {
    .badLine(path, line: line, reason: reason)
  }

  func problem(_ mismatch: JSONMismatch) -> ReportProblem {
    switch mismatch.reason {
    case .missing, .notThis: problem("'\(mismatch.field)' is missing or invalid")
    case .refused(let reason): problem("'\(mismatch.field)' \(reason)")
    }
  }

  package func fields(of bytes: [UInt8]) throws(ReportProblem) -> ReportFields {
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(json: bytes)
    } catch {
      throw line == 1 ? .notAReport(path) : problem(error.sentence)
    }
    guard case .object(let fields) = value else { throw problem("no object") }
    return ReportFields(fields: fields)
  }

  /// Reads the first line.
  ///
  /// - Throws: `ReportProblem` if it is not the first line of a report of this program.
  package func beginning(
    _ fields: ReportFields
  ) throws(ReportProblem) -> (program: String, version: String) {
    guard fields.text("type") == "begin", let schema = fields.number("schema"),
      let program = fields.text("program"), let version = fields.text("version")
    else { throw .notAReport(path) }
    guard schema <= JSONLine.schemaVersion else { throw .newerSchema(path, schema) }
    return (program, version)
  }

  /// Refuses two reports in one file.
  ///
  /// - Throws: `ReportProblem` if a second report begins, or lines follow the last line.
  package func refuseSecond(_ fields: ReportFields) throws(ReportProblem) {
    if fields.text("type") == "begin" {
      throw problem("another report begins; name a file for each")
    }
    if hasEnded { throw problem("lines follow its last line") }
  }

  package func need<Value>(_ value: Value?, _ name: String) throws(ReportProblem) -> Value {
    guard let value else { throw problem("'\(name)' is missing or invalid") }
    return value
  }

  /// Decodes a line.
  package func decode<Value: Decodable>(
    _ fields: ReportFields
  ) throws(ReportProblem) -> Value {
    do throws(JSONMismatch) {
      return try JSONValue.object(fields.fields).decode()
    } catch {
      throw problem(error)
    }
  }

  /// Larger than any real count, and small enough that sums do not overflow.
  static let highestCount = 10_000_000_000

  /// Reads a count; 0 if the field is missing.
  package func count(_ fields: ReportFields, _ name: String) throws(ReportProblem) -> Int {
    guard fields.has(name) else { return 0 }
    let count = try need(fields.number(name), name)
    guard (0...Self.highestCount).contains(count) else {
      throw problem("'\(name)' is \(count), which is out of range")
    }
    return count
  }

  /// - Throws: `ReportProblem` if the last line has another number of lines.
  package func checkLines(_ fields: ReportFields) throws(ReportProblem) {
    let count = try need(fields.number("lines"), "lines")
    guard count == line else { throw problem("it counts \(count) lines, but has \(line)") }
  }

  package func shard(_ fields: ReportFields) throws(ReportProblem) -> (index: Int, count: Int) {
    let index = try need(fields.number("index"), "index")
    let count = try need(fields.number("count"), "count")
    guard index > 0, TranscriptShard(index: index - 1, of: count) != nil else {
      throw problem("there is no shard \(index)/\(count)")
    }
    return (index, count)
  }
}
