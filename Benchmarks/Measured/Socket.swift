import MockHTTP
import MockHTTPServer

extension Benchmark {
  /// Routes on a socket, requested by `wrk`, compared with a minimal server.
  static let socket = Benchmark(name: "socket") {
    guard Wrk.isInstalled else {
      Table.note("socket: NOT MEASURED, because 'wrk' is missing; apt-get install wrk")
      return
    }
    for connections in [64, 1_000] { compare(connections: connections) }
  }

  private static let text = "Hello, world!\n"

  /// One after another, so that both run on an equally busy machine.
  private static func compare(connections: Int) {
    var routes: [Wrk.Report] = []
    var least: [Wrk.Report] = []
    for _ in 0..<5 {
      guard let report = measureRoutes(connections), let other = measureHello(connections) else {
        Table.note("error: wrk failed")
        return
      }
      routes.append(report)
      least.append(other)
    }
    printRates(routes, least, connections)
    printCosts(routes, least, connections)
    printLatencies(routes, least, connections)
    let failures = routes.reduce(0) { $0 + $1.failureCount }
    if failures > 0 { Table.note("error: \(failures) requests failed") }
  }

  private static func measureRoutes(_ connections: Int) -> Wrk.Report? {
    let routes = MockServer()
    routes.add(
      Route(
        RequestPattern(path: PathTemplate(segments: [.literal("hello")])),
        answers: [
          ScriptedAnswer(.response(ScriptedResponse(status: 200, body: ScriptedBody(.text(text)))))
        ]
      )
    )
    let server = MockHTTPServer(routes)
    defer { server.stop() }
    guard let port = try? server.start() else { return nil }
    return Wrk.run(port: port, connections: connections)
  }

  private static func measureHello(_ connections: Int) -> Wrk.Report? {
    guard let server = try? HelloServer(text) else { return nil }
    defer { server.stop() }
    return Wrk.run(port: server.port, connections: connections)
  }

  private static func printRates(
    _ routes: [Wrk.Report],
    _ least: [Wrk.Report],
    _ connections: Int
  ) {
    let what = "socket: requests, \(connections) connections"
    Table.print(
      Row(
        what: what,
        samples: Samples(routes.map(\.rate)),
        unit: .rate,
        floor: Row.Floor(what: "of poll(2) saying hello", samples: Samples(least.map(\.rate)))
      )
    )
    Table.print(
      Row(
        what: "\(what): of that floor",
        samples: Samples(zip(routes, least).map { $0.rate / $1.rate }),
        unit: .times,
        goal: .atLeast(0.7)
      )
    )
  }

  /// The processor time of the server's own thread, independent of the rest of the machine.
  private static func printCosts(
    _ routes: [Wrk.Report],
    _ least: [Wrk.Report],
    _ connections: Int
  ) {
    let cost = { (reports: [Wrk.Report]) in
      Samples(reports.map { $0.cpuSeconds / Double(max(1, $0.requestCount)) })
    }
    Table.print(
      Row(
        what: "socket: CPU time of one, \(connections) connections",
        samples: cost(routes),
        unit: .seconds,
        floor: Row.Floor(what: "of poll(2) saying hello", samples: cost(least))
      )
    )
  }

  private static func printLatencies(
    _ routes: [Wrk.Report],
    _ least: [Wrk.Report],
    _ connections: Int
  ) {
    Table.print(
      Row(
        what: "socket: latency, p99, \(connections) connections",
        samples: Samples(routes.map(\.p99InSeconds)),
        unit: .seconds,
        floor: Row.Floor(
          what: "of poll(2) saying hello",
          samples: Samples(least.map(\.p99InSeconds))
        )
      )
    )
  }
}
