import RehearsalBase

/// Routes that answer like a recording, with the report about masked secrets and skipped entries.
public struct TrafficRoutes: Sendable {
  /// The routes, in the order of the first request. None has a scope.
  public internal(set) var routes: [Route] = []
  /// The files that the routes use: large or binary bodies, each of them once.
  public internal(set) var files: [File] = []
  /// The number of exchanges in the routes.
  public internal(set) var exchangeCount = 0
  /// The requested hosts, sorted.
  public internal(set) var hosts: [String] = []
  /// The number of entries that are in no route, by reason.
  public internal(set) var leftOut: [Traffic.LeftOut: Int] = [:]
  /// The number of answers in the routes whose body was not recorded. Other bytes are in its place.
  public internal(set) var missingBodyCount = 0
  /// The number of answers in the routes whose body lacks its end, because that was not recorded.
  public internal(set) var shortBodyCount = 0
  /// The number of masked secrets, by location.
  public internal(set) var masked: [SecretKind: Int] = [:]

  /// A body to save next to the routes.
  public struct File: Sendable, Hashable {
    /// The file name: lower-case letters, digits and hyphens, with one dot before its extension.
    public let name: String
    /// The complete decoded body.
    public let bytes: [UInt8]
  }
}

extension TrafficRoutes {
  /// The report in lines: counts, hosts, skipped entries, incomplete bodies, masked secrets.
  ///
  /// Hosts are unchanged from the recording: escape the lines for a terminal.
  public var summary: [String] {
    var lines = ["\("request".counted(exchangeCount)) in \("route".counted(routes.count))"]
    if !hosts.isEmpty { lines.append("hosts: " + hosts.joined(separator: ", ")) }
    let left = Traffic.LeftOut.allCases.compactMap { Self.line($0.rawValue, leftOut[$0]) }
    if !left.isEmpty { lines.append("left out: " + left.joined(separator: ", ")) }
    if missingBodyCount > 0 {
      lines.append(
        "bodies that were not recorded, with other bytes in their place: \(missingBodyCount)"
      )
    }
    if shortBodyCount > 0 {
      lines.append("bodies that lack their end: \(shortBodyCount)")
    }
    let secrets = SecretKind.allCases.compactMap { Self.line($0.rawValue, masked[$0]) }
    if !secrets.isEmpty { lines.append("masked: " + secrets.joined(separator: ", ")) }
    return lines
  }

  private static func line(_ words: String, _ count: Int?) -> String? {
    count.map { "\($0) \(words)" }
  }
}

/// Options for making routes from a recording.
public struct TrafficOptions: Sendable {
  /// Whether secrets stay unmasked.
  public var keepingSecrets = false
  /// The hosts to include, as `name` or `name:port`; empty for all.
  public var hosts: [String] = []
  /// The prefix of file names. Characters that a name cannot have are removed.
  public var filePrefix = "traffic"
  /// The maximum size of a body inside a command, in bytes. Longer ones become files.
  public var longestInlineBody = 2048
  /// Whether binary bodies may be inside a command too, in base64.
  public var inliningBytes = false

  /// Masks secrets, includes all hosts, and keeps text bodies of up to 2048 bytes inside commands.
  public init() {}
}

extension Traffic {
  /// Makes routes that answer the same requests in the same way.
  ///
  /// - Requests with the same method, path, query and body become one route, with answers in the
  ///   order of
  ///   the recording. Answers at the end that differ only in time become one answer, which is repeated and
  ///   takes as long as the fastest to the slowest of them.
  /// - A body becomes a condition only if requests to the same target have different bodies.
  /// - A route has a host only if two hosts were asked for the same path.
  /// - An answer comes after the recorded wait. Its body drips, in up to 20 pieces, if its transfer
  ///   took at
  ///   least 100 ms.
  /// - Header fields are kept, except those of the connection and the time: see `KeptHeaders`.
  /// - Secrets are masked: in an answer as `masked`, in a condition as any value.
  public func makeRoutes(_ options: TrafficOptions = TrafficOptions()) -> TrafficRoutes {
    let learner = Masker(isKeeping: options.keepingSecrets)
    if !options.keepingSecrets {
      // A secret in one place is a secret everywhere: the first pass only collects secrets.
      var maker = RouteMaker(self, options, learner)
      _ = maker.make()
    }
    let masker = Masker(isKeeping: options.keepingSecrets, known: learner.found)
    var maker = RouteMaker(self, options, masker)
    return maker.make()
  }
}
