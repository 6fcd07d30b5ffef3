import RehearsalBase
import Script

/// Better diagnostics and hints, with knowledge of the session's members and scenes.
extension Session {
  /// Improves the hint of a diagnostic with the members and scenes of the session.
  func naming(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    let named = namingOption(namingMember(namingScene(diagnostic)), in: text)
    return namingHelp(namingValues(named, in: text), in: text)
  }

  /// Adds the scene that would bring an unknown command back.
  func namingScene(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let scene = commands.scene(ofVerb: verb)
    else { return diagnostic }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: "'scene \(scene)' sets it up")
  }

  /// Adds the command that shows a member, if a member's name is used as a command.
  private func namingMember(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let member = members[verb]
    else { return diagnostic }
    let hint = "it is \(member.word.withArticle); 'show \(verb)' shows it"
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
  }

  /// Adds that a member has values, if a word is used instead of a value.
  private func namingValues(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    guard case .expected("a state", found: let found?) = diagnostic.problem else {
      return diagnostic
    }
    let words = text.utf8.prefix(diagnostic.span.lowerBound).split(separator: UInt8(ascii: " "))
      .map { String(decoding: Array($0), as: UTF8.self) }.filter { $0 != StatePattern.negation }
    guard let member = words.last.flatMap({ members[$0] }), member is any ValueMember
    else { return diagnostic }
    let hint = "\(member.word.withArticle) has values, as in \(JSONValue.string(found).text)"
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
  }
}
