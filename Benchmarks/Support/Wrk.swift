import LibC

/// The load generator `wrk`, in a separate process.
enum Wrk {
  struct Report {
    /// Requests per second.
    var rate = 0.0
    var p99InSeconds = 0.0
    var requestCount = 0
    /// The CPU time of this process for all requests; `wrk` is a separate process.
    var cpuSeconds = 0.0
    /// Connections and requests that failed, and answers that were errors.
    var failureCount = 0
  }

  static var isInstalled: Bool { ChildProcess.run(["wrk", "--version"], isSilent: true) != nil }

  /// Requests `/hello` for two seconds on all connections; nil if that fails.
  static func run(port: Int, connections: Int) -> Report? {
    let url = "http://127.0.0.1:\(port)/hello"
    let start = Samples.cpuSeconds
    guard let pipe = popen("wrk -t1 -c\(connections) -d2s --latency \(url)", "r") else {
      return nil
    }
    var report = Report()
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, CInt(line.count), pipe) != nil {
      report.take(
        String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      )
    }
    report.cpuSeconds = Samples.cpuSeconds - start
    return pclose(pipe) == 0 && report.rate > 0 ? report : nil
  }
}

extension Wrk.Report {
  fileprivate mutating func take(_ line: String) {
    let words = line.split { " ,:\n".contains($0) }
    switch words.first {
    case "Requests/sec": rate = Double(words.last ?? "") ?? 0
    case "99%": p99InSeconds = Self.seconds(words.last ?? "")
    case "Socket", "Non-2xx": failureCount += words.compactMap { Int($0) }.reduce(0, +)
    default:
      if words.dropFirst().starts(with: ["requests", "in"]) { requestCount = Int(words[0]) ?? 0 }
    }
  }

  /// `870.00us`, `1.23ms`, `1.02s`.
  private static func seconds(_ text: some StringProtocol) -> Double {
    let number = Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
    if text.hasSuffix("us") { return number / 1e6 }
    return text.hasSuffix("ms") ? number / 1e3 : number
  }
}
