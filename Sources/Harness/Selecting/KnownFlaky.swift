/// A list of files whose failures do not fail a run, for the time being. It can only get shorter.
///
///     limit 2
///     # The socket is slow on the oldest machines.
///     transcripts/http/slow.transcript
///
/// One path a line, as in reports; the comments directly above give the reason. The first line has the number of
/// entries, which must be raised to add an entry and lowered to remove one.
package struct KnownFlaky {
  /// A file of the list.
  struct Entry: Equatable {
    let path: String
    /// The index of its line.
    let line: Int
    /// The comment above it; empty if there is none.
    let reason: String
  }

  let path: String
  private let naming: PathKey
  private(set) var entries: [Entry] = []
  private(set) var problems: [String] = []
  /// The byte order mark, if the file has one.
  private let mark: String
  private let lines: [String]
  private var limit: (count: Int, line: Int)?

  /// - Parameters:
  ///   - path: of the list.
  ///   - bytes: of the list.
  ///   - naming: converts paths for comparisons.
  init(path: String, bytes: [UInt8], naming: PathKey = PathKey()) {
    (self.path, self.naming) = (path, naming)
    let text = bytes[...].withoutByteOrderMark
    mark = String(decoding: bytes[..<text.startIndex], as: UTF8.self)
    lines = text.split(separator: .lineFeed, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    var reason: [String] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmedOfBlanks
      if text.isEmpty {
        reason = []
      } else if text.hasPrefix("#") {
        if index > 0, !Self.isComment(lines[index - 1]) { reason = [] }
        reason.append(text.drop { $0 == "#" }.description.trimmedOfBlanks)
      } else if entries.isEmpty, limit == nil, text.hasPrefix("limit ") {
        readLimit(text, index)
        reason = []
      } else {
        entries.append(Entry(path: text, line: index, reason: reason.joined(separator: " ")))
      }
    }
    if let limit, entries.count > limit.count {
      problems.append("\(place(limit.line)): \(count), more than its limit of \(limit.count)")
    } else if limit == nil, problems.isEmpty, !entries.isEmpty {
      problems.append(
        "\(place(0)): the list has no limit; begin it with 'limit \(entries.count)'"
      )
    }
    var listed: Set<String> = []
    for entry in entries where !listed.insert(naming.key(entry.path)).inserted {
      problems.append("\(place(entry.line)): \(FailureText.quoted(entry.path)) is listed twice")
    }
  }

  /// A message if the limit is higher than the number of entries, so that entries could be added unnoticed.
  var slack: String? {
    guard let limit, limit.count > entries.count else { return nil }
    return "\(place(limit.line)): \(count), fewer than its limit of \(limit.count); lower it"
  }

  private var count: String {
    entries.count == 1 ? "1 file is listed" : "\(entries.count) files are listed"
  }

  private static func isComment(_ line: String) -> Bool { line.trimmedOfBlanks.hasPrefix("#") }

  private mutating func readLimit(_ text: String, _ line: Int) {
    guard let count = Int(text.dropFirst("limit ".count).description.trimmedOfBlanks), count >= 0
    else { return problems.append("\(place(line)): 'limit' takes a number") }
    limit = (count, line)
  }

  /// Returns why the file is not such a list, by its first line that is not a transcript's path.
  ///
  /// - Parameters:
  ///   - named: the files to play, which may be transcripts with any name.
  ///   - isFolder: whether a folder exists.
  /// - Returns: a message; nil if the file is a list.
  func refusal(named: [String], isFolder: (String) -> Bool) -> String? {
    let named = Set(named.map(naming.key))
    let stray = entries.first { entry in
      let key = naming.key(entry.path)
      let mayBePlayed =
        entry.path.hasSuffix(".transcript") || Transcripts.isMarkdown(entry.path)
        || named.contains(key)
      let page = TranscriptSelection.Entry(path: entry.path, isNamed: false)
      return !mayBePlayed || Transcripts.fences(page)?.isEmpty == true || key == naming.key(path)
        || isFolder(entry.path)
    }
    return stray.map {
      "\(place($0.line)): \(FailureText.quoted($0.path)) is not the path of a transcript"
    }
  }

  private func place(_ line: Int) -> String { "\(path):\(line + 1)" }

  /// Marks listed failures as known, and finds stale entries.
  ///
  /// - Parameters:
  ///   - tests: the results; listed failures become known ones.
  ///   - exists: whether a file exists.
  ///   - isSteady: whether the file with a key was played more than once and passed each time.
  /// - Returns: the stale entries, each with the reason, and the problems of others.
  func apply(
    _ tests: inout [TranscriptResult],
    exists: (String) -> Bool,
    isSteady: (String) -> Bool
  ) -> (gone: [(entry: Entry, why: String)], problems: [String]) {
    let byKey = Dictionary(entries.map { (naming.key($0.path), $0) }) { first, _ in first }
    for index in tests.indices where tests[index].hasOnlyCommandFailures {
      guard let entry = byKey[naming.key(tests[index].path)] else { continue }
      tests[index].outcome = .knownFlaky
      tests[index].reason = entry.reason.isEmpty ? nil : entry.reason
    }
    var gone: [(entry: Entry, why: String)] = []
    var problems: [String] = []
    for entry in entries {
      if exists(entry.path) {
        if isSteady(naming.key(entry.path)) { gone.append((entry, "passed every time")) }
      } else if let test = tests.first(where: { $0.path.hasSuffix("/" + entry.path) }) {
        let (seen, listed) = (FailureText.quoted(test.path), FailureText.quoted(entry.path))
        problems.append(
          "\(place(entry.line)): \(listed) is \(seen) from this folder; run it in the other"
        )
      } else {
        gone.append((entry, "is gone"))
      }
    }
    return (gone, problems)
  }

  /// Returns the message for an entry that must be removed.
  func problem(_ entry: Entry, _ why: String) -> String {
    "\(place(entry.line)): \(FailureText.quoted(entry.path)) \(why); remove this line"
  }

  /// Returns the file without some entries and without the comments that belong only to them.
  func text(without gone: [Entry]) -> String {
    let removed = Set(gone.map(\.line))
    let listed = Set(entries.map(\.line))
    var result: [String] = []
    var comments: [String] = []
    var isKept = false
    var hasEntries = false
    for (index, line) in lines.enumerated() {
      if listed.contains(index) {
        hasEntries = true
        if removed.contains(index) { continue }
        if !isKept { result += comments }
        isKept = true
        result.append(line)
        continue
      }
      if hasEntries || !Self.isComment(line) {
        if !isKept, !hasEntries { result += comments }
        (comments, isKept, hasEntries) = ([], false, false)
      }
      if Self.isComment(line) {
        comments.append(line)
      } else {
        let limited = "limit \(entries.count - gone.count)" + (line.last == "\r" ? "\r" : "")
        result.append(index == limit?.line ? limited : line)
      }
    }
    if !isKept, !hasEntries { result += comments }
    let text = mark + result.joined(separator: "\n")
    // The new last line may have had a line end, but the file ends without one.
    return text.last == "\r" && lines.last?.last != "\r" ? String(text.dropLast()) : text
  }
}

extension TranscriptResult {
  /// Whether it failed only because of its commands. A transcript that was never played fails every time.
  fileprivate var hasOnlyCommandFailures: Bool {
    isFailure && failures.allSatisfy(\.problem.isOfPlaying)
      && (failures.isEmpty || failures.contains { !$0.problem.isUnperformed })
  }
}

extension String {
  fileprivate var trimmedOfBlanks: String {
    let isBlank = { (character: Character) in [" ", "\t", "\r"].contains(character) }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }
}
