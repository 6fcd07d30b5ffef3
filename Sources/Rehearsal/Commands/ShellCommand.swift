package import Script

/// One command: its definition, and what it does.
final class ShellCommand: Sendable {
  let definition: CommandDefinition
  /// The scene that brought it; nil for the shell's own.
  let scene: String?
  /// Whether it writes the session down, or decides what stands, and so is no part of what is written.
  let isOffTheRecord: Bool
  let perform: @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> Void

  init(
    definition: CommandDefinition,
    scene: String? = nil,
    perform: @escaping @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> Void
  ) {
    self.definition = definition
    self.scene = scene
    self.perform = perform
    isOffTheRecord =
      switch definition.verb {
      case "save", "record", "undo", "redo", "rewind", "clock": true
      default: false
      }
  }

  /// Whether it does nothing to the session but look at it, as long as no time passes meanwhile.
  func onlyLooks(_ command: ParsedCommand) -> Bool {
    guard scene == nil else { return false }
    switch definition.verb {
    // They look at what time brings, if they let it pass.
    case "expect", "view", "now", "test", "watch": return true
    case "routes": return !command.arguments.has("from")
    case "set", "schedule": return command.text == definition.verb
    default: return definition.onlyLooks
    }
  }
}

/// All commands of the shell, in the order in which help lists them.
package enum ShellCommands {
  static let all: [ShellCommand] = [
    .loadable, .process, .shape, .list, .show, .forget, .policy, .scenes, .scene,
    .load, .run, .cancel, .reset, .retry, .set, .inject,
    .route, .routes, .requests, .endpoint, .hold, .release, .serve, .allow,
    .input, .enter, .marble, .pipe, .publisher,
    .wait, .settle, .step, .in, .at, .between, .now, .clock, .schedule,
    .expect, .always, .never, .eventually, .judges, .view, .log, .timeline, .states, .watch,
    .undo, .redo, .rewind, .source, .record, .save, .test, .explore, .simulate, .help, .quit,
  ]

  package static let table = CommandTable(all.map(\.definition))
}
