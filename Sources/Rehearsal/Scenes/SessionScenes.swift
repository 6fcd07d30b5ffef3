import RehearsalBase
import Script
import Timelines

/// The list of scenes that can be set up, and what those that are set up have added. `Session+Scenes.swift` checks and sets up
/// a scene.
@MainActor final class SessionScenes {
  let catalog: [Scene]
  /// The scenes that were set up and still have members, by their names.
  var standing: [String: StandingScene] = [:]
  /// The lane of the commands that scenes have added, which pictures draw as marks. Commands that
  /// run in a task have their own lanes.
  private(set) var commandLane: Int?
  /// Whether the end of a run checks the tasks that scenes have created.
  var checksTasks = false
  /// Called when a model is performed, with a text before it and nil after it. Nil to compare no scene with its model.
  var comparing: ((String?) -> Void)?

  init(_ catalog: [Scene]) {
    self.catalog = catalog
  }

  func find(_ name: Located<String>) throws(Diagnostic) -> Scene {
    let found = catalog.filter { $0.name == name.value }
    if found.count > 1 { throw Self.twice(name.value, at: name.span) }
    if let scene = found.first { return scene }
    throw Diagnostic(
      .unknownScene(name.value.printable(atMost: 30)),
      at: name.span,
      hint: Suggestion.hint(for: name.value, in: catalog.map(\.name)) ?? "'scenes' lists them"
    )
  }

  /// Throws for the first scene that cannot be set up by its name.
  func requireCanBeNamed() throws(Diagnostic) {
    var names: Set<String> = []
    for name in catalog.map(\.name) {
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
      hint: "in their code, rename one of them"
    )
  }

  /// Returns the comparison of a scene with its model, if there is one.
  func comparison(of scene: String) -> (any ComparesScene)? {
    comparing == nil ? nil : standing[scene]?.comparison
  }

  /// The comparisons, in the order of the names of their scenes.
  var comparisons: [(scene: String, comparison: any ComparesScene)] {
    guard comparing != nil else { return [] }
    return standing.values.compactMap { scene in scene.comparison.map { (scene.name, $0) } }
      .sorted { $0.0 < $1.0 }
  }

  /// Returns a hint for the author of a scene.
  static func anotherName(than name: String, of scene: String? = nil) -> String {
    let word = String(name.map { $0 == " " ? "-" : $0 })
    let example = scene.map { "\($0).\(word)" } ?? word
    let hint = "in its code, choose another name"
    return CommandText.isWord(example) ? hint + ", as in '\(example)'" : hint
  }

  /// Removes and returns the scenes whose last member was forgotten.
  func takeEnded(without gone: Set<ObjectIdentifier>) -> [StandingScene] {
    standing.keys.compactMap { name in
      standing[name]?.lose(gone) == true ? standing.removeValue(forKey: name) : nil
    }
  }

  /// Adds the lane of the commands of scenes, unless it is there.
  func addCommandLane(to history: SessionHistory) {
    guard commandLane == nil else { return }
    let word = Recording.Lane.commandsWord
    commandLane = history.addLane(.init(name: word, word: word, initial: ""))
  }

  func removeAll() { standing = [:] }
}
