/// Routes that answer as a recording did, and what was done to get them.
public struct TrafficRoutes: Sendable {
  /// In the order in which they were first asked for. None has a scope.
  public internal(set) var routes: [Route] = []
  /// What the routes call files: bodies that are large or no text, each of them once.
  public internal(set) var files: [File] = []
  /// How many exchanges the routes stand for.
  public internal(set) var exchangeCount = 0
  /// The hosts that were asked, sorted.
  public internal(set) var hosts: [String] = []
  /// How many entries of the recording are in no route, and why.
  public internal(set) var leftOut: [Traffic.LeftOut: Int] = [:]
  /// How many secrets of the recording were masked, and where they stood.
  public internal(set) var masked: [SecretKind: Int] = [:]

  /// A body to be written beside the routes.
  public struct File: Sendable, Hashable {
    /// Of lower-case letters, digits and hyphens, with one dot before its end.
    public let name: String
    /// The whole of it, decoded.
    public let bytes: [UInt8]
  }
}

extension TrafficRoutes {
  /// What became of the recording, in lines: counts, hosts, what was left out, what was masked.
  ///
  /// Hosts are written as they were recorded: escape the lines for a terminal.
  public var summary: [String] {
    var lines = ["\(Self.count(exchangeCount, "request")) in \(Self.count(routes.count, "route"))"]
    if !hosts.isEmpty { lines.append("hosts: " + hosts.joined(separator: ", ")) }
    let left = Traffic.LeftOut.allCases.compactMap { Self.line($0.rawValue, leftOut[$0]) }
    if !left.isEmpty { lines.append("left out: " + left.joined(separator: ", ")) }
    let secrets = SecretKind.allCases.compactMap { Self.line($0.rawValue, masked[$0]) }
    if !secrets.isEmpty { lines.append("masked: " + secrets.joined(separator: ", ")) }
    return lines
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func line(_ words: String, _ count: Int?) -> String? {
    count.map { "\($0) \(words)" }
  }
}

/// How a recording becomes routes.
public struct TrafficOptions: Sendable {
  /// Leaves secrets as they are.
  public var keepingSecrets = false
  /// Only these hosts, `name` or `name:port`; all where it is empty.
  public var hosts: [String] = []
  /// What the names of files begin with. What a name cannot hold is left out of it.
  public var filePrefix = "traffic"
  /// Longer bodies become files; in bytes.
  public var longestInlineBody = 2048
  /// Whether bodies that are no text may be part of a command as well, in base64.
  public var inliningBytes = false

  /// Masks secrets, takes all hosts, and keeps bodies of up to 2048 bytes of text within commands.
  public init() {}
}

extension Traffic {
  /// Turns the exchanges into routes that answer the same requests in the same way.
  ///
  /// - Requests of one method, path, query and body are one route; its answers come in the order of
  ///   the recording. Those at the end that differ in nothing but time are one answer, which takes
  ///   as long as the fastest to the slowest of them, and is repeated.
  /// - A body is a condition only where requests to one place differ in it.
  /// - A route has a host only where two hosts were asked for the same path.
  /// - An answer comes after the recorded wait. Its body drips, in up to 20 pieces, where it took at
  ///   least 100 ms to come.
  /// - Header fields are kept but those of the connection and the moment: `KeptHeaders` says which.
  /// - Secrets are masked: in an answer as `masked`, in a condition as any value.
  public func makeRoutes(_ options: TrafficOptions = TrafficOptions()) -> TrafficRoutes {
    let learner = Masker(isKeeping: options.keepingSecrets)
    if !options.keepingSecrets {
      // What is a secret in one place is one in every place: the first walk only learns.
      var maker = RouteMaker(self, options, learner)
      _ = maker.make()
    }
    let masker = Masker(isKeeping: options.keepingSecrets, known: learner.found)
    var maker = RouteMaker(self, options, masker)
    return maker.make()
  }
}
