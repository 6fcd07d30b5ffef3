import Script

extension ExploredScript {
  /// What counts of a command's output: of what happened at one instant, in one order.
  ///
  /// That two members changed at the same instant nobody can tell apart from that they did so in the other
  /// order. Each line says from which state to which, so that orders that do matter still differ.
  static func counted(_ lines: [String]) -> [String] {
    var counted: [String] = []
    var start = 0
    while start < lines.count {
      guard let instant = instant(of: lines[start]) else {
        counted.append(lines[start])
        start += 1
        continue
      }
      let end = lines[start...].firstIndex { Self.instant(of: $0) != instant } ?? lines.count
      counted += lines[start..<end].sorted()
      start = end
    }
    return counted
  }

  /// The instant that a line begins with; nil where it begins with something else.
  private static func instant(of line: String) -> Substring? {
    guard let word = line.split(separator: " ", maxSplits: 1).first, line.first == " ",
      word.utf8.first?.isDigit == true, word.utf8.last == UInt8(ascii: "s")
    else { return nil }
    return word
  }
}
