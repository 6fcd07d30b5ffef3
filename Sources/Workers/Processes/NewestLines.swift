/// The newest lines of output in shared memory. One process writes; others read after it has ended.
package struct NewestLines: @unchecked Sendable {
  // One process writes; others read after it has ended.
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private static let headerSize = 8

  /// - Parameters:
  ///   - base: the start of `size` bytes of zeros, aligned to a word.
  ///   - size: more than the size of a word.
  package init(at base: UnsafeMutableRawPointer, size: Int) {
    self.base = base
    capacity = size - Self.headerSize
  }

  /// The number of written bytes. Only the newest are kept.
  private(set) var count: Int {
    get { base.load(as: Int.self) }
    nonmutating set { base.storeBytes(of: newValue, as: Int.self) }
  }

  /// Removes all lines.
  package func removeAll() { count = 0 }

  /// Appends a line. If the memory is full, the newest bytes are kept.
  package func append(_ line: UnsafeBufferPointer<UInt8>) {
    let fits = UnsafeBufferPointer(rebasing: line.suffix(capacity - 1))
    count += line.count - fits.count
    if let start = fits.baseAddress { copy(start, fits.count) }
    var feed = UInt8(ascii: "\n")
    copy(&feed, 1)
  }

  /// Appends a line.
  package func append(_ line: String) {
    var line = line
    line.withUTF8 { append($0) }
  }

  private func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let place = self.count % capacity
    let first = min(count, capacity - place)
    (ring + place).copyMemory(from: bytes, byteCount: first)
    ring.copyMemory(from: bytes + first, byteCount: count - first)
    self.count += count
  }

  private var ring: UnsafeMutableRawPointer { base + Self.headerSize }

  /// All lines; nil if some were dropped.
  package var all: [String]? {
    guard count <= capacity else { return nil }
    return UnsafeRawBufferPointer(start: ring, count: count).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the newest lines up to a limit. If some are missing, the first line has their size.
  package func suffix(_ limit: Int) -> [String] {
    let total = count
    let kept = min(total, capacity)
    let ring = UnsafeRawBufferPointer(start: ring, count: capacity)
    var bytes = (total - kept..<total).map { ring[$0 % capacity] }[...]
    if kept < total { bytes = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst() }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(limit)
    let shown = lines.reduce(0) { $0 + $1.count + 1 }
    let cut = shown < total ? ["… (\(total - shown) bytes before this)"] : []
    return cut + lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
