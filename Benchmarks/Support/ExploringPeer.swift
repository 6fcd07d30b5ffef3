/// Somebody else's way to try schedules, on the scenario that ours are measured with.
struct ExploringPeer {
  let name: String
  /// A program that is told how many to try; see `Benchmarks/Peers`.
  let program: String
  /// Fewer where more would take minutes.
  let count: Int

  static let all = [
    ExploringPeer(name: "asyncio in virtual time", program: "asyncio-schedules", count: 2_000),
    ExploringPeer(name: "Hypothesis", program: "hypothesis-schedules", count: 100),
  ]

  /// Schedules in a second of CPU time, without what it takes to start; nil where it cannot be started.
  func rate() -> Samples? {
    guard let starting = cpuSeconds(0) else { return nil }
    let seconds = (0..<3).compactMap { _ in cpuSeconds(count) }
    if seconds.isEmpty { return nil }
    return Samples(seconds.map { $0 - starting }).rate(of: count)
  }

  private func cpuSeconds(_ count: Int) -> Double? {
    let command = [program, "\(count)"]
    guard let end = ChildProcess.run(command, in: nil, hiding: .outputAndErrors), end.status == 0
    else { return nil }
    return end.cpuSeconds
  }
}
