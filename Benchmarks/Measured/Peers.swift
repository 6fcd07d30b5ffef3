extension Benchmark {
  /// The whole program, from start to end, compared with others that replay the same transcripts in their own formats.
  static let peers = Benchmark(name: "peers") {
    let ours = [1_000, 10_000].compactMap { measureOurs($0) }
    let theirs = Peer.all.compactMap { measure($0) }
    for (count, rate) in ours {
      let starting = theirs.filter(\.peer.startsProcesses)
      if let fastest = starting.max(by: { $0.rate < $1.rate }) {
        compare(count, rate, with: fastest, goal: 100)
      }
      for other in theirs where !other.peer.startsProcesses {
        compare(count, rate, with: other, goal: 1)
      }
    }
  }

  private static let commandsInTranscript = 6

  private static func measureOurs(_ count: Int) -> (count: Int, rate: Double)? {
    guard let folder = TranscriptFolder(count: count) else {
      Table.note("error: the transcripts cannot be written to /tmp")
      return nil
    }
    defer { folder.remove() }
    let command = [Program.path, "test", "--jobs", "2", folder.path]
    let name = "rehearse test --jobs 2: \(grouped(count)) transcripts"
    guard
      let rate = rate(
        named: name,
        of: count,
        times: 9,
        { ChildProcess.run(command, isSilent: true) }
      )
    else { return nil }
    return (count, rate)
  }

  private static func measure(_ peer: Peer) -> (peer: Peer, rate: Double)? {
    guard peer.isInstalled else {
      Table.note("\(peer.name): not installed, and scripts/bench cannot install it")
      return nil
    }
    guard let folder = PeerFolder(peer) else {
      Table.note("error: the transcripts for \(peer.name) cannot be written to /tmp")
      return nil
    }
    defer { folder.remove() }
    let jobs = peer.jobs > 1 ? "\(peer.jobs) jobs" : "one job"
    let name = "\(peer.name), \(jobs): \(grouped(peer.count)) transcripts"
    return rate(named: name, of: peer.count, times: 3, folder.replay).map { (peer, $0) }
  }

  /// Measures commands per second of real time, because parallel jobs shorten that. The first run is not counted.
  private static func rate(
    named name: String,
    of count: Int,
    times: Int,
    _ replay: () -> ChildProcess.End?
  ) -> Double? {
    var seconds: [Double] = []
    for _ in 0...times {
      guard let end = replay(), end.status == 0 else {
        Table.note("error: not measured, because it failed: \(name)")
        return nil
      }
      seconds.append(end.seconds)
    }
    let samples = Samples(Array(seconds.dropFirst())).rate(of: count * commandsInTranscript)
    Table.print(Row(what: name + ", commands", samples: samples, unit: .rate))
    return samples.median
  }

  private static func compare(
    _ count: Int,
    _ rate: Double,
    with other: (peer: Peer, rate: Double),
    goal: Double
  ) {
    Table.print(
      Row(
        what: "\(grouped(count)) transcripts: as fast as \(other.peer.name)",
        samples: Samples([rate / other.rate]),
        unit: .times,
        goal: .atLeast(goal)
      )
    )
  }

  private static func grouped(_ count: Int) -> String {
    count < 1_000 ? "\(count)" : "\(count / 1_000),000"
  }
}
