import HTTPTypes
import RemoteLoading

/// The hosts of a recording, and the paths that several hosts share.
struct RecordedHosts {
  /// The names, sorted.
  private(set) var names: [String] = []
  private let wanted: Set<String>
  /// The hosts of each requested path.
  private var hosts: [String: Set<String>] = [:]

  init(_ exchanges: [RecordedExchange], wanted: [String]) {
    self.wanted = Set(wanted.map { $0.lowercased() })
    var known: Set<String> = []
    for exchange in exchanges where isWanted(exchange) {
      let name = host(of: exchange).name
      known.insert(name)
      hosts[Self.path(of: exchange.request.head.path ?? "/"), default: []].insert(name)
    }
    names = known.sorted()
  }

  func host(of exchange: RecordedExchange) -> RecordedHost {
    let head = exchange.request.head
    return RecordedHost(scheme: head.scheme, authority: head.authority ?? "")
  }

  func isWanted(_ exchange: RecordedExchange) -> Bool {
    wanted.isEmpty || wanted.contains(host(of: exchange).name)
  }

  /// Returns whether a path was requested from more than one host.
  func areSeveral(at target: String) -> Bool { hosts[Self.path(of: target), default: []].count > 1 }

  /// Returns a redirect's target without the host if the host belongs to the recording.
  func place(inside location: String) -> String? {
    let url = RecordedURL(location)
    guard url.scheme == "http" || url.scheme == "https" || location.hasPrefix("//"),
      !url.authority.isEmpty, !areSeveral(at: url.target)
    else { return nil }
    let name = RecordedHost(scheme: url.scheme, authority: url.authority).name
    guard names.contains(name) else { return nil }
    let fragment = location.firstIndex(of: "#").map { location[$0...] } ?? ""
    return url.target + fragment
  }

  private static func path(of target: String) -> String {
    String(target.prefix { $0 != "?" })
  }
}
