/// Reads a transcript's name and tags from the comments above its first command; finds lines that only look like tags.
extension Transcript {
  /// What the transcript proves: the first comment above its first command. Nil if there is none.
  package var name: String? {
    headComments.first { !$0.isEmpty && Self.tags(in: $0) == nil }
  }

  /// The tags that select it, from comments such as `# tags: slow, http` above its first command, without duplicates.
  package var tags: [String] {
    headComments.compactMap(Self.tags).joined().reduce(into: []) { tags, tag in
      if !tags.contains(tag) { tags.append(tag) }
    }
  }

  /// Comments that look like tags but set none or other ones, each with its line: misspelled, below the first command, or
  /// with quotes or brackets that become part of the tag.
  var slipsOfTags: [(line: Int, text: String)] {
    let head = lines.prefix { $0.kind == .comment || $0.kind == .blank }.count
    return lines.indices.filter { lines[$0].kind == .comment }.compactMap { index in
      let line = lines[index]
      let bytes = bytes[min(line.start + 1, line.end)..<line.end]
      guard bytes.contains(UInt8(ascii: ":")) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self).trimmed
      let word = text.prefix { $0 != ":" }
      guard ["tag", "tags"].contains(String(word).trimmed.lowercased()) else { return nil }
      let isSound =
        index < head && word == "tags" && !text.contains { "[]{}()#\"'".contains($0) }
      return isSound ? nil : (lineNumber(index), text)
    }
  }

  /// Comments above the first command that name a tag almost as a filter does, although the transcript does not have it:
  /// `# tags: Smoke`, `# tags smoke` or `# tags: smoke; http` for `smoke`. Each with its line.
  func nearMisses(ofTag tag: String) -> [(line: Int, text: String)] {
    guard !tags.contains(tag) else { return [] }
    let wanted = tag.lowercased()
    return lines.indices.prefix { lines[$0].kind == .comment || lines[$0].kind == .blank }
      .compactMap { index in
        let line = lines[index]
        guard line.kind == .comment else { return nil }
        let text = String(
          decoding: bytes[min(line.start + 1, line.end)..<line.end],
          as: UTF8.self
        ).trimmed
        let words = text.lowercased().split {
          !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_"
        }
        guard let first = words.first, first == "tag" || first == "tags",
          words.dropFirst().contains(where: { $0 == wanted })
        else { return nil }
        return (lineNumber(index), text)
      }
  }

  /// Whether its name and tags are unknown, because it cannot be read, is empty, or has an invalid line above its first
  /// command.
  var hidesHeading: Bool {
    if let problem { return problem != .noCommand || headComments.isEmpty }
    guard let stray = strays.map(\.line).min() else { return false }
    return blocks.first.map { stray < lineNumber($0.command) } ?? true
  }

  private var headComments: [String] {
    lines.prefix { $0.kind == .comment || $0.kind == .blank }.filter { $0.kind == .comment }
      .map { line in
        let text = bytes[min(line.start + 1, line.end)..<line.end]
        return String(decoding: text, as: UTF8.self).trimmed
      }
  }

  private static func tags(in comment: String) -> [String]? {
    guard comment.utf8.starts(with: "tags:".utf8) else { return nil }
    return comment.unicodeScalars.dropFirst("tags:".count).split { $0 == "," || $0 == " " }
      .map(String.init)
  }
}

extension String {
  fileprivate var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }
}
