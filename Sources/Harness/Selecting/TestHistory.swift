import LibC

/// The results of earlier runs: for each file, whether it failed when it was last played, and how long it took.
///
/// Plain text, one line for each file, sorted by path:
///
///     test history 1
///     failed 12040 transcripts/cancel/late.transcript
///     passed 830 transcripts/load/value.transcript
package struct TestHistory: Sendable {
  package struct Record: Equatable, Sendable {
    package var hasFailed: Bool
    package var microseconds: Int

    /// One day. Longer times are stored as this, so that the sum of all files cannot overflow.
    static let longestInMicroseconds = 86_400_000_000

    package init(hasFailed: Bool, microseconds: Int) {
      self.hasFailed = hasFailed
      self.microseconds = min(microseconds, Self.longestInMicroseconds)
    }

    /// Returns the record to store after a newer one. Small changes of the time are ignored, so that most runs do not
    /// rewrite the file.
    func updated(by newer: Record) -> Record {
      let change = abs(newer.microseconds - microseconds)
      let hasChanged = change > max(microseconds / 2, 2_000)
      return Record(
        hasFailed: newer.hasFailed,
        microseconds: hasChanged ? newer.microseconds : microseconds
      )
    }
  }

  private static let head = "test history 1\n"

  /// The content of the file. It is parsed each time, because a use needs all lines or none.
  private var bytes: [UInt8] = []
  /// Number of known files.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Parses a history; nil if the bytes are something else, or damaged.
  package init?(_ bytes: [UInt8]) {
    guard Self.isBegun(by: bytes) else { return nil }
    self.bytes = bytes
    let count = withLines { lines -> Int? in
      var count = 0
      var last: HistoryLines.Line?
      while let line = lines.next() {
        if let last, last.key.compared(with: line.key) >= 0 { return nil }
        last = line
        count += 1
      }
      return lines.isAtEnd ? count : nil
    }
    guard let count else { return nil }
    self.count = count
  }

  /// Whether a file begins like a history.
  package static func isBegun(by bytes: [UInt8]) -> Bool { bytes.starts(with: head.utf8) }

  private func withLines<Result>(_ body: (inout HistoryLines) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      var lines = HistoryLines(bytes: bytes, place: min(Self.head.utf8.count, bytes.count))
      return body(&lines)
    }
  }

  /// Returns the records of files by their keys, in the order of the keys.
  package func records(of keys: [String]) -> [Record?] {
    var records = [Record?](repeating: nil, count: keys.count)
    forEachRecord(of: keys) { records[$0] = $1 }
    return records
  }

  /// Passes the records of files to `body`, with the index of each key.
  func forEachRecord(of keys: [String], _ body: (Int, Record) -> Void) {
    if isEmpty { return }
    withLines { lines in
      var line = lines.next()
      let indices = Self.sortedIndices(of: keys)
      for place in keys.indices {
        let index = indices?[place] ?? place
        var key = keys[index]
        key.withUTF8 { key in
          while let known = line {
            let order = known.key.compared(with: key)
            if order == 0 { body(index, known.record) }
            if order >= 0 { return }
            line = lines.next()
          }
        }
      }
    }
  }

  /// The keys of the files that failed when they were last played.
  package var failed: [String] {
    withLines { lines in
      var keys: [String] = []
      while let line = lines.next() {
        if line.record.hasFailed { keys.append(line.text) }
      }
      return keys
    }
  }

  /// Returns the history with the results of a run; nil if nothing changed.
  ///
  /// - Parameters:
  ///   - records: of played files, in the order of the keys; nil for a file that was not played.
  ///   - keys: of these files.
  ///   - isGone: whether another file of the history no longer exists.
  /// - Returns: the new content.
  package func bytes(
    adding records: (Int) -> Record?,
    of keys: [String],
    without isGone: (String) -> Bool
  ) -> [UInt8]? {
    // Check before building the content: most runs change nothing.
    var hasChanged = false
    merge(records, of: keys, without: isGone) { _ in
    } change: { _, _ in
      hasChanged = true
    }
    guard hasChanged else { return nil }
    var result = Array(Self.head.utf8)
    result.reserveCapacity(bytes.count)
    merge(records, of: keys, without: isGone) { line in
      result += line.whole
    } change: { record, key in
      if let record { Self.append(record, key, to: &result) }
    }
    return result
  }

  /// Merges known records and the results of a run, in the order of the keys.
  ///
  /// - Parameters:
  ///   - records: of played files, in the order of the keys; nil for a file that was not played.
  ///   - keys: of these files.
  ///   - isGone: whether another file of the history no longer exists.
  ///   - keep: receives an unchanged line.
  ///   - change: receives the new record of a file; nil if the file no longer exists.
  private func merge(
    _ records: (Int) -> Record?,
    of keys: [String],
    without isGone: (String) -> Bool,
    keep: (HistoryLines.Line) -> Void,
    change: (Record?, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    withLines { lines in
      var line = lines.next()
      func keepUnlessGone(_ line: HistoryLines.Line) {
        if isGone(line.text) { change(nil, line.key) } else { keep(line) }
      }
      var last: Int?
      let indices = Self.sortedIndices(of: keys)
      for place in keys.indices {
        let index = indices?[place] ?? place
        guard let record = records(index), last.map({ keys[$0] != keys[index] }) ?? true else {
          continue
        }
        last = index
        var key = keys[index]
        key.withUTF8 { key in
          while let known = line, known.key.compared(with: key) < 0 {
            keepUnlessGone(known)
            line = lines.next()
          }
          let known = line.flatMap { $0.key.compared(with: key) == 0 ? $0 : nil }
          if known != nil { line = lines.next() }
          let newer = known?.record.updated(by: record) ?? record
          if let known, known.record == newer { keep(known) } else { change(newer, key) }
        }
      }
      while let known = line {
        keepUnlessGone(known)
        line = lines.next()
      }
    }
  }

  private static func append(
    _ record: Record,
    _ key: UnsafeBufferPointer<UInt8>,
    to bytes: inout [UInt8]
  ) {
    bytes += (record.hasFailed ? "failed " : "passed ").utf8
    bytes += "\(record.microseconds) ".utf8
    bytes += key
    bytes.append(.lineFeed)
  }

  /// Returns the indexes in the order of a file's lines; nil if they are already sorted, as in most cases.
  private static func sortedIndices(of keys: [String]) -> [Int]? {
    let isSorted = keys.indices.dropFirst().allSatisfy { precedes(keys[$0 - 1], keys[$0]) }
    return isSorted ? nil : keys.indices.sorted { precedes(keys[$0], keys[$1]) }
  }

  private static func precedes(_ first: String, _ second: String) -> Bool {
    let order = first.utf8.withContiguousStorageIfAvailable { first in
      second.utf8.withContiguousStorageIfAvailable { first.compared(with: $0) < 0 }
    }
    return (order ?? nil) ?? first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}

/// Parses the lines of a history.
private struct HistoryLines {
  struct Line {
    /// The line with its end.
    let whole: Slice<UnsafeBufferPointer<UInt8>>
    let key: UnsafeBufferPointer<UInt8>
    let record: TestHistory.Record

    var text: String { String(decoding: key, as: UTF8.self) }
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var place: Int

  /// Whether everything was parsed; a bad line stops the parser before.
  var isAtEnd: Bool { place == bytes.count }

  /// Returns the next line; nil at the end or at a bad line.
  mutating func next() -> Line? {
    let start = place
    guard let line = line(from: start) else {
      place = start
      return nil
    }
    return line
  }

  private mutating func line(from start: Int) -> Line? {
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
    return Line(
      whole: bytes[start...end],
      key: UnsafeBufferPointer(rebasing: bytes[place..<end]),
      record: TestHistory.Record(hasFailed: hasFailed, microseconds: microseconds)
    )
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

  /// Parses a number of microseconds; nil if it is invalid or exceeds the maximum.
  private mutating func number() -> Int? {
    let start = place
    var number = 0
    while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
      guard place - start < 16 else { return nil }
      number = number * 10 + Int(bytes[place] - UInt8(ascii: "0"))
      place += 1
    }
    return place == start || number > TestHistory.Record.longestInMicroseconds ? nil : number
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Less than, equal to or greater than 0, like `memcmp`.
  fileprivate func compared(with other: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = baseAddress, let otherStart = other.baseAddress else {
      return count - other.count
    }
    let order = Int(memcmp(start, otherStart, Swift.min(count, other.count)))
    return order == 0 ? count - other.count : order
  }
}
