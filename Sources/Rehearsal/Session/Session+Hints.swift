import Script

/// Decides the hint that the prompt shows after a typed text: the rest of a word, or the syntax that may follow.
extension Session {
  /// Returns the hint that the prompt shows after a text: the rest of a word that has only one
  /// continuation or, after a blank, the syntax from the help. The hint is for display only. The
  /// search through the members ends at the second match.
  package func hint(after text: String) -> String? {
    guard text.utf8.contains(where: { $0 > 0x20 }), !Script.endsInComment(text) else { return nil }
    let place = CompletionPlace(in: text)
    if !place.typed.isEmpty { return restOfWord(at: place) }
    guard place.isFresh else { return nil }
    let rest = Script.rest(after: text, table: commands.table)
    return rest.isEmpty ? choices(at: place) : rest.joined(separator: " ")
  }

  private func restOfWord(at place: CompletionPlace) -> String? {
    var only: String?
    for expectation in Script.expectations(at: place.start, in: place.text, table: commands.table) {
      for name in names(for: expectation, at: place) where name != only {
        guard only == nil else { return nil }
        only = name
      }
    }
    return only.map { String(decoding: $0.utf8.dropFirst(place.typed.utf8.count), as: UTF8.self) }
  }

  /// The names that begin as typed, for one expectation; at most two.
  private func names(for expectation: Acceptable, at place: CompletionPlace) -> [String] {
    switch expectation {
    case .member, .loadable, .process, .input, .valueSource:
      var names: [String] = []
      for member in members.all where member.name.utf8.starts(with: place.typed.utf8) {
        names.append(member.name)
        if names.count == 2 { break }
      }
      return names
    case .file, .topic: return []
    default:
      var found = FoundCandidates(beginningWith: place.typed)
      gather(expectation, at: place, into: &found)
      return found.completion(replacing: 0).candidates.prefix(2).map(\.text)
    }
  }

  /// Returns the expected words, if the definition of the command does not show them.
  private func choices(at place: CompletionPlace) -> String? {
    let words = Script.expectations(at: place.start, in: place.text, table: commands.table)
      .compactMap { expectation -> String? in
        switch expectation {
        case .keyword(let word): word.utf8.count > 1 ? word : nil
        case .described(let word, _): word
        case .sample(let what, _): what
        default: nil
        }
      }
    return words.isEmpty ? nil : words.joined(separator: " | ")
  }
}
