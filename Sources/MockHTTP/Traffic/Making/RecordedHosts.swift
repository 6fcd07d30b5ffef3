import HTTPTypes
import RemoteLoading

/// The hosts of a recording, and which of their paths they share.
struct RecordedHosts {
  /// Sorted.
  private(set) var names: [String] = []
  private let wanted: Set<String>
  /// By path as it was asked for: the hosts it was asked of.
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

  /// Whether a path was asked of more than one host.
  func areSeveral(at target: String) -> Bool { hosts[Self.path(of: target), default: []].count > 1 }

  /// Where a redirect leads within the recording: without its host, which the routes do not name.
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
