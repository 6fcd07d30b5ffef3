/// Bodies that become files, with safe names.
struct BodyFiles {
  private(set) var files: [TrafficRoutes.File] = []
  private let prefix: String
  private var names: [File: String] = [:]

  private struct File: Hashable {
    let bytes: [UInt8]
    let ending: String
    private let fingerprint: UInt64

    init(bytes: [UInt8], ending: String) {
      self.bytes = bytes
      self.ending = ending
      fingerprint = Self.fingerprint(of: bytes)
    }

    /// Hashes a fingerprint. The standard hash of an array reads every byte, again whenever the
    /// table grows.
    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

    private static func fingerprint(of bytes: [UInt8]) -> UInt64 {
      bytes.withUnsafeBytes { buffer in
        var print = UInt64(buffer.count)
        let words = buffer.count / 8 * 8
        for index in stride(from: 0, to: words, by: 8) {
          let word = buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          print = (print ^ word) &* 0x9E37_79B9_7F4A_7C15
          print ^= print >> 32
        }
        return buffer[words...].reduce(print) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      }
    }
  }

  init(prefix: String) {
    let slug = Self.slug(prefix[...], atMost: 40)
    self.prefix = slug.isEmpty ? "traffic" : slug
  }

  /// Returns the name of the file with these bytes, adding one if necessary.
  ///
  /// A name has a number and letters, digits and hyphens of the path. So no path can lead to
  /// another directory or control a terminal.
  mutating func name(
    for bytes: [UInt8],
    ending: String,
    _ path: PathTemplate
  ) -> String {
    let file = File(bytes: bytes, ending: ending)
    if let name = names[file] { return name }
    let number = String(files.count + 1)
    let padding = String(repeating: "0", count: max(0, 3 - number.count))
    let words = path.segments.compactMap { segment in
      if case .literal(let text) = segment { text } else { nil }
    }
    let slug = Self.slug(words.suffix(3).joined(separator: "-")[...], atMost: 40)
    let name = [prefix, padding + number, slug].filter { !$0.isEmpty }.joined(separator: "-")
    names[file] = "\(name).\(ending)"
    files.append(TrafficRoutes.File(name: "\(name).\(ending)", bytes: bytes))
    return "\(name).\(ending)"
  }

  private static func slug(_ text: Substring, atMost limit: Int) -> String {
    let words = text.lowercased().utf8.split { !($0.isASCIILetter || $0.isASCIIDigit) }
    let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    return String(slug.prefix(limit))
  }
}
