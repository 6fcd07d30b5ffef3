import MockHTTP
import RehearsalBase
import Script
import Staging

extension Session {
  func scene(_ name: Located<String>) throws(Diagnostic) -> Scene {
    let found = scenes.filter { $0.name == name.value }
    if found.count > 1 { throw Self.twice(name.value, at: name.span) }
    if let scene = found.first { return scene }
    throw Diagnostic(
      .unknownScene(name.value.printable(atMost: 30)),
      at: name.span,
      hint: Suggestion.hint(for: name.value, in: scenes.map(\.name)) ?? "'scenes' lists them"
    )
  }

  /// Finds the first scene that nobody could set up by its name.
  func requireScenesCanBeNamed() throws(Diagnostic) {
    var names: Set<String> = []
    for name in scenes.map(\.name) {
      guard CommandText.isWord(name) else {
        throw Diagnostic(
          .sceneFailed(name.printable(atMost: 30), reason: "its name is not one word"),
          at: 0..<0,
          hint: Self.anotherName(than: name)
        )
      }
      guard names.insert(name).inserted else { throw Self.twice(name, at: 0..<0) }
    }
  }

  private static func twice(_ name: String, at span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .sceneFailed(name, reason: "there are two scenes of this name"),
      at: span,
      hint: "in their code, name one of them otherwise"
    )
  }

  /// A hint to whoever wrote a scene.
  private static func anotherName(than name: String, of scene: String? = nil) -> String {
    let word = String(name.map { $0 == " " ? "-" : $0 })
    let example = scene.map { "\($0).\(word)" } ?? word
    let hint = "in its code, choose another name"
    return CommandText.isWord(example) ? hint + ", as in '\(example)'" : hint
  }

  /// Adds all of a scene, or nothing. One that stands already begins anew.
  func setUp(_ scene: Scene, span: Range<Int>) throws(Diagnostic) {
    if checksTasksOfScenes { stage.keepTasks() }
    let builder = SceneBuilder(session: self)
    do {
      try scene.setUp(builder)
    } catch {
      throw Diagnostic(.sceneFailed(scene.name, reason: errorText(error)), at: span)
    }
    try requireFreeNames(of: builder, for: scene, span: span)
    try requireFreeVerbs(of: builder, for: scene, span: span)
    if let old = standing[scene.name] {
      output.print("\(scene.name) begins anew")
      remove(members.filter(old.owns))
      end(old)
    }
    let routes = builder.routes.map { add($0) }
    for new in builder.members {
      let member = new.make(self)
      add(member)
      output.print("\(member.declaration)  \(member.stateText)")
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
    for line in HelpText.wrapped("commands: " + verbs, indent: 0, width: options.width - 2) {
      output.print(line)
    }
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
      try requireCanBeNamed(name, in: scene, span: span)
      let isOwn = members.contains { $0.name == name && standing[scene.name]?.owns($0) == true }
      if !isOwn { try requireFree(Located(name, at: span)) }
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
        "its member '\(shown)' is called like a word of '\(verb)'"
      } else {
        CommandText.isWord(name) ? nil : "the name of its member '\(shown)' is not one word"
      }
    guard let reason else { return }
    throw Diagnostic(
      .sceneFailed(scene.name, reason: reason),
      at: span,
      hint: Self.anotherName(than: name, of: scene.name)
    )
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
        hint: Self.anotherName(than: verb, of: scene.name)
      )
    }
  }
}
