/// A program with one job, with two, and two programs with one job each, alternating, so that other load affects all of
/// them. The two programs are the upper bound.
struct JobsComparison {
  let one: Samples
  let two: Samples
  /// The speedups of two jobs, and of two independent programs.
  private let ratio: Samples
  private let best: Samples

  /// Nil if a program failed; then an error was printed.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments, without a number of jobs.
  ///   - times: the number of runs, after a first one that is not counted.
  ///   - status: the expected exit code.
  init?(_ command: [String], times: Int = 9, status: Int = 0) {
    let one = command + ["--jobs", "1"]
    let two = command + ["--jobs", "2"]
    let beside = ["sh", "-c", "\"$@\" & \"$@\" & wait $!", "sh"] + one
    var seconds = [[Double]](repeating: [], count: 3)
    for _ in 0...times {
      for (index, command) in [one, two, beside].enumerated() {
        guard let end = ChildProcess.run(command, isSilent: true), end.status == status else {
          Table.note("error: not measured, because this failed: \(command.joined(separator: " "))")
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

  /// Compares searches of a script by `rehearse explore`. Nil if one failed; then an error was printed.
  ///
  /// - Parameters:
  ///   - script: the commands.
  ///   - search: the options of the search, without a number of jobs.
  init?(exploring script: String, _ search: [String]) {
    guard let file = ScriptFile(script) else {
      Table.note("error: the script cannot be written to /tmp")
      return nil
    }
    let command = [Program.path, "explore", file.path] + search
    guard let jobs = withExtendedLifetime(file, { JobsComparison(command, times: 5) }) else {
      return nil
    }
    self = jobs
  }

  /// - Parameter what: the name of the measured work.
  func printRatio(_ what: String) {
    Table.print(
      Row(
        what: "\(what): speedup with two jobs",
        samples: ratio,
        unit: .times,
        goal: .atLeast(1.8),
        floor: Row.Floor(what: "of two programs at once", samples: best)
      )
    )
  }
}
