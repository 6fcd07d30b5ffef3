import MockHTTP
import Script
import Staging

extension Session {
  func scene(_ name: Located<String>) throws(Diagnostic) -> Scene {
    if let scene = scenes.first(where: { $0.name == name.value }) { return scene }
    throw Diagnostic(
      .unknownScene(name.value.printable(atMost: 30)),
      at: name.span,
      hint: Suggestion.hint(for: name.value, in: scenes.map(\.name)) ?? "'scenes' lists them"
    )
  }

  /// Adds all of a scene, or nothing. One that stands already begins anew.
  func setUp(_ scene: Scene, span: Range<Int>) throws(Diagnostic) {
    let builder = SceneBuilder(session: self)
    do {
      try stage.hosting { try scene.setUp(builder) }
    } catch {
      throw Diagnostic(.sceneFailed(scene.name, reason: errorText(error)), at: span)
    }
    try requireFreeNames(of: builder, for: scene, span: span)
    try requireFreeVerbs(of: builder, for: scene, span: span)
    if let old = standing[scene.name] {
      emit("\(scene.name) begins anew")
      remove(members.filter(old.owns))
      end(old)
    }
    let routes = builder.routes.map { http.server.add($0) }
    for new in builder.members {
      let member = new.make(self)
      add(member)
      emit("\(member.declaration)  \(member.stateText)")
    }
    standing[scene.name] = StandingScene(
      name: scene.name,
      members: members.suffix(builder.members.count),
      routes: routes,
      verbs: builder.commands.map(\.name)
    )
    add(builder.commands.map { $0.make(scene.name) })
    guard !builder.commands.isEmpty else { return }
    let verbs = builder.commands.map(\.name).joined(separator: ", ")
    for line in HelpText.wrapped("commands: " + verbs, indent: 0, width: width - 2) { emit(line) }
  }

  /// Ends the scenes whose last member is gone.
  func endScenes(without gone: Set<ObjectIdentifier>) {
    for name in standing.keys {
      guard standing[name]?.lose(gone) == true, let scene = standing[name] else { continue }
      end(scene)
    }
  }

  /// Takes the routes and the commands of a scene away.
  private func end(_ scene: StandingScene) {
    standing[scene.name] = nil
    for route in scene.routes { http.server.remove(route) }
    refreshTable()
  }

  private func requireFreeNames(
    of builder: SceneBuilder,
    for scene: Scene,
    span: Range<Int>
  ) throws(Diagnostic) {
    var names: Set<String> = []
    for name in builder.members.map(\.name) {
      let isOwn = members.contains { $0.name == name && standing[scene.name]?.owns($0) == true }
      if !isOwn { try requireFree(Located(name, at: span)) }
      guard names.insert(name).inserted else {
        let reason = "it has two members called '\(name)'"
        throw Diagnostic(.sceneFailed(scene.name, reason: reason), at: span)
      }
    }
  }

  private func requireFreeVerbs(
    of builder: SceneBuilder,
    for scene: Scene,
    span: Range<Int>
  ) throws(Diagnostic) {
    var verbs: Set<String> = []
    for verb in builder.commands.map(\.name) {
      let owner = table.index(of: verb).map { commands[$0].scene }
      let isTaken = owner.map { $0 != scene.name } ?? false || !verbs.insert(verb).inserted
      guard isTaken || !CommandText.isWord(verb) else { continue }
      let reason =
        isTaken
        ? "there is a command '\(verb)' already"
        : "its command '\(verb.printable(atMost: 30))' is not one word"
      throw Diagnostic(
        .sceneFailed(scene.name, reason: reason),
        at: span,
        hint:
          "in its code, choose another name, as in '\(scene.name).\(verb.printable(atMost: 30))'"
      )
    }
  }
}
