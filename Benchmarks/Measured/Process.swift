import LibC

extension Benchmark {
  /// The whole program: its size, and the time to start it.
  static let process = Benchmark(name: "process") {
    if let size = Program.strippedSizeInBytes {
      Table.print(
        Row(
          what: "rehearse: the program, stripped",
          samples: Samples([Double(size)]),
          unit: .bytes,
          goal: .atMost(30_000_000)
        )
      )
    }
    guard let least = cpuSeconds(["true"]) else { return }
    let floor = Row.Floor(what: "of the program 'true'", samples: least)
    for arguments in [["--version"], ["-c", "list"]] {
      guard let samples = cpuSeconds([Program.path] + arguments) else { continue }
      Table.print(
        Row(
          what: "rehearse \(arguments[0])\(arguments.count > 1 ? " list" : ""): CPU time",
          samples: samples,
          unit: .seconds,
          goal: .atMost(0.01),
          floor: floor
        )
      )
    }
  }

  private static func cpuSeconds(_ arguments: [String]) -> Samples? {
    var seconds: [Double] = []
    for _ in 0...20 {
      guard let end = ChildProcess.run(arguments, isSilent: true), end.status == 0 else {
        Table.note("error: not measured, because this failed: \(arguments.joined(separator: " "))")
        return nil
      }
      seconds.append(end.cpuSeconds)
    }
    return Samples(Array(seconds.dropFirst()))
  }
}

/// The program `rehearse`, which was built together with this one.
enum Program {
  static var path: String {
    let own = CommandLine.arguments[0]
    guard let slash = own.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "rehearse" }
    return own[...slash] + "rehearse"
  }

  /// The size after `strip`; nil if that is not installed.
  static var strippedSizeInBytes: Int? {
    let copy = "/tmp/rehearse-bench-stripped.\(getpid())"
    defer { unlink(copy) }
    var status = stat()
    guard ChildProcess.run(["strip", "-o", copy, path])?.status == 0, stat(copy, &status) == 0
    else {
      Table.note("error: the size was not measured, because 'strip' failed")
      return nil
    }
    return Int(status.st_size)
  }
}
