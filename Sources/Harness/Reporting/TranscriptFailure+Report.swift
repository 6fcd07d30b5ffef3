/// Cuts the difference of a failure for reports, and writes its place, its lines and durations.
extension TranscriptFailure {
  /// The first lines of the difference, up to the limit of reports.
  var shownDiff: [DiffLine] {
    guard diff.count > FailureText.shownLines else { return diff.map(\.shown) }
    let left = diff.count - FailureText.shownLines
    return diff.prefix(FailureText.shownLines).map(\.shown)
      + [DiffLine(.same, "… \(left) more lines")]
  }

  /// The place in the format of compilers.
  var place: String { line > 0 ? "\(path):\(line)" : path }

  /// The command, the difference, further facts and how `program` can accept it, a line each, as printed in a
  /// terminal.
  func detailLines(for program: String?) -> [String] {
    FailureText(colour: false, program: program).text(of: self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map(String.init)
  }
}

extension TranscriptFailure.DiffLine {
  /// The line with its mark: a space, `-` or `+`.
  var marked: String {
    switch mark {
    case .same: "   \(text)"
    case .expected: "-  \(text)"
    case .actual: "+  \(text)"
    }
  }

  fileprivate var shown: Self {
    let count = text.utf8.count
    guard count > FailureText.shownBytes else { return self }
    let cut = String(decoding: text.utf8.prefix(FailureText.shownBytes), as: UTF8.self)
    return Self(mark, cut + "… (\(count) bytes)")
  }
}

extension Array {
  /// Groups neighbours that belong together into slices.
  func grouped(_ belongTogether: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var groups: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices
    where index + 1 == endIndex || !belongTogether(self[index], self[index + 1]) {
      groups.append(self[start...index])
      start = index + 1
    }
    return groups
  }
}

extension Duration {
  /// Milliseconds with three decimals, rounded down.
  var inMilliseconds: String { Self.decimal(attoseconds / 1_000_000_000_000) }

  /// Seconds with three decimals, rounded down.
  var inSeconds: String { Self.decimal(attoseconds / 1_000_000_000_000_000) }

  private static func decimal(_ thousandths: Int128) -> String {
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
