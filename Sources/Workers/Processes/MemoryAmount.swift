/// Amounts of memory as text: `512MB`, `2GB`, in powers of 1024.
package enum MemoryAmount {
  private static let units: [(name: String, shift: Int)] = [
    ("GB", 30), ("MB", 20), ("kB", 10), ("B", 0),
  ]

  /// Parses an amount; nil if the text is not one.
  package static func bytes(_ text: String) -> Int? {
    let digits = text.prefix { ("0"..."9").contains($0) }
    let unit = text.dropFirst(digits.count).lowercased()
    guard let number = Int(digits),
      let shift = units.first(where: { $0.name.lowercased() == unit })?.shift
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : bytes
  }

  /// Formats an amount in the largest unit that gives a whole number.
  package static func text(_ bytes: Int) -> String {
    let unit = units.first { bytes >= 1 << $0.shift && bytes % (1 << $0.shift) == 0 }
    return unit.map { "\(bytes >> $0.shift)\($0.name)" } ?? "\(bytes)B"
  }
}
