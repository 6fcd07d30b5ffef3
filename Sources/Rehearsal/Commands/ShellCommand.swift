import Script

/// One command: its definition, and what it does.
final class ShellCommand: Sendable {
  let definition: CommandDefinition
  let perform: @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> Void

  init(
    definition: CommandDefinition,
    perform: @escaping @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> Void
  ) {
    self.definition = definition
    self.perform = perform
  }

  /// Whether it writes the session down, and so is no part of what is written.
  var isOffTheRecord: Bool { definition.verb == "save" || definition.verb == "record" }
}

/// All commands of the shell, in the order in which help lists them.
enum ShellCommands {
  static let all: [ShellCommand] = [
    .loadable, .process, .shape, .list, .show, .forget, .policy, .scenes, .scene,
    .load, .run, .cancel, .reset, .retry, .set, .inject, .tell,
    .route, .routes, .requests, .endpoint, .hold, .release, .serve, .allow,
    .wait, .settle, .step, .in, .at, .now, .seed,
    .expect, .view, .log, .timeline, .width,
    .source, .record, .save, .test, .simulate, .help, .quit,
  ]

  static let table = CommandTable(all.map(\.definition))
}
