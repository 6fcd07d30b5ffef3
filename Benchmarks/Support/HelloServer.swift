import LibC
import RehearsalBase

/// A minimal server on `poll(2)`: it sends the same answer to everything and does not parse requests.
final class HelloServer: @unchecked Sendable {
  let port: Int
  private let listener: Int32
  private let answer: [UInt8]
  // Both are written before the thread starts, or after it has ended.
  private var wake: (read: Int32, write: Int32) = (-1, -1)
  private var thread: SystemThread?

  /// Listens immediately, on any free port, with one thread.
  init(_ text: String) throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
    answer = Array("\(head)Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 1_024) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Failure() }
    port = Int(UInt16(bigEndian: address.sin_port))
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure() }
    wake = (ends[0], ends[1])
    thread = SystemThread { self.run() }
  }

  private struct Failure: Error {}

  func stop() {
    close(wake.write)
    thread?.join()
  }

  private func run() {
    var polled = [listener, wake.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while poll(&polled, nfds_t(polled.count), -1) >= 0, polled[1].revents == 0 {
      for index in polled.indices.dropFirst(2).reversed() where polled[index].revents != 0 {
        let count = read(polled[index].fd, &buffer, buffer.count)
        if count > 0 {
          // wrk sends the next request after the answer, so each read is one request.
          _ = write(polled[index].fd, answer, answer.count)
        } else if count == 0 || errno != EAGAIN {
          close(polled[index].fd)
          polled.remove(at: index)
        }
      }
      while case let client = accept(listener, nil, nil), client >= 0 {
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        var isOn: Int32 = 1
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
        polled.append(pollfd(fd: client, events: Int16(POLLIN), revents: 0))
      }
    }
    for entry in polled { close(entry.fd) }
  }
}
