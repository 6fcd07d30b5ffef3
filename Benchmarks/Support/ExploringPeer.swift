/// Another explorer of schedules, for the scenario that ours are measured with.
struct ExploringPeer {
  let name: String
  /// A program whose argument is the number of schedules; see `Benchmarks/Peers`.
  let program: String
  /// The number of schedules, smaller if more would take minutes.
  let count: Int

  static let all = [
    ExploringPeer(name: "asyncio in virtual time", program: "asyncio-schedules", count: 2_000),
    ExploringPeer(name: "Hypothesis", program: "hypothesis-schedules", count: 100),
  ]

  /// Schedules per second of CPU time, without the start; nil if it cannot be started.
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
