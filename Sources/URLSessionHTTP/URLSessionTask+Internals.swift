#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import Staging

// What Foundation on Linux does not tell about a task, read by reflection. Everything in this module that
// relies on its private parts is here; where they are not as expected, the answer is nil.
extension URLSessionTask {
  /// The session that made it.
  var session: URLSession? { hidden("session") as? URLSession }

  /// The body that it sends: that of the request, or the one that an upload task was given.
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

  /// Marks the task's queue as in virtual time, so that a stage does not name its work.
  func markVirtual() { queue?.setSpecific(key: Self.virtualQueueKey, value: true) }

  private var queue: DispatchQueue? { field("workQueue") as? DispatchQueue }

  private static let virtualQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    Stage.setVirtualQueueKey(key)
    return key
  }()

  /// Waits until the queue of the task's session has done what it was given so far. The queue must not be
  /// the calling thread's.
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
