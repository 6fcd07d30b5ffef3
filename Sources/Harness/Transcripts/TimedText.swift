import RehearsalBase

/// A line of output as its times and the text between them.
///
/// A time is a number with a unit that stands alone, `250ms` or `1.5s`. What stands in quotes is a value,
/// whatever it looks like.
struct TimedText {
  private(set) var times: [Duration] = []
  /// What stands before, between and behind the times; one more than there are times.
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
        // In single quotes, too, stands what somebody has typed.
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

  /// Whether the first thing in the line is a time, as in the column of times.
  var beginsWithTime: Bool { words.count > 1 && words[0].allSatisfy(\.isBlank) }

  /// Whether the lines differ in their times at most. Columns keep their places, so a longer time has
  /// fewer blanks beside it.
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

  /// The text with one blank for each run of blanks that touches a time.
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

  /// The time that a word is, exactly; nil where it is none.
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

  /// Whether the byte is part of a word that a number could be in.
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
