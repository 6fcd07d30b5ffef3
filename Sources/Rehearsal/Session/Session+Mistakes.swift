import RehearsalBase
import Script

/// What a session says of mistakes: what somebody can say of one who knows the session, and where it is.
extension Session {
  /// Says what somebody who knows the session can say of a mistake.
  func naming(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    let named = namingOption(namingMember(namingScene(diagnostic)), in: text)
    return namingHelp(namingValues(named, in: text), in: text)
  }

  /// Says which scene would bring a command that is gone.
  func namingScene(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let scene = commands.scene(ofVerb: verb)
    else { return diagnostic }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: "'scene \(scene)' sets it up")
  }

  /// Says what shows a member whose name stands where a command should.
  private func namingMember(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let member = members[verb]
    else { return diagnostic }
    let hint = "it is \(member.word.withArticle); 'show \(verb)' shows it"
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
  }

  /// Says that a member has values, where a word stands instead of one.
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
