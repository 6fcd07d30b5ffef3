import Harness
import RehearsalBase

/// A recording of a terminal as asciinema writes it: a line of JSON for its head, and one for each piece.
struct Asciicast {
  /// Everything that was printed.
  private(set) var output = ""
  /// How many columns the terminal had; nil where it is not said.
  private(set) var width: Int?
  /// The lines that are damaged, from 1: nobody knows what they printed.
  private(set) var damagedLines: [Int] = []

  /// Reads a recording; nil where the bytes are none.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: .lineFeed, omittingEmptySubsequences: false)
    guard let head = lines.first, head.first == UInt8(ascii: "{"),
      case .object(let members)? = try? JSONValue(json: Array(head)),
      members.contains(where: { $0.name == "version" })
    else { return nil }
    width = Self.width(members)
    for (index, line) in lines.enumerated().dropFirst() where !Self.isEmpty(line) {
      guard case .array(let parts)? = try? JSONValue(json: Array(line)), parts.count == 3,
        case .string(let kind) = parts[1], case .string(let text) = parts[2]
      else {
        damagedLines.append(index + 1)
        continue
      }
      if kind == "o" { output += text }
      // Where the terminal became another, nobody knows where it broke lines.
      if kind == "r" { width = nil }
    }
  }

  /// What the second version calls `width`, and the third `cols` of its `term`.
  private static func width(_ members: [JSONValue.Field]) -> Int? {
    for member in members {
      switch (member.name, member.value) {
      case ("width", .number(let text)), ("cols", .number(let text)): return Int(text)
      case ("term", .object(let members)): return width(members)
      default: break
      }
    }
    return nil
  }

  /// Whether nothing happened in a line: it is blank, or a comment.
  private static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool {
    let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
    return first == nil || first == UInt8(ascii: "#")
  }
}
