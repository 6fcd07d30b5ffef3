/// A program with one job, with two, and two programs with one job each, in turns, so that what else the machine does
/// meets all of them. More than those two programs do at once nobody can get out of it.
struct JobsComparison {
  let one: Samples
  let two: Samples
  /// How much faster two jobs are, and two programs with nothing in common.
  private let ratio: Samples
  private let best: Samples

  /// Nil where a program failed, which is said.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments, without a number of jobs.
  ///   - times: how often each is run, beside a first time that does not count.
  ///   - status: how the program ends.
  init?(_ command: [String], times: Int = 9, status: Int = 0) {
    let one = command + ["--jobs", "1"]
    let two = command + ["--jobs", "2"]
    let beside = ["sh", "-c", "\"$@\" & \"$@\" & wait $!", "sh"] + one
    var seconds = [[Double]](repeating: [], count: 3)
    for _ in 0...times {
      for (index, command) in [one, two, beside].enumerated() {
        guard let end = ChildProcess.run(command, isSilent: true), end.status == status else {
          Table.note("error: not measured, since this failed: \(command.joined(separator: " "))")
          return nil
        }
        seconds[index].append(end.seconds)
      }
    }
    self.one = Samples(Array(seconds[0].dropFirst()))
    self.two = Samples(Array(seconds[1].dropFirst()))
    ratio = Samples(zip(seconds[0], seconds[1]).dropFirst().map { $0 / $1 })
    best = Samples(zip(seconds[0], seconds[2]).dropFirst().map { 2 * $0 / $1 })
  }

  /// - Parameter what: what is done by so many jobs.
  func printRatio(_ what: String) {
    Table.print(
      Row(
        what: "\(what): how much faster two jobs are",
        samples: ratio,
        unit: .times,
        goal: .atLeast(1.8),
        floor: Row.Floor(what: "for two programs at once", samples: best)
      )
    )
  }
}
