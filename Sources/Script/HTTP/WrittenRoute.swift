package import MockHTTP

/// A route as a script words it: the files that it names are still to be read.
package struct WrittenRoute: Sendable {
  package private(set) var route: Route
  /// The files whose bytes are bodies, in the order of the answers.
  package let files: [File]
  /// The member that it is for, where it was written.
  package let member: Located<String>?
  private let drafts: [[AnswerDraft]]

  package struct File: Sendable {
    package let name: Located<String>
    /// Which answer has it as its body, from 0, and which of what may come in its place.
    let answer: Int
    let choice: Int
  }

  /// - Precondition: there is a draft, and one for each answer.
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

  /// Gives a body the bytes of its file.
  ///
  /// - Throws: a diagnostic where the body is shorter than where the answer is to break off.
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
