import LibC

extension Benchmark {
  /// Folders of transcripts, with `rehearse test` and its parts.
  static let transcripts = Benchmark(name: "transcripts") {
    guard let small = TranscriptFolder(count: 1_000), let large = TranscriptFolder(count: 20_000)
    else { return Table.note("error: the transcripts cannot be written to /tmp") }
    defer {
      small.remove()
      large.remove()
    }
    measureSessions(small)
    measureOne()
    measureProgram(small)
    measureJobs(large)
    measureMemory(small, large)
  }

  private static func measureSessions(_ folder: TranscriptFolder) {
    let scripts = (0..<folder.count).map { TranscriptFolder.commands($0) }
    Table.print(
      Row(
        what: "1,000 transcripts: their sessions, in one process",
        samples: Samples.seconds {
          for script in scripts { TranscriptFolder.play(script) { _ in } }
        },
        unit: .seconds,
        floor: readingFloor(folder)
      )
    )
  }

  private static func measureProgram(_ folder: TranscriptFolder) {
    guard let ends = test(folder, jobs: 1, times: 9) else { return }
    Table.print(
      Row(
        what: "1,000 transcripts: rehearse test --jobs 1, CPU time",
        samples: Samples(ends.map(\.cpuSeconds)),
        unit: .seconds,
        goal: .atMost(0.05),
        floor: readingFloor(folder)
      )
    )
  }

  /// One transcript, in real time: the waiting time after an edit.
  private static func measureOne() {
    guard let folder = TranscriptFolder(count: 1) else { return }
    defer { folder.remove() }
    guard let ends = test(folder, jobs: 1, times: 20) else { return }
    Table.print(
      Row(
        what: "one transcript: rehearse test",
        samples: Samples(ends.map(\.seconds)),
        unit: .seconds,
        goal: .atMost(0.015)
      )
    )
  }

  /// The runner stores the paths of all files; nothing else may grow with their number.
  private static func measureMemory(_ small: TranscriptFolder, _ large: TranscriptFolder) {
    guard let few = test(small, jobs: 2, times: 3), let many = test(large, jobs: 2, times: 3) else {
      return
    }
    for (folder, ends) in [(small, few), (large, many)] {
      Table.print(
        Row(
          what: "\(folder.count / 1_000),000 transcripts: memory, the largest process",
          samples: Samples(ends.map { Double($0.mostBytes) }),
          unit: .bytes
        )
      )
    }
    let more = Double((many[0].mostBytes - few[0].mostBytes) / (large.count - small.count))
    Table.print(
      Row(
        what: "memory for a transcript more",
        samples: Samples([max(0, more)]),
        unit: .bytes,
        goal: .atMost(256)
      )
    )
  }

  private static func measureJobs(_ folder: TranscriptFolder) {
    guard let jobs = JobsComparison([Program.path, "test", folder.path]) else { return }
    for (count, samples) in [(1, jobs.one), (2, jobs.two)] {
      Table.print(
        Row(
          what: "20,000 transcripts: rehearse test --jobs \(count)",
          samples: samples,
          unit: .seconds,
          floor: readingFloor(folder)
        )
      )
    }
    jobs.printRatio("20,000 transcripts")
  }

  private static func test(
    _ folder: TranscriptFolder,
    jobs: Int,
    times: Int
  ) -> [ChildProcess.End]? {
    var ends: [ChildProcess.End] = []
    for _ in 0...times {
      let arguments = [Program.path, "test", "--jobs", "\(jobs)", folder.path]
      guard let end = ChildProcess.run(arguments, isSilent: true), end.status == 0 else {
        Table.note("error: not measured, because this failed: rehearse test --jobs \(jobs) FOLDER")
        return nil
      }
      ends.append(end)
    }
    return Array(ends.dropFirst())
  }

  /// The time to read the same files and split them into lines.
  private static func readingFloor(_ folder: TranscriptFolder) -> Row.Floor {
    let samples = Samples.seconds {
      var lines = 0
      for index in 0..<folder.count { lines += countLines(folder.filePath(index)) }
      precondition(lines > folder.count * 6, "Every transcript is there.")
    }
    return Row.Floor(what: "to read and split the files", samples: samples)
  }

  private static func countLines(_ path: String) -> Int {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return bytes.split(separator: UInt8(ascii: "\n")).count
  }
}
