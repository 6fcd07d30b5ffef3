package import MockHTTP

/// A route as in a script, before its files are read.
package struct WrittenRoute: Sendable {
  package private(set) var route: Route
  /// The files of bodies, in the order of the answers.
  package let files: [File]
  /// The member that the route is for, with its place.
  package let member: Located<String>?
  private let drafts: [[AnswerDraft]]

  package struct File: Sendable {
    package let name: Located<String>
    /// The index of the answer, and that of the alternative in it.
    let answer: Int
    let choice: Int
  }

  /// - Precondition: `drafts` has at least one answer, each with at least one draft.
  init(
    _ pattern: RequestPattern,
    drafts: [[AnswerDraft]],
    afterLast: Route.AfterLast,
    member: Located<String>?
  ) {
    let last = drafts.last?.last
    route = Route(
      pattern,
      answers: drafts.map { choices in
        ScriptedAnswer(choices: choices.map { $0.answer(delay: last?.delay, pace: last?.pace) })
      },
      afterLast: afterLast,
      scope: member?.value
    )
    files = drafts.enumerated().flatMap { answer, choices in
      choices.enumerated().compactMap { choice, draft in
        draft.file.map { File(name: $0, answer: answer, choice: choice) }
      }
    }
    self.member = member
    self.drafts = drafts
  }

  /// Sets the body of an answer to the bytes of its file.
  ///
  /// - Throws: a diagnostic if the body is too short for the place where the answer breaks off.
  package mutating func fill(_ file: File, with bytes: [UInt8]) throws(Diagnostic) {
    var draft = drafts[file.answer][file.choice]
    draft.response.body.content = .bytes(bytes)
    try draft.check()
    var choices = route.answers[file.answer].choices
    guard case .response(var response) = choices[file.choice].outcome else { return }
    response.body.content = .file(name: file.name.value, bytes: bytes)
    choices[file.choice].outcome = .response(response)
    route.answers[file.answer] = ScriptedAnswer(choices: choices)
  }
}
