import Foundation
import Synchronization

/// A server on 127.0.0.1 that sends given bytes and counts the clients that have closed.
///
/// It runs until it is stopped or the process ends, because a test that has only its address must not lose it.
final class RawServer: Sendable {
  enum Step: Sendable {
    case say(String)
    case close
    case reset
    /// Sends nothing more, until the client closes.
    case hang
    /// Sends the request back, as the body of an answer.
    case echo
  }

  let port: UInt16
  private let listener: Int32
  private let goneCount = Mutex(0)
  private let gone = NSCondition()

  /// Performs the steps that `steps` returns for each path.
  init(_ steps: @escaping @Sendable (String) -> [Step]) throws {
    listener = systemSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return -1
      }
      guard bind(listener, pointer, size) == 0, listen(listener, 64) == 0 else { return -1 }
      return getsockname(listener, pointer, &size)
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        // Not inherited by the programs that other tests start, because they would keep the connection open.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { [self] in serve(client, steps) }
      }
    }
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    systemClose(listener)
  }

  /// Waits until a number of hanging clients have closed; false after ten seconds.
  func waitForGone(_ count: Int) -> Bool {
    let limit = Date(timeIntervalSinceNow: 10)
    gone.lock()
    defer { gone.unlock() }
    while goneCount.withLock({ $0 }) < count {
      if !gone.wait(until: limit) { return false }
    }
    return true
  }

  private func serve(_ client: Int32, _ steps: (String) -> [Step]) {
    defer { systemClose(client) }
    var request = ""
    while !request.contains("\r\n\r\n") {
      guard let more = receive(client) else { return }
      request += more
    }
    let words = request.split(separator: " ", maxSplits: 2)
    for step in steps(words.count > 1 ? String(words[1]) : "") {
      switch step {
      case .say(let text): say(text, to: client)
      case .echo:
        let count = request.utf8.count
        say("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(request)", to: client)
      case .close: return
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          client,
          SOL_SOCKET,
          SO_LINGER,
          &linger,
          socklen_t(MemoryLayout.size(ofValue: linger))
        )
        return
      case .hang:
        while receive(client) != nil {}
        goneCount.withLock { $0 += 1 }
        gone.lock()
        gone.broadcast()
        gone.unlock()
      }
    }
  }

  private func say(_ text: String, to client: Int32) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      start += count
    }
  }

  private func receive(_ client: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(client, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

private func systemSocket() -> Int32 {
  socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
}
private func systemClose(_ descriptor: Int32) { close(descriptor) }
