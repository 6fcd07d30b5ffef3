#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking

// Properties of a task that Foundation on Linux does not expose, read by reflection. All uses of private parts in this
// module are here. If these parts are not as expected, the result is nil.
/// Reads the session and the body of a task, which Foundation on Linux does not expose.
extension URLSessionTask {
  /// The session that created it.
  var session: URLSession? { hidden("session") as? URLSession }

  /// The body that it sends: that of the request, or that of an upload task.
  var uploadedBody: Data? {
    if let body = originalRequest?.httpBody { return body }
    guard let body = hidden("knownBody"), let payload = Mirror(reflecting: body).children.first
    else { return nil }
    switch payload.value {
    case let data as DispatchData: return Data(data)
    case let file as URL: return try? Data(contentsOf: file)
    case let stream as InputStream: return stream.readAll()
    default: return nil
    }
  }

  /// Waits until the work queue of the task's session is empty. Must not be called on that queue.
  func waitForWork() { _ = priority }

  private func hidden(_ name: String) -> Any? {
    field(name).flatMap { Mirror(reflecting: $0).children.first?.value }
  }

  private func field(_ name: String) -> Any? {
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      if let child = level.children.first(where: { $0.label == name }) { return child.value }
      mirror = level.superclassMirror
    }
    return nil
  }
}

extension InputStream {
  fileprivate func readAll() -> Data {
    open()
    defer { close() }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(&buffer, maxLength: buffer.count)
      guard count > 0 else { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }
}
#endif
