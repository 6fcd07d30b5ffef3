import RehearsalBase
import Script

/// The commands of a session: the shell's own, and those of scenes while they stand.
@MainActor final class SessionCommands {
  /// Every command that there ever was. Scheduled commands know theirs by its index.
  private var all = ShellCommands.all
  /// The commands that can be typed now, by their verbs.
  private(set) var table = ShellCommands.table
  /// The verbs of the scenes that stand.
  private var verbs: [String: Set<String>] = [:]

  subscript(index: Int) -> ShellCommand { all[index] }

  /// The commands that can be typed now.
  var available: [ShellCommand] { all.filter(isAvailable) }

  /// Whether a command is the shell's own, or its scene still stands.
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

  /// Returns the latest scene that brought a command of this verb, which the scene may have taken away again.
  func scene(ofVerb verb: String) -> String? {
    all.last { $0.definition.verb.printable(atMost: 30) == verb }?.scene
  }

  /// The words that could stand where a command has the name of a member.
  func words(besideMembersIn text: String) -> [String] {
    let verb = text.split(separator: " ").first.map(String.init) ?? ""
    guard let index = table.index(of: verb) else { return [] }
    let definition = table.definitions[index]
    return definition.arguments.flatMap(\.firstKeywords) + definition.clauseWords.sorted()
  }
}
