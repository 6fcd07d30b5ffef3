/// The secrets that were found by their names: which are distinctive enough to find them again elsewhere.
struct KnownSecrets {
  private var secrets: Set<[UInt8]> = []
  private var byStart: [UInt32: [[UInt8]]] = [:]
  /// One bit per hash of the first four bytes. Most positions of a text need only this check.
  private var starts = [UInt64](repeating: 0, count: 1024)

  private static let mostSecrets = 10_000
  private static let shortest = 6
  private static let longest = 10_000

  var isEmpty: Bool { secrets.isEmpty }

  /// Adds a value, unless it may be an ordinary word elsewhere.
  mutating func insert(_ secret: some Collection<UInt8>) {
    guard (Self.shortest...Self.longest).contains(secret.count), secrets.count < Self.mostSecrets,
      Self.isDistinctive(secret), secrets.insert(Array(secret)).inserted
    else { return }
    let secret = Array(secret)
    let start = secret.prefix(4).reduce(0) { Self.start($1, $0) }
    byStart[start, default: []].append(secret)
    starts[Self.word(start)] |= Self.bit(start)
  }

  private static func isDistinctive(_ secret: some Collection<UInt8>) -> Bool {
    if secret.count >= 20 { return !secret.contains(0x20) }
    return secret.contains(where: \.isASCIIDigit) && secret.contains(where: \.isASCIILetter)
  }

  /// Returns the positions of known secrets in a text.
  func places(in text: [UInt8]) -> [Range<Int>] {
    guard !isEmpty, text.count >= Self.shortest else { return [] }
    var places: [Range<Int>] = []
    var start: UInt32 = 0
    var done = 0
    for index in text.indices {
      start = Self.start(text[index], start)
      guard index >= 3, starts[Self.word(start)] & Self.bit(start) != 0, index - 3 >= done,
        let length = length(of: start, at: index - 3, in: text)
      else { continue }
      done = index - 3 + length
      places.append(index - 3..<done)
    }
    return places
  }

  /// Returns the length of the longest secret at this position.
  private func length(of start: UInt32, at index: Int, in text: [UInt8]) -> Int? {
    byStart[start]?.filter { text[index...].starts(with: $0) }.map(\.count).max()
  }

  /// Returns the last four bytes as a number, computed from the previous number.
  private static func start(_ byte: UInt8, _ before: UInt32) -> UInt32 {
    before << 8 | UInt32(byte)
  }
  private static func hash(_ start: UInt32) -> UInt32 { (start &* 0x9E37_79B1) >> 16 }
  private static func word(_ start: UInt32) -> Int { Int(hash(start) >> 6) }
  private static func bit(_ start: UInt32) -> UInt64 { 1 << UInt64(hash(start) & 63) }
}
