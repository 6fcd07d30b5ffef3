/// The header fields of a recorded response that a route keeps.
///
/// It keeps all fields except those that
/// - concern one connection or the transfer of the body, which a route handles itself;
/// - concern the time, the network path or the machine;
/// - would redirect a client: to https, to another port or server;
/// - verify the bytes of the body, which may have been masked.
enum KeptHeaders {
  /// Returns whether a route keeps the field with this lower-case name.
  static func keeps(_ name: String) -> Bool {
    !dropped.contains(name) && !droppedStarts.contains(where: name.hasPrefix)
  }

  private static let dropped: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "content-length", "content-encoding", "content-type",
    "date", "age", "via", "server", "server-timing", "x-powered-by", "x-cache", "x-cache-hits",
    "x-served-by", "x-timer", "x-runtime",
    "strict-transport-security", "alt-svc", "nel", "report-to", "reporting-endpoints", "expect-ct",
    "public-key-pins",
    "content-md5", "digest", "content-digest", "repr-digest", "want-digest",
  ]
  private static let droppedStarts = ["cf-", "x-amz-cf-", "x-fastly-", "x-vercel-", ":"]
}
