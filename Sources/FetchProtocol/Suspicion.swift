import HTTPTypes
import RemoteLoading

/// The helper stopped, and nobody knows yet whether it was because of this request.
struct Suspicion: Error {
  let words: String

  func ending(_ request: FetchRequest) -> String {
    "\(words), and a \(request.request.head.method) is not sent twice"
  }
}

extension FetchRequest {
  /// Whether a server that got it already may get it again.
  var isRepeatable: Bool {
    [.get, .head, .put, .delete, .options].contains(request.head.method)
  }
}
