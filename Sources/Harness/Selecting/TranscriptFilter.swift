/// Selects transcripts by a text in their path, name or tags.
///
///     TEXT  name:TEXT  tag:TAG  !TEXT  !name:TEXT  !tag:TAG
package struct TranscriptFilter: Sendable, Equatable {
  package enum Subject: Sendable {
    case path, name, tag
  }

  package let subject: Subject
  package let text: String
  /// Whether it selects the transcripts that do not match.
  package let isNegated: Bool

  /// Parses a filter. Every text is valid.
  package init(_ text: String) {
    isNegated = text.utf8.first == UInt8(ascii: "!")
    let rest = isNegated ? text.dropFirst() : text[...]
    if rest.hasPrefix("name:") {
      (subject, self.text) = (.name, String(rest.dropFirst(5)))
    } else if rest.hasPrefix("tag:") {
      (subject, self.text) = (.tag, String(rest.dropFirst(4)))
    } else {
      (subject, self.text) = (.path, String(rest))
    }
  }

  /// Whether the file must be read to apply it.
  var readsFile: Bool { subject != .path }

  func allows(path: String) -> Bool { Self.contains(path, text) != isNegated }

  func allows(_ transcript: Transcript) -> Bool {
    switch subject {
    case .path: true
    case .name: Self.contains(transcript.name ?? "", text) != isNegated
    case .tag: transcript.tags.contains(text) != isNegated
    }
  }

  /// The filter as part of a sentence.
  package var sentence: String {
    let has = isNegated ? "lacks" : "contains"
    return switch subject {
    case .path: "whose path \(has) '\(text)'"
    case .name: "whose name \(has) '\(text)'"
    case .tag: "\(isNegated ? "without" : "with") the tag '\(text)'"
    }
  }

  /// Compares bytes, because a path need not be valid UTF-8.
  private static func contains(_ text: String, _ part: String) -> Bool {
    if part.isEmpty { return true }
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }
}
