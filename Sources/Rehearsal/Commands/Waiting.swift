import RehearsalBase
import Script

extension ShellCommand {
  static let waiting = ShellCommand(
    definition: CommandDefinition(
      "waiting",
      topic: .looking,
      summary: "Prints what each load and each task waits for, and where.",
      details: [
        "An entry is a load in flight, a blocked thread, or a task of a scene. Below a task are the functions in which it is suspended, the innermost first. A program with debug information also has the file and the line of each. Tasks that wait for each other are a 'deadlock'. 'full' also prints the functions of libraries and of Rehearse."
      ],
      problems: [
        "hang, stuck, never returns, await, backtrace: prints what each task waits for, and where",
        "deadlock: names the tasks that wait for each other",
      ],
      clauses: [.keyword("full")],
      meanings: ["full": "with the functions of libraries and of Rehearse"],
      effects: .looks,
      examples: [
        """
        > loadable profile
        > load profile never
             0.000s  profile  absent → loading #1
        > waiting
          profile #1 still waiting, with nothing left to run
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let waits = Waits(of: session, isFull: arguments.has("full"))
    for line in waits.lines { session.output.print(line.printable(atMost: 400)) }
    for object in waits.objects { session.output.addObject(object) }
  }
}
