import RehearsalBase

/// A line of output, divided into its times and the text between them, to find lines that differ only in times.
///
/// A time is a separate word with a number and a unit, `250ms` or `1.5s`. Quoted text is a value and never a time.
struct TimedText {
  private(set) var times: [Duration] = []
  /// The text before, between and after the times; one more than there are times.
  private(set) var words: [ArraySlice<UInt8>] = []

  init(_ line: [UInt8]) {
    var start = 0
    var index = 0
    var isQuoted = false
    while index < line.count {
      let byte = line[index]
      if byte == UInt8(ascii: "\\"), isQuoted {
        index += 2
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
        index += 1
      } else if !isQuoted, byte.isWordByte {
        let word = line[index...].prefix { $0.isWordByte }
        // Text in single quotes is quoted user input.
        let isCited = index > 0 && line[index - 1] == UInt8(ascii: "'")
        if !isCited, let time = Self.time(word) {
          words.append(line[start..<index])
          times.append(time)
          start = word.endIndex
        }
        index = word.endIndex
      } else {
        index += 1
      }
    }
    words.append(line[min(start, line.count)...])
  }

  /// Whether the line begins with a time, as in the column of times.
  var beginsWithTime: Bool { words.count > 1 && words[0].allSatisfy(\.isBlank) }

  /// Whether the lines differ only in their times. Columns are aligned, so a longer time has fewer spaces next to it.
  func hasSameWords(as other: TimedText) -> Bool {
    guard words.count == other.words.count else { return false }
    return words.indices.allSatisfy { index in
      let (first, last) = (index == 0, index == words.count - 1)
      let one = Self.trimmed(words[index], keepsStart: first && !beginsWithTime, keepsEnd: last)
      let two = Self.trimmed(
        other.words[index],
        keepsStart: first && !other.beginsWithTime,
        keepsEnd: last
      )
      return one == two
    }
  }

  /// Replaces each run of spaces next to a time by one space.
  private static func trimmed(
    _ text: ArraySlice<UInt8>,
    keepsStart: Bool,
    keepsEnd: Bool
  ) -> [UInt8] {
    var text = text
    var (front, back): ([UInt8], [UInt8]) = ([], [])
    if !keepsStart, text.first?.isBlank == true {
      text = text.drop { $0.isBlank }
      front = [.space]
    }
    if !keepsEnd, text.last?.isBlank == true {
      while text.last?.isBlank == true { text = text.dropLast() }
      back = [.space]
    }
    return front + text + back
  }

  private static let units: [(name: String, nanoseconds: Int)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
  ]

  /// Parses a word as an exact time; nil if it is none.
  private static func time(_ word: ArraySlice<UInt8>) -> Duration? {
    let number = word.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, (1...9).contains(whole.count),
      let unit = units.first(where: { word[number.endIndex...].elementsEqual($0.name.utf8) })
    else { return nil }
    let decimals = parts.count == 2 ? parts[1] : []
    guard decimals.count <= 9, parts.count == 1 || !decimals.isEmpty else { return nil }
    let fraction = decimals.reduce((value: 0, place: unit.nanoseconds)) { sum, digit in
      (sum.value + digit.digit * sum.place / 10, sum.place / 10)
    }
    let seconds = whole.reduce(0) { $0 * 10 + $1.digit }
    let (product, overflow) = seconds.multipliedReportingOverflow(by: unit.nanoseconds)
    return overflow ? nil : .nanoseconds(product + fraction.value)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// The digit's value.
  fileprivate var digit: Int { Int(self) - 0x30 }

  /// Whether the byte can belong to the same word as a number.
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: "+"), 0x80...:
      true
    default: false
    }
  }
}
