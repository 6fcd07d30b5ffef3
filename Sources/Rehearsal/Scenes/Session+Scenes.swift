import MockHTTP
import Script

extension Session {
  func scene(_ name: Located<String>) throws(Diagnostic) -> Scene {
    if let scene = scenes.first(where: { $0.name == name.value }) { return scene }
    throw Diagnostic(
      .unknownScene(name.value.printable(atMost: 30)),
      at: name.span,
      hint: Suggestion.hint(for: name.value, in: scenes.map(\.name)) ?? "'scenes' lists them"
    )
  }

  /// Adds all of a scene, or nothing.
  func setUp(_ scene: Scene, span: Range<Int>) throws(Diagnostic) {
    let builder = SceneBuilder(session: self)
    do {
      try scene.setUp(builder)
    } catch {
      throw Diagnostic(.sceneFailed(scene.name, reason: errorText(error)), at: span)
    }
    try requireFreeNames(of: builder, for: scene, span: span)
    for route in builder.routes { http.server.add(route) }
    for new in builder.members {
      let member = new.make(self)
      add(member)
      emit("\(member.declaration)  \(member.stateText)")
    }
  }

  private func requireFreeNames(
    of builder: SceneBuilder,
    for scene: Scene,
    span: Range<Int>
  ) throws(Diagnostic) {
    var names: Set<String> = []
    for name in builder.members.map(\.name) {
      try requireFree(Located(name, at: span))
      guard names.insert(name).inserted else {
        let reason = "it has two members called '\(name)'"
        throw Diagnostic(.sceneFailed(scene.name, reason: reason), at: span)
      }
    }
  }

  /// Performs an action of a member.
  func tell(
    _ member: any Member,
    _ name: Located<String>,
    _ texts: [Located<String>]
  ) throws(Diagnostic) {
    let action = try action(name, of: member)
    var arguments = ActionArguments(texts, end: (texts.last?.span ?? name.span).upperBound)
    do {
      try member.perform { try action.run(&arguments) }
    } catch let diagnostic as Diagnostic {
      throw diagnostic
    } catch {
      throw Diagnostic(
        .actionFailed("\(member.name) \(action.name)", reason: errorText(error)),
        at: name.span
      )
    }
  }

  private func action(
    _ name: Located<String>,
    of member: any Member
  ) throws(Diagnostic) -> SceneAction {
    if let action = member.actions.first(where: { $0.name == name.value }) { return action }
    let names = member.actions.map(\.name)
    throw Diagnostic(
      .unknownAction(name.value.printable(atMost: 30), of: member.name),
      at: name.span,
      hint: names.isEmpty
        ? "only members of scenes have actions"
        : Suggestion.hint(for: name.value, in: names)
          ?? "its actions are " + names.joined(separator: ", ")
    )
  }

  /// A member that the session itself moves, and not a source of its own.
  func ownMember(_ name: Located<String>) throws(Diagnostic) -> any Member {
    let member = try self.member(name)
    guard member.isCustom else { return member }
    throw Diagnostic(
      .wrongMember(member.name, is: member.word, needed: "loadable or a process"),
      at: name.span,
      hint: "its own code moves it: 'load', 'cancel', 'retry' and 'tell' reach that"
    )
  }
}
