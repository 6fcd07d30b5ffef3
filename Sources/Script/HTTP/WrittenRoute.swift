package import MockHTTP

/// A route as a script words it: the files that it names are still to be read.
package struct WrittenRoute: Sendable {
  package private(set) var route: Route
  /// The files whose bytes are bodies, in the order of the answers.
  package let files: [File]
  /// The member that it is for, where it was written.
  package let member: Located<String>?
  private let drafts: [AnswerDraft]

  package struct File: Sendable {
    package let name: Located<String>
    /// Which answer has it as its body, from 0.
    package let answer: Int
  }

  /// - Precondition: `drafts` is not empty.
  init(
    _ pattern: RequestPattern,
    drafts: [AnswerDraft],
    afterLast: Route.AfterLast,
    member: Located<String>?
  ) {
    let last = drafts.last
    route = Route(
      pattern,
      answers: drafts.map { $0.answer(delay: last?.delay, pace: last?.pace) },
      afterLast: afterLast,
      scope: member?.value
    )
    files = drafts.enumerated().compactMap { index, draft in
      draft.file.map { File(name: $0, answer: index) }
    }
    self.member = member
    self.drafts = drafts
  }

  /// Gives a body the bytes of its file.
  ///
  /// - Throws: a diagnostic where the body is shorter than where the answer is to break off.
  package mutating func fill(_ file: File, with bytes: [UInt8]) throws(Diagnostic) {
    var draft = drafts[file.answer]
    draft.response.body.content = .bytes(bytes)
    try draft.check()
    guard case .response(var response) = route.answers[file.answer].outcome else { return }
    response.body.content = .file(name: file.name.value, bytes: bytes)
    route.answers[file.answer].outcome = .response(response)
  }
}
