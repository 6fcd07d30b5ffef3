import Loading
import Script

extension ShellCommand {
  static let process = ShellCommand(
    definition: CommandDefinition(
      "process",
      topic: .members,
      summary: "Creates a process: work that runs and ends without a value.",
      details: [
        "It is idle until 'run' starts it; '= STATE' sets another first state. With 'kinds' it has several kinds of work and runs one at a time: a new kind replaces the current one."
      ],
      arguments: [.slot(Slot<Located<String>>.newName)],
      clauses: [
        .sequence([.keyword("kinds"), .list(.slot(kindSlot))]),
        .slot(initialState),
        .policyClause,
      ],
      effects: [.changes, .declaresName],
      examples: [
        """
        > process account kinds save, delete
        > run account save after 1s
             0.000s  account  idle → running save #1
        > settle
             1.000s  account  running save #1 → finished save
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.newName)
    try session.members.requireFree(name)
    var kinds: [String] = []
    for kind in arguments.all(kindSlot) {
      guard !kinds.contains(kind.value) else {
        throw Diagnostic(.repeatedField(kind.value), at: kind.span)
      }
      kinds.append(kind.value)
    }
    let declaration =
      kinds.isEmpty ? name.value : "\(name.value) kinds " + kinds.joined(separator: ", ")
    let resolver = ProcessResolver(name: name.value, kinds: kinds)
    let policy = try session.policy(in: arguments)
    var initial = ProcessState<ShellKind>.idle
    if let state = arguments[initialState] {
      let written = try resolver.state(state)
      // Like LoadingProcess: Processed's wrapper ignores the state if there is only one kind.
      if policy != .processedWrapper || !kinds.isEmpty { initial = written }
    }
    session.members.add(
      DrivenMember(
        name: name.value,
        declaration: declaration,
        kinds: kinds,
        initial: initial,
        policy: policy,
        resolver: resolver,
        session: session
      )
    )
  }

  private static let initialState = Slot<Located<StateSpec>>(
    "state",
    "= STATE",
    canBegin: { $0.isNext(byte: UInt8(ascii: "=")) },
    read: { parser throws(Diagnostic) in
      guard parser.accept(byte: UInt8(ascii: "=")) else { throw parser.expected("'='") }
      return try parser.state()
    }
  )

  private static let kindSlot = Slot<Located<String>>("kind", "KIND") {
    parser throws(Diagnostic) in
    try ReservedWords.require(parser.newName("a kind"), noneOf: ReservedWords.forKinds)
  }
}
