/// Changes bytes like a typing mistake, a broken disk or a bad merge.
struct Mutator {
  /// Words and signs with a meaning for the target. They are inserted into texts.
  let words: [[UInt8]]
  /// Other texts. Pieces of them are inserted.
  let others: [[UInt8]]

  /// Maximum number of bytes of an input.
  static let longestInput = 4096

  func mutate(_ bytes: [UInt8], _ random: inout Randomness) -> [UInt8] {
    var result = bytes
    for _ in 0...random.below(4) { change(&result, &random) }
    return Array(result.prefix(Self.longestInput))
  }

  private func change(_ bytes: inout [UInt8], _ random: inout Randomness) {
    switch random.below(10) {
    case 0: insert([UInt8(random.below(256))], &bytes, &random)
    case 1, 2: if !words.isEmpty { insert(random.pick(words), &bytes, &random) }
    case 3: remove(&bytes, &random)
    case 4: flip(&bytes, &random)
    case 5: repeatPart(&bytes, &random)
    case 6, 7: changeLines(&bytes, &random)
    case 8: splice(&bytes, &random)
    default: changeNumber(&bytes, &random)
    }
  }

  private func insert(_ piece: [UInt8], _ bytes: inout [UInt8], _ random: inout Randomness) {
    bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
  }

  private func part(of bytes: [UInt8], _ random: inout Randomness) -> Range<Int> {
    let start = random.below(bytes.count + 1)
    return start..<min(bytes.count, start + random.below(24))
  }

  private func remove(_ bytes: inout [UInt8], _ random: inout Randomness) {
    bytes.removeSubrange(part(of: bytes, &random))
  }

  private func flip(_ bytes: inout [UInt8], _ random: inout Randomness) {
    guard !bytes.isEmpty else { return }
    bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
  }

  private func repeatPart(_ bytes: inout [UInt8], _ random: inout Randomness) {
    let piece = Array(bytes[part(of: bytes, &random)])
    let times = random.once(in: 8) ? 64 : 1 + random.below(3)
    for _ in 0..<times where bytes.count < Self.longestInput { insert(piece, &bytes, &random) }
  }

  private func changeLines(_ bytes: inout [UInt8], _ random: inout Randomness) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let (one, two) = (random.below(lines.count), random.below(lines.count))
    switch random.below(4) {
    case 0: lines.swapAt(one, two)
    case 1: lines.insert(lines[one], at: two)
    case 2: lines.remove(at: one)
    default: lines[one] = Array(lines[one].prefix(random.below(lines[one].count + 1)))
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }

  private func splice(_ bytes: inout [UInt8], _ random: inout Randomness) {
    guard !others.isEmpty else { return }
    let other = random.pick(others)
    let start = random.below(other.count + 1)
    let piece = other[start..<min(other.count, start + random.below(200))]
    insert(Array(piece), &bytes, &random)
  }

  private func changeNumber(_ bytes: inout [UInt8], _ random: inout Randomness) {
    let digits = bytes.indices.filter { bytes[$0] >= 0x30 && bytes[$0] <= 0x39 }
    guard !digits.isEmpty else { return }
    let place = random.pick(digits)
    let numbers = ["0", "-1", "9223372036854775807", "18446744073709551616", "1e308", "0.0000001"]
    bytes.replaceSubrange(place...place, with: Array(random.pick(numbers).utf8))
  }
}
