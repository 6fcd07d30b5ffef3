import Loading
package import Script

/// Decides the colour of each word of a typed line: verbs, keywords, members, mistakes.
extension Session {
  /// A part of a text and its syntax colour. The range counts Unicode scalars.
  package struct ColouredPart: Equatable, Sendable {
    package let range: Range<Int>
    package let role: SyntaxMark.Role
  }

  /// Returns the coloured parts of a text, which may be unfinished or wrong. Text outside of these
  /// parts has no colour.
  package func colours(of text: String) -> [ColouredPart] {
    let bytes = Array(text.utf8)
    let counts = ScalarCounts(bytes)
    return Script.marks(in: text, table: commands.table).compactMap { mark in
      guard let role = role(of: mark, in: bytes) else { return nil }
      return ColouredPart(range: counts.scalars(in: mark.range), role: role)
    }
  }

  private func role(of mark: SyntaxMark, in bytes: [UInt8]) -> SyntaxMark.Role? {
    let name = String(decoding: bytes[mark.range], as: UTF8.self)
    let isMember = { self.members[name] != nil }
    // A name that is still being typed may become another.
    let isOver = mark.range.upperBound < bytes.count
    switch mark.role {
    case .value: return nil
    case .name: return isMember() ? .member : nil
    case .member:
      if isMember() { return .member }
      return isOver ? .mistake : nil
    case .type: return isOver && !isType(name) ? .mistake : nil
    case .policy: return isOver && LoadingPolicy.named(name) == nil ? .mistake : nil
    default: return mark.role
    }
  }

  private func isType(_ name: String) -> Bool {
    members.typeNames.contains(name)
  }
}

/// The number of scalars that begin before each byte.
private struct ScalarCounts {
  private let counts: [Int]

  init(_ bytes: [UInt8]) {
    var count = 0
    var counts: [Int] = []
    counts.reserveCapacity(bytes.count + 1)
    for byte in bytes {
      counts.append(count)
      if byte & 0xC0 != 0x80 { count += 1 }
    }
    self.counts = counts + [count]
  }

  func scalars(in range: Range<Int>) -> Range<Int> {
    counts[range.lowerBound]..<counts[range.upperBound]
  }
}
