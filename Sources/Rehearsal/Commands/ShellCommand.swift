import Script

/// One command: its definition, and what it does.
final class ShellCommand: Sendable {
  let definition: CommandDefinition
  /// The scene that brought it; nil for the shell's own.
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

  /// Whether it writes the session down, and so is no part of what is written.
  var isOffTheRecord: Bool { definition.verb == "save" || definition.verb == "record" }
}

/// All commands of the shell, in the order in which help lists them.
enum ShellCommands {
  static let all: [ShellCommand] = [
    .loadable, .process, .shape, .list, .show, .forget, .policy, .scenes, .scene,
    .load, .run, .cancel, .reset, .retry, .set, .inject,
    .route, .routes, .requests, .endpoint, .hold, .release, .serve, .allow,
    .input, .enter, .marble, .pipe, .publisher,
    .wait, .settle, .step, .in, .at, .now,
    .expect, .view, .log, .timeline,
    .source, .record, .save, .test, .simulate, .help, .quit,
  ]

  static let table = CommandTable(all.map(\.definition))
}
