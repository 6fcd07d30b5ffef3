import RehearsalBase

/// An edit of a manifest's text that adds a dependency and targets.
///
/// It is conservative: it edits only a call `Package(…)` whose `targets` and `dependencies` are plain lists.
struct ManifestEdit {
  /// Elements to add, each as lines without indentation.
  let dependency: [String]?
  let targets: [[String]]

  /// A reason why a manifest cannot be edited.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// Returns the new text.
  func edited(_ source: [UInt8]) throws(Refusal) -> [UInt8] {
    let tokens = SwiftTokens(source)
    let arguments = try Self.arguments(tokens)
    guard let targetsList = arguments["targets"] else {
      throw Refusal(reason: "its call 'Package(…)' has no 'targets:'")
    }
    var changes = try insertions(targets, into: targetsList, "targets", tokens)
    if let dependency {
      if let list = arguments["dependencies"] {
        changes += try insertions([dependency], into: list, "dependencies", tokens)
      } else {
        let label = tokens.tokens[targetsList.lowerBound - 2]
        let indent = Self.indent(at: label.bytes.lowerBound, tokens)
        let unit = Self.unit(tokens)
        let lines =
          ["dependencies: ["] + dependency.map { indent + unit + $0 + "," } + [
            indent + "],", indent,
          ]
        changes.append((label.bytes.lowerBound, lines.joined(separator: "\n")))
      }
    }
    var result = source
    for change in changes.sorted(by: { $0.place > $1.place }) {
      result.insert(contentsOf: Array(change.text.utf8), at: change.place)
    }
    return result
  }

  private typealias Insertion = (place: Int, text: String)

  /// Returns the tokens of each argument's value, by its label.
  private static func arguments(_ tokens: SwiftTokens) throws(Refusal) -> [String: Range<Int>] {
    let all = tokens.tokens
    let calls = all.indices.dropFirst().filter { index in
      all[index].text == "Package" && all[index - 1].text == "=" && index + 1 < all.count
        && all[index + 1].text == "("
    }
    guard calls.count == 1, let call = calls.first, let end = tokens.closing(call + 1) else {
      throw Refusal(reason: "it has no single call '= Package(…)'")
    }
    var values: [String: Range<Int>] = [:]
    var (start, depth) = (call + 2, 0)
    for index in call + 2...end {
      if depth == 0, index == end || all[index].text == "," {
        if start + 2 <= index, all[start + 1].text == ":" {
          values[all[start].text] = start + 2..<index
        }
        start = index + 1
        continue
      }
      switch all[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "#if": throw Refusal(reason: "its call 'Package(…)' contains '#if'")
      default: break
      }
    }
    return values
  }

  /// Returns the insertions that append elements to a list.
  private func insertions(
    _ elements: [[String]],
    into list: Range<Int>,
    _ label: String,
    _ tokens: SwiftTokens
  ) throws(Refusal) -> [Insertion] {
    let all = tokens.tokens
    let (open, close) = (list.lowerBound, list.upperBound - 1)
    guard open < close, all[open].text == "[", tokens.closing(open) == close else {
      throw Refusal(reason: "'\(label):' is not a plain list in brackets")
    }
    if (open...close).contains(where: { all[$0].text == "#if" }) {
      throw Refusal(reason: "'\(label):' contains '#if'")
    }
    let base = Self.indent(at: all[close].bytes.lowerBound, tokens)
    let isApart = all[open + 1].line > all[open].line && open + 1 < close
    let indent =
      isApart
      ? Self.indent(at: all[open + 1].bytes.lowerBound, tokens) : base + Self.unit(tokens)
    let text = elements.map { $0.map { indent + $0 }.joined(separator: "\n") + ",\n" }.joined()
    let last = all[close - 1]
    let comma = close - 1 > open && last.text != "," ? "," : ""
    guard all[close].line > last.line else {
      // Nothing but blanks is between the last element and the bracket.
      return [(last.bytes.upperBound, comma + "\n" + text + base)]
    }
    return [
      (last.bytes.upperBound, comma),
      (all[close].bytes.lowerBound - base.utf8.count, text),
    ]
  }

  /// Returns the blanks at the beginning of the line of a byte.
  private static func indent(at place: Int, _ tokens: SwiftTokens) -> String {
    let start = tokens.source[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let blanks = tokens.source[start..<place].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: blanks, as: UTF8.self)
  }

  /// The indentation of the first argument of `Package(…)`; two blanks if it has none.
  private static func unit(_ tokens: SwiftTokens) -> String {
    let all = tokens.tokens
    guard
      let call = all.indices.first(where: { all[$0].text == "Package" && $0 + 2 < all.count }),
      let first = all[call...].first(where: { $0.line > all[call].line })
    else { return "  " }
    let indent = indent(at: first.bytes.lowerBound, tokens)
    return indent.isEmpty ? "  " : indent
  }
}
