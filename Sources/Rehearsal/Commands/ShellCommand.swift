package import Script

/// A command, with its definition and its code; `ShellCommands` lists all commands in the order of the help.
final class ShellCommand: Sendable {
  let definition: CommandDefinition
  /// The scene that added the command; nil for the shell's commands.
  let scene: String?
  let perform: @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> Void

  init(
    definition: CommandDefinition,
    scene: String? = nil,
    perform: @escaping @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> Void
  ) {
    self.definition = definition
    self.scene = scene
    self.perform = perform
  }
}

/// All commands of the shell, in the order of the help.
package enum ShellCommands {
  static let all: [ShellCommand] = [
    .loadable, .process, .shape, .list, .show, .forget, .policy, .scenes, .scene,
    .load, .run, .cancel, .reset, .retry, .set, .inject,
    .route, .routes, .requests, .endpoint, .hold, .release, .serve, .allow,
    .input, .enter, .marble, .pipe, .publisher,
    .wait, .settle, .step, .in, .at, .between, .now, .clock, .schedule,
    .expect, .always, .never, .eventually, .sometimes, .assertions,
    .view, .waiting, .log, .timeline, .states, .watch,
    .undo, .redo, .rewind, .source, .record, .save, .test, .explore, .simulate, .help, .quit,
  ]

  package static let table = CommandTable(all.map(\.definition))
}
