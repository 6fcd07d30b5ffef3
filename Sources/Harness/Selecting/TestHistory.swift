#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is known of earlier runs: for each file of transcripts whether it failed when it was last played, and
/// how long it took.
///
/// Plain text, a line for each file, sorted by their paths:
///
///     test history 1
///     failed 12040 transcripts/cancel/late.transcript
///     passed 830 transcripts/load/value.transcript
package struct TestHistory: Sendable {
  package struct Record: Equatable, Sendable {
    package var hasFailed: Bool
    package var microseconds: Int

    package init(hasFailed: Bool, microseconds: Int) {
      self.hasFailed = hasFailed
      self.microseconds = microseconds
    }

    /// What is remembered where this was known and `newer` has come: times only where they changed much, so
    /// that most runs leave the file alone.
    func updated(by newer: Record) -> Record {
      let change = abs(newer.microseconds - microseconds)
      let isNews = change > max(microseconds / 2, 2_000)
      return Record(
        hasFailed: newer.hasFailed,
        microseconds: isNews ? newer.microseconds : microseconds
      )
    }
  }

  private static let head = "test history 1\n"
  private static let limitInBytes = 64 << 20

  /// The lines, in the order of their paths.
  private var lines: [(path: Range<Int>, record: Record)] = []
  private var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { lines.isEmpty }

  /// How many files are known.
  var count: Int { lines.count }

  /// Reads what a history wrote; nil where this is something else, or damaged.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.head.utf8) else { return nil }
    self.bytes = bytes
    let isSound = bytes.withUnsafeBufferPointer { bytes in
      var reader = HistoryLines(bytes: bytes, place: Self.head.utf8.count)
      while reader.place < bytes.count {
        guard let line = reader.next() else { return false }
        if let last = lines.last,
          Self.compare(bytes[line.path], with: bytes[last.path]) <= 0
        {
          return false
        }
        lines.append(line)
      }
      return true
    }
    guard isSound else { return nil }
  }

  /// What is known of a file by its key.
  package subscript(key: String) -> Record? {
    var key = key
    return key.withUTF8 { key in
      var (low, high) = (0, lines.count)
      while low < high {
        let middle = (low + high) / 2
        let order = bytes.withUnsafeBufferPointer {
          Self.compare(key[...], with: $0[lines[middle].path])
        }
        if order == 0 { return lines[middle].record }
        if order < 0 { high = middle } else { low = middle + 1 }
      }
      return nil
    }
  }

  /// The keys of the files that failed when they were last played.
  package var failed: [String] { lines.filter(\.record.hasFailed).map { text($0.path) } }

  /// This history and what a run has shown, as bytes; nil where that is no news.
  ///
  /// - Parameters:
  ///   - news: of the files that were played, by their keys.
  ///   - isGone: whether a file of the history is there no more.
  /// - Returns: the new content.
  package func bytes(
    adding news: [String: Record],
    without isGone: (String) -> Bool
  ) -> [UInt8]? {
    let gone = lines.indices.filter { place in
      let key = text(lines[place].path)
      return news[key] == nil && isGone(key)
    }
    let updated = news.compactMap { key, record in
      let known = self[key]
      let newer = known?.updated(by: record) ?? record
      return newer == known ? nil : (key: Array(key.utf8), record: newer)
    }
    // Most runs bring no news, and then nothing is put together.
    if updated.isEmpty, gone.isEmpty { return nil }
    return merged(
      updated.sorted { $0.key.lexicographicallyPrecedes($1.key) },
      without: Set(gone)
    )
  }

  /// All lines in order, with new ones in the places of those that they replace. What stays is copied as it is.
  private func merged(
    _ updated: [(key: [UInt8], record: Record)],
    without gone: Set<Int>
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64 * updated.count)
    result += Self.head.utf8
    var updated = updated[...]
    for (place, line) in lines.enumerated() where !gone.contains(place) {
      var order = -1
      while let next = updated.first {
        order = compare(next.key, with: line.path)
        if order > 0 { break }
        Self.append(next, to: &result)
        updated.removeFirst()
        if order == 0 { break }
      }
      if order != 0 { result += bytes[start(of: place)...line.path.upperBound] }
    }
    for next in updated { Self.append(next, to: &result) }
    return result
  }

  private static func append(
    _ line: (key: [UInt8], record: Record),
    to bytes: inout [UInt8]
  ) {
    bytes += (line.record.hasFailed ? "failed " : "passed ").utf8
    bytes += "\(line.record.microseconds) ".utf8
    bytes += line.key
    bytes.append(.lineFeed)
  }

  private func start(of place: Int) -> Int {
    place == 0 ? Self.head.utf8.count : lines[place - 1].path.upperBound + 1
  }

  private func compare(_ key: [UInt8], with path: Range<Int>) -> Int {
    key.withUnsafeBufferPointer { key in
      bytes.withUnsafeBufferPointer { Self.compare(key[...], with: $0[path]) }
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Less than, equal to or more than 0, as `memcmp` has it.
  private static func compare(
    _ one: Slice<UnsafeBufferPointer<UInt8>>,
    with other: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int {
    let (first, second) = (UnsafeBufferPointer(rebasing: one), UnsafeBufferPointer(rebasing: other))
    guard let start = first.baseAddress, let otherStart = second.baseAddress else {
      return first.count - second.count
    }
    let order = Int(memcmp(start, otherStart, min(first.count, second.count)))
    return order == 0 ? first.count - second.count : order
  }

  /// Reads a history from a file; one that is not there is empty, nil stands for one that is none.
  package static func read(_ path: String) throws(FileProblem) -> TestHistory? {
    do throws(FileProblem) {
      return TestHistory(try FileBytes.readAny(path, limitInBytes: limitInBytes))
    } catch .missing {
      return TestHistory()
    }
  }
}

/// Takes the lines of a history apart.
private struct HistoryLines {
  let bytes: UnsafeBufferPointer<UInt8>
  var place: Int

  /// The next line; nil where it is none.
  mutating func next() -> (path: Range<Int>, record: TestHistory.Record)? {
    let hasFailed: Bool
    if skip("failed ") {
      hasFailed = true
    } else if skip("passed ") {
      hasFailed = false
    } else {
      return nil
    }
    guard let microseconds = number(), skip(" "), let end = lineEnd, end > place else { return nil }
    defer { place = end + 1 }
    let record = TestHistory.Record(hasFailed: hasFailed, microseconds: microseconds)
    return (place..<end, record)
  }

  private var lineEnd: Int? {
    guard let start = bytes.baseAddress, place < bytes.count,
      let end = memchr(start + place, Int32(UInt8.lineFeed), bytes.count - place)
    else { return nil }
    return UnsafeRawPointer(end) - UnsafeRawPointer(start)
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard let start = bytes.baseAddress, end <= bytes.count,
      memcmp(start + place, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { return false }
    place = end
    return true
  }

  /// A number of microseconds; nil where it is none, or longer than any run.
  private mutating func number() -> Int? {
    let start = place
    var number = 0
    while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
      guard place - start < 16 else { return nil }
      number = number * 10 + Int(bytes[place] - UInt8(ascii: "0"))
      place += 1
    }
    return place == start ? nil : number
  }
}
