import ArgumentParser

/// A parser for the whole number of an option, with the error about its range.
enum NumberOption {
  /// Returns a parser for whole numbers in a range. Its error names the range.
  static func reader<Number: FixedWidthInteger & Sendable>(
    _ range: ClosedRange<Number>,
    example: Number
  ) -> @Sendable (String) throws -> Number {
    { text in
      if let number = Number(text), range.contains(number) { return number }
      let valid =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw ValidationError("it takes a number \(valid), such as \(example)")
    }
  }
}
