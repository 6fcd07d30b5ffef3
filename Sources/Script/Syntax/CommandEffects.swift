/// The effects of a command except its output, for recordings, undo, searches and the prompt.
package struct CommandEffects: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(bit: UInt32) { self.init(rawValue: 1 << bit) }

  /// Only shows or checks.
  package static let looks: CommandEffects = []
  /// Changes the session: members, options, routes, assertions or scheduled commands.
  package static let changes = CommandEffects(bit: 0)
  /// Advances time.
  package static let advancesTime = CommandEffects(bit: 1)
  /// Declares the name that is its first argument.
  package static let declaresName = CommandEffects(bit: 2)
  /// Checks members, now or until the session ends.
  package static let asserts = CommandEffects(bit: 3)
  /// Performs another command later.
  package static let schedules = CommandEffects(bit: 4)
  /// Reads earlier commands or their output. Then the order of output matters, even between independent jobs.
  package static let readsLog = CommandEffects(bit: 5)
  /// Performs the commands of a file, whose effects are unknown before.
  package static let performsFile = CommandEffects(bit: 6)
  package static let readsFile = CommandEffects(bit: 7)
  package static let writesFile = CommandEffects(bit: 8)
  /// Uses real sockets. Examples of such a command need a network.
  package static let opensNetwork = CommandEffects(bit: 9)
  /// Is no part of the session: recordings and the undo history leave it out.
  package static let leftOut = CommandEffects(bit: 10)
  /// Removes or restores earlier commands.
  package static let undoes = CommandEffects(bit: 11)
  /// Chooses the order of jobs.
  package static let choosesOrder = CommandEffects(bit: 12)
  /// Performs the session under other schedules.
  package static let explores = CommandEffects(bit: 13)
  package static let endsSession = CommandEffects(bit: 14)
  /// Fits its output into the width of the session.
  package static let fitsWidth = CommandEffects(bit: 15)
  /// Cannot be scheduled, although no other effect prevents it.
  package static let typedOnly = CommandEffects(bit: 16)

  /// May print lines that begin with a prompt.
  package static let printsPrompts = CommandEffects(bit: 17)

  /// Lets the user choose single jobs. A search can neither perform nor replace this.
  package static let choosesJobs = CommandEffects(bit: 18)

  /// Effects of commands that a search replaces by its own work.
  package static let search: CommandEffects = [.choosesOrder, .explores]
  /// Effects of commands that cannot be scheduled.
  static let unschedulable: CommandEffects = [
    .advancesTime, .performsFile, .opensNetwork, .leftOut, .undoes, .choosesOrder, .choosesJobs,
    .explores, .endsSession, .typedOnly,
  ]

  /// Whether the command only shows, at the instant at which it is performed.
  package var onlyLooks: Bool { isDisjoint(with: [.changes, .advancesTime, .leftOut]) }
}

extension CommandDefinition {
  /// The effects of a command of this definition, without those of commands that it contains.
  func effects(with arguments: Arguments) -> CommandEffects {
    clauseEffects.reduce(arguments.isEmpty ? effects : effects.union(argumentEffects)) {
      arguments.has($1.key) ? $0.union($1.value) : $0
    }
  }

  /// Whether it may be scheduled by `in` and `at` and used in `do`.
  package var canBeScheduled: Bool { effects.isDisjoint(with: .unschedulable) }
}
