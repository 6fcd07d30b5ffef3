import Rehearsal
import Scenes
import Staging

extension Benchmark {
  /// Undo in a session of many commands.
  static let travelling = Benchmark(name: "travelling") {
    let host = play()
    Table.print(
      Row(
        what: "a session of 1,000 commands, rewound by a second",
        samples: Samples.seconds {
          host.perform("rewind 1s")
          precondition(!host.hasFailed, "A session without sockets can be rewound.")
        },
        unit: .seconds,
        goal: .atMost(0.05),
        floor: Row.Floor(
          what: "performing the same commands",
          samples: Samples.seconds { play().end() }
        )
      )
    )
    host.end()
  }

  private static func play() -> SessionHost {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    host.perform("loadable profile: String")
    for number in 0..<333 {
      host.perform("load profile \"\(number)\" after 3s")
      host.perform(number.isMultiple(of: 2) ? "wait 1s" : "settle")
      host.perform("expect profile never error")
    }
    return host
  }
}
