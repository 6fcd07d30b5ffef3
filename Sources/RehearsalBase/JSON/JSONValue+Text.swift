extension JSONValue {
  /// The value as JSON on one line, nothing cut.
  package var text: String { text(within: .max) }

  /// The value as JSON on one line. What would go beyond about `columns` columns is cut, and its size is
  /// told.
  package func text(within columns: Int) -> String {
    var json = JSONText(escaping: .controls)
    write(to: &json, budget: columns)
    return json.text
  }

  private func write(to json: inout JSONText, budget: Int) {
    switch self {
    case .null: json.append("null")
    case .bool(let value): json.append(value ? "true" : "false")
    case .number(let number): json.append(number)
    case .string(let string): json.append(text: string, limit: max(budget, Self.shortestCut))
    case .array(let values):
      let end = json.bytes.count.addingClamped(budget)
      json.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { json.append(", ") }
        if json.bytes.count >= end {
          json.append("… \(values.count) elements")
          break
        }
        value.write(to: &json, budget: end == .max ? .max : end - json.bytes.count)
      }
      json.append("]")
    case .object(let fields):
      let end = json.bytes.count.addingClamped(budget)
      json.append("{")
      for (index, field) in fields.enumerated() {
        if index > 0 { json.append(", ") }
        if json.bytes.count >= end {
          json.append("… \(fields.count) fields")
          break
        }
        json.append(text: field.name, limit: max(budget, Self.shortestCut))
        json.append(": ")
        field.value.write(to: &json, budget: end == .max ? .max : max(1, end - json.bytes.count))
      }
      json.append("}")
    }
  }

  private static let shortestCut = 8
}

extension Int {
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
