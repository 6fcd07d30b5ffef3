/// The texts that a transcript's `{{NAME:re}}` have matched so far, by name.
package typealias Captures = [String: [UInt8]]

extension LinePattern {
  /// The names that the pattern repeats.
  var references: [String] {
    segments.compactMap { if case .reference(let name) = $0 { name } else { nil } }
  }

  /// Whether the whole line is what the pattern means; remembers its captures when it is.
  ///
  /// Takes time linear in the line's length, whatever the expressions.
  package func matches(_ line: [UInt8], _ captures: inout Captures) -> Bool {
    if let literal = literalSegments(captures) { return Self.glob(literal, line[...]) }
    guard let program = program(captures), program.canMatch(line.count) else { return false }
    let scalars = String(decoding: line, as: UTF8.self).unicodeScalars.map(\.value)
    guard let slots = program.match(scalars) else { return false }
    for (index, name) in captureNames.enumerated() {
      let text = scalars[slots[2 * index]..<slots[2 * index + 1]]
      var view = String.UnicodeScalarView()
      view.append(contentsOf: text.compactMap(Unicode.Scalar.init))
      captures[name] = Array(String(view).utf8)
    }
    return true
  }

  /// Whether lines of this length are beyond what the pattern's expressions may be tried on.
  func isTooDear(forLinesOf count: Int, _ captures: Captures) -> Bool {
    guard literalSegments(captures) == nil else { return false }
    let known = captures.merging(captureNames.map { ($0, []) }) { before, _ in before }
    return program(known).map { !$0.canMatch(count) } ?? false
  }

  /// The names that the pattern captures.
  var captureNames: [String] {
    segments.compactMap { if case .capture(let name, _) = $0 { name } else { nil } }
  }

  /// The segments as literal texts with nil for any text, when there is no expression.
  private func literalSegments(_ captures: Captures) -> [[UInt8]?]? {
    var result: [[UInt8]?] = []
    func append(_ text: [UInt8]) {
      if let last = result.last, let before = last {
        result[result.count - 1] = before + text
      } else {
        result.append(text)
      }
    }
    for segment in segments {
      switch segment {
      case .literal(let text): append(text)
      case .anyText: result.append(nil)
      case .reference(let name):
        guard let text = captures[name] else { return nil }
        append(text)
      case .expression, .capture: return nil
      }
    }
    return result
  }

  /// Greedy matching from the left, which finds a match whenever there is one.
  private static func glob(_ segments: [[UInt8]?], _ line: ArraySlice<UInt8>) -> Bool {
    var rest = line
    var floating = false
    for (index, segment) in segments.enumerated() {
      guard let text = segment else {
        floating = true
        continue
      }
      if !floating {
        guard rest.starts(with: text) else { return false }
        rest = rest.dropFirst(text.count)
      } else if index == segments.count - 1 {
        return rest.count >= text.count && rest.suffix(text.count).elementsEqual(text)
      } else {
        guard let end = find(text, in: rest) else { return false }
        rest = rest[end...]
        floating = false
      }
    }
    return floating || rest.isEmpty
  }

  private static func find(_ text: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
    guard text.count <= line.count else { return nil }
    for start in line.startIndex...(line.endIndex - text.count)
    where line[start...].starts(with: text) {
      return start + text.count
    }
    return nil
  }

  private func program(_ captures: Captures) -> ExpressionProgram? {
    var program = ExpressionProgram()
    var slot = 0
    for segment in segments {
      switch segment {
      case .literal(let text): program.add(literal: text)
      case .anyText: program.addAnyText()
      case .expression(let expression): program.add(expression.root)
      case .capture(_, let expression):
        program.addCapture(expression.root, slot: slot)
        slot += 2
      case .reference(let name):
        guard let text = captures[name] else { return nil }
        program.add(literal: text)
      }
    }
    program.finish(slots: slot)
    return program
  }
}
