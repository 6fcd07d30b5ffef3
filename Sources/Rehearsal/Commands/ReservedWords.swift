import Script

/// Words that are not allowed as names, each with the command that uses it as a keyword.
enum ReservedWords {
  /// Words that are not allowed as names of members: in a command with a list of members, its
  /// clauses end the list.
  static let forMembers: [String: String] = clauseWords(
    of: ShellCommands.all.filter(\.listsMembers)
  )
  .merging(PipeWords.sources.map { ($0.word, "pipe") }) { first, _ in first }
  .merging(SessionOption.all.flatMap(\.names).map { ($0, "set") }) { first, _ in first }
  .merging([
    ("http", "inject"), ("requests", "expect"), ("route", "forget"), ("assertion", "forget"),
  ]) { first, _ in first }

  /// Words that are not allowed as names of kinds: a kind is optional, so a word that may follow
  /// cannot be its name.
  static let forKinds: [String: String] = clauseWords(of: [.run, .process, .expect, .set])
    .merging((StartRequest.Outcome.words + ["or"] + ErrorSpec.words).map { ($0, "run") }) {
      first,
      _ in
      first
    }

  /// Returns the name if it is not one of the words, and throws an error otherwise.
  static func require(
    _ name: Located<String>,
    noneOf words: [String: String]
  ) throws(Diagnostic) -> Located<String> {
    guard let verb = words[name.value] else { return name }
    throw Diagnostic(
      .reservedWord(name.value, of: verb),
      at: name.span,
      hint: "choose another name"
    )
  }

  private static func clauseWords(of commands: [ShellCommand]) -> [String: String] {
    var verbs: [String: String] = [:]
    for definition in commands.map(\.definition) {
      for word in definition.clauseWords where verbs[word] == nil { verbs[word] = definition.verb }
    }
    return verbs
  }
}

extension ShellCommand {
  fileprivate var listsMembers: Bool {
    definition.arguments.contains { argument in
      if case .many(.slot(let slot)) = argument { slot.expectations == [.member] } else { false }
    }
  }
}
