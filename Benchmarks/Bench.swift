import LibC

/// Measures speed and size, and prints a table: `bench [NAME…]`, all benchmarks without a name.
///
/// Each benchmark runs in a separate process, so that none inherits the memory of another.
@main struct Bench {
  static let benchmarks: [Benchmark] =
    [.events, .blocks, .loads, .pictures, .pipes, .requests] + Benchmark.flight + [
      .schedules, .generating, .waiting, .zoo, .bugs, .socket, .transcripts, .peers, .watching,
      .travelling,
      .typing,
      .keys, .process,
    ]

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--here", let benchmark = find(arguments.last ?? "") {
      return await benchmark.measure()
    }
    if arguments.isEmpty { arguments = benchmarks.map(\.name) }
    for name in arguments where find(name) == nil {
      Table.note("error: no benchmark is called '\(name)'")
      Table.note("hint: \(benchmarks.map(\.name).joined(separator: ", "))")
      exit(2)
    }
    // A separate state folder, so that the results of earlier runs do not influence the figures.
    let state = "/tmp/rehearse-bench-state.\(getpid())"
    setenv("XDG_STATE_HOME", state, 1)
    defer { _ = ChildProcess.run(["rm", "-r", "-f", state]) }
    Table.printHead()
    for name in arguments {
      let end = ChildProcess.run([CommandLine.arguments[0], "--here", name])
      if end?.status != 0 { Table.note("error: \(name) failed") }
    }
  }

  private static func find(_ name: String) -> Benchmark? {
    benchmarks.first { $0.name == name }
  }
}

/// Figures that are measured together.
struct Benchmark: Sendable {
  let name: String
  /// Measures, and prints a row for each figure as soon as it is available.
  let measure: @Sendable () async -> Void
}
