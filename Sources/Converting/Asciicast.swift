import Harness
import RehearsalBase

/// A terminal recording of asciinema: a line of JSON for the header and one for each event.
struct Asciicast {
  /// The complete output.
  private(set) var output = ""
  /// The terminal's width in columns, nil if unknown.
  private(set) var width: Int?
  /// The numbers of damaged lines, from 1. Their output is unknown.
  private(set) var damagedLines: [Int] = []

  /// Reads a recording, nil if the bytes are not one.
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
      // After a resize, the positions of line breaks are unknown.
      if kind == "r" { width = nil }
    }
  }

  /// Returns `width` of format version 2 or `cols` of `term` of version 3.
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

  /// Returns whether a line has no event: it is blank or a comment.
  private static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool {
    let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
    return first == nil || first == UInt8(ascii: "#")
  }
}
