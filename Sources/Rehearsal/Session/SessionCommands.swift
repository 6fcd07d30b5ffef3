import RehearsalBase
import Script

/// The commands of a session: those of the shell, and those of the scenes that are set up.
@MainActor final class SessionCommands {
  /// All commands that ever existed. A scheduled command refers to its definition by the index.
  private var all = ShellCommands.all
  /// The commands that are available now, by their verbs.
  private(set) var table = ShellCommands.table
  /// The verbs of the scenes that are set up.
  private var verbs: [String: Set<String>] = [:]

  subscript(index: Int) -> ShellCommand { all[index] }

  /// The commands that are available now.
  var available: [ShellCommand] { all.filter(isAvailable) }

  /// Whether a command belongs to the shell or to a scene that is set up.
  func isAvailable(_ command: ShellCommand) -> Bool {
    guard let scene = command.scene else { return true }
    return verbs[scene]?.contains(command.definition.verb) ?? false
  }

  /// Adds the commands of a scene. They replace earlier ones of the same verbs at their indices.
  func add(_ commands: [ShellCommand], of scene: String) {
    for command in commands {
      let index = all.firstIndex {
        $0.scene == scene && $0.definition.verb == command.definition.verb
      }
      if let index { all[index] = command } else { all.append(command) }
    }
    verbs[scene] = Set(commands.map(\.definition.verb))
    makeTable()
  }

  func removeCommands(of scene: String) {
    verbs[scene] = nil
    makeTable()
  }

  func removeAllOfScenes() {
    (all, table, verbs) = (ShellCommands.all, ShellCommands.table, [:])
  }

  private func makeTable() {
    let gone = all.indices.filter { !isAvailable(all[$0]) }
    table = CommandTable(all.map(\.definition), without: Set(gone))
  }

  /// Returns the latest scene that defined this verb. The scene may have removed it again.
  func scene(ofVerb verb: String) -> String? {
    all.last { $0.definition.verb.printable(atMost: 30) == verb }?.scene
  }

  /// Returns the words that are valid in the place of a member's name.
  func words(besideMembersIn text: String) -> [String] {
    let verb = text.split(separator: " ").first.map(String.init) ?? ""
    guard let index = table.index(of: verb) else { return [] }
    let definition = table.definitions[index]
    return definition.arguments.flatMap(\.firstKeywords) + definition.clauseWords.sorted()
  }
}
