import Script

extension ShellCommand {
  static let set = ShellCommand(
    definition: CommandDefinition(
      "set",
      topic: .loading,
      summary: "Sets an option, or writes the state of a member.",
      details: [
        "A loadable becomes 'absent', 'loading', 'error ERROR' or 'loaded VALUE'. 'value VALUE' writes its value, as a binding does, only if it is loaded. A process becomes 'idle', 'running KIND', 'failed KIND ERROR' or 'finished KIND'. 'start KIND', 'finish' and 'fail ERROR' do what '@LoadingProcess' of the package Processed does; the last two do nothing unless the process runs. By default, setting a state cancels an attempt in flight, but not under 'processed'. In a scene, the state is written through the property wrapper. Without a wrapper it is written directly; an attempt in flight notices when it yields or ends.",
        "The options are \(SessionOption.all.map(\.name).joined(separator: ", ")); 'help options' explains them. 'set' without arguments lists the values and their sources.",
      ],
      arguments: [
        .optional(
          .oneOf([
            .slot(optionSlot),
            .sequence([.slot(Slot<Located<String>>.member), .slot(assignmentSlot)]),
          ])
        )
      ],
      meanings: [
        "value": "writes a value", "start": "writes the state after a start",
        "finish": "writes the state after success", "fail": "writes the state after an error",
      ],
      action: .set,
      effects: .looks,
      argumentEffects: .changes,
      examples: [
        """
        > process sync
        > set sync finish
             0.000s  sync  idle; finish changes nothing
        > set sync start
             0.000s  sync  idle → running, set by hand
        > set sync finish
             0.000s  sync  running → finished, set by hand
        """,
        """
        > set width 44
        > set times milliseconds
        > loadable profile
        > load profile 1 after 1s
                0ms  profile  absent → loading #1
        > wait 1s
             1000ms  profile  loading #1 → loaded 1
        > timeline
                   0ms           500ms        1000ms
                   ├─────────────┼──────────────┤
          profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━✓
                   = loaded 1
          ✓ answer
        > set
          width    44            command
          colour   auto          default
          times    milliseconds  command
          policy   latest        default
          seed     0             default
          preempt  none          default
          pager    auto          default
        """,
        """
        > set seed 7
        > loadable feed
        > load feed 1 failing "busy" times 1 retry 2 backoff 1s jitter
             0.000s  feed  absent → loading #1
             0.000s  feed  #1 try 1 of 3 failed: "busy"; next in 610ms
        > settle
             0.610s  feed  loading #1 → loaded 1
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if let value = arguments[optionSlot] {
      session.take(value, from: .command)
    } else if let name = arguments[.member] {
      let member = try session.member(name, or: SessionOption.all.map(\.name))
      try member.assign(arguments.required(assignmentSlot), at: name.span)
    } else {
      session.listOptions()
    }
  }

  private static let assignmentSlot = Slot<Located<Assignment>>("state", "STATE") {
    parser throws(Diagnostic) in try parser.assignment()
  }

  private static let optionSlot = Slot<OptionValue>(
    "option",
    "OPTION VALUE",
    expecting: SessionOption.all.map { .described($0.name, $0.summary) },
    canBegin: { parser in
      SessionOption.all.contains { $0.names.contains(where: parser.isNext) }
    },
    read: { parser throws(Diagnostic) in
      let option = try parser.option()
      return try parser.value(of: option)
    }
  )
}
