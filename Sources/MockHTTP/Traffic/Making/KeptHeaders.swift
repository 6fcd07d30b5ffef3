/// Which header fields of a recorded response belong into a route.
///
/// All of them do but those that
/// - speak of one connection or of how a body was carried, which a route does by itself;
/// - speak of the moment, of the way there or of the machine;
/// - would make a client go elsewhere: to https, to another port or server;
/// - vouch for the bytes of the body, which may have been masked.
enum KeptHeaders {
  /// Whether a route keeps the field of this name, which is in lower case.
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
