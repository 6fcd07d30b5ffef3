#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Benchmark {
  /// Folders of transcripts, by `rehearse test`, and what is inside of that.
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

  /// One transcript, by the clock: what somebody waits for who replays what was just edited.
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

  /// The runner knows the paths of all files; nothing else may grow with their number.
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

  /// One job, two, and two programs with one job each, in turns, so that what else the machine does meets
  /// all of them. More than those two programs do at once nobody can get out of it.
  private static func measureJobs(_ folder: TranscriptFolder) {
    let one = [Program.path, "test", "--jobs", "1", folder.path]
    let two = [Program.path, "test", "--jobs", "2", folder.path]
    let beside = ["sh", "-c", "\"$@\" & \"$@\" & wait", "sh"] + one
    var seconds = [[Double]](repeating: [], count: 3)
    for _ in 0...9 {
      for (index, command) in [one, two, beside].enumerated() {
        guard let end = ChildProcess.run(command, isSilent: true), end.status == 0 else {
          Table.note("error: not measured, since this failed: \(command.joined(separator: " "))")
          return
        }
        seconds[index].append(end.seconds)
      }
    }
    for (jobs, seconds) in zip([1, 2], seconds) {
      Table.print(
        Row(
          what: "20,000 transcripts: rehearse test --jobs \(jobs)",
          samples: Samples(Array(seconds.dropFirst())),
          unit: .seconds,
          floor: readingFloor(folder)
        )
      )
    }
    let ratio = zip(seconds[0], seconds[1]).dropFirst().map { $0 / $1 }
    let best = zip(seconds[0], seconds[2]).dropFirst().map { 2 * $0 / $1 }
    Table.print(
      Row(
        what: "20,000 transcripts: how much faster two jobs are",
        samples: Samples(ratio),
        unit: .times,
        goal: .atLeast(1.8),
        floor: Row.Floor(what: "for two programs at once", samples: Samples(best))
      )
    )
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
        Table.note("error: not measured, since this failed: rehearse test --jobs \(jobs) FOLDER")
        return nil
      }
      ends.append(end)
    }
    return Array(ends.dropFirst())
  }

  /// Reading the same files and finding their lines.
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
