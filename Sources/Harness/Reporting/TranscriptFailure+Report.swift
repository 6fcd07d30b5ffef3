extension TranscriptFailure {
  /// As much of the difference as a report has room for.
  var shownDiff: [DiffLine] {
    guard diff.count > FailureText.shownLines else { return diff.map(\.shown) }
    let left = diff.count - FailureText.shownLines
    return diff.prefix(FailureText.shownLines).map(\.shown)
      + [DiffLine(.same, "… \(left) more lines")]
  }

  /// The place, as compilers write it.
  var place: String { line > 0 ? "\(path):\(line)" : path }

  /// The command, the difference, what else is known and what to tell `program` to accept it, a line each,
  /// as in a terminal.
  func detailLines(for program: String?) -> [String] {
    FailureText(colour: false, program: program).text(of: self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map(String.init)
  }
}

extension TranscriptFailure.DiffLine {
  /// The line behind its mark: a blank, `-` or `+`.
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
  /// Neighbours that belong together, as slices.
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
  /// Rounded down to a thousandth of a millisecond.
  var inMilliseconds: String { Self.decimal(attoseconds / 1_000_000_000_000) }

  /// In seconds, rounded down to a millisecond.
  var inSeconds: String { Self.decimal(attoseconds / 1_000_000_000_000_000) }

  private static func decimal(_ thousandths: Int128) -> String {
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
