import MockHTTP
import RehearsalBase
import Script
import Staging
import Timelines

/// Sets up a scene completely or not at all. Checks the names of the scene, of its members and of its commands: whether they
/// can be typed, and whether they are free. Removes a scene.
extension Session {
  /// Sets up a scene completely, or not at all. A scene that is already set up is removed first.
  func setUp(_ scene: Scene, span: Range<Int>) throws(Diagnostic) {
    stage.keepTasks()
    let builder = SceneBuilder(session: self, scene: scene.name)
    do {
      try scene.setUp(builder)
    } catch {
      throw Diagnostic(.sceneFailed(scene.name, reason: errorText(error)), at: span)
    }
    try requireFreeNames(of: builder, for: scene, span: span)
    try requireFreeVerbs(of: builder, for: scene, span: span)
    if let old = scenes.standing.removeValue(forKey: scene.name) {
      output.print("\(scene.name) starts again")
      remove(members.all.filter(old.owns))
      end(old)
    }
    if builder.commands.contains(where: { !$0.isAsync }) { scenes.addCommandLane(to: history) }
    let routes = builder.routes.map { add($0) }
    for new in builder.members {
      let member = new.make(self)
      members.add(member)
      output.print("\(member.declaration)  \(member.stateText)")
    }
    scenes.standing[scene.name] = StandingScene(
      name: scene.name,
      members: members.all.suffix(builder.members.count),
      routes: routes,
      rules: builder.rules,
      comparison: scenes.comparing.flatMap { performing in
        let comparison = builder.makeComparison?(scene.name, builder.verbs)
        comparison?.performing = performing
        return comparison
      },
      hasModel: builder.makeComparison != nil
    )
    commands.add(builder.commands.map { $0.make(scene.name) }, of: scene.name)
    guard !builder.commands.isEmpty else { return }
    let verbs = builder.commands.map(\.name).joined(separator: ", ")
    for line in HelpText.wrapped("commands: " + verbs, indent: 0, width: options.width - 2) {
      output.print(line)
    }
  }

  /// Records the command that is performed now as a mark, if it is finished when it returns.
  func mark(_ call: SceneCall?) {
    guard call == nil, let lane = scenes.commandLane else { return }
    history.append(
      .changed,
      lane: lane,
      state: execution.commandText.printable(atMost: 60),
      phase: .resting
    )
  }

  /// Removes the routes and the commands of a scene.
  func end(_ scene: StandingScene) {
    for route in scene.routes { http.server.remove(route) }
    commands.removeCommands(of: scene.name)
  }

  private func requireFreeNames(
    of builder: SceneBuilder,
    for scene: Scene,
    span: Range<Int>
  ) throws(Diagnostic) {
    var names: Set<String> = []
    for name in builder.members.map(\.name) {
      try requireCanBeNamed(name, in: scene, span: span)
      let isOwn = members[name].map { scenes.standing[scene.name]?.owns($0) ?? false } ?? false
      if !isOwn { try members.requireFree(Located(name, at: span)) }
      guard names.insert(name).inserted else {
        let reason = "it has two members called '\(name)'"
        throw Diagnostic(.sceneFailed(scene.name, reason: reason), at: span)
      }
    }
  }

  private func requireCanBeNamed(
    _ name: String,
    in scene: Scene,
    span: Range<Int>
  ) throws(Diagnostic) {
    let shown = name.printable(atMost: 30)
    let reason: String? =
      if let verb = ReservedWords.forMembers[name] {
        "its member '\(shown)' has the name of a word of '\(verb)'"
      } else {
        CommandText.isWord(name) ? nil : "the name of its member '\(shown)' is not one word"
      }
    guard let reason else { return }
    throw Diagnostic(
      .sceneFailed(scene.name, reason: reason),
      at: span,
      hint: SessionScenes.anotherName(than: name, of: scene.name)
    )
  }

  private func requireFreeVerbs(
    of builder: SceneBuilder,
    for scene: Scene,
    span: Range<Int>
  ) throws(Diagnostic) {
    var verbs: Set<String> = []
    for verb in builder.commands.map(\.name) {
      let owner = commands.table.index(of: verb).map { commands[$0].scene }
      let isTaken = owner.map { $0 != scene.name } ?? false || !verbs.insert(verb).inserted
      guard isTaken || !CommandText.isWord(verb) else { continue }
      let reason =
        isTaken
        ? "there is a command '\(verb)' already"
        : "its command '\(verb.printable(atMost: 30))' is not one word"
      throw Diagnostic(
        .sceneFailed(scene.name, reason: reason),
        at: span,
        hint: SessionScenes.anotherName(than: verb, of: scene.name)
      )
    }
  }
}
