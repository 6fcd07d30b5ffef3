import LibC

/// Text that is computed in a copy of this process.
///
/// The copy has one thread and the memory of this process at one instant, so the code can read what other threads change.
/// If it crashes, or waits for a lock that another thread held, only the text is missing.
package enum ProcessCopy {
  /// Computes lines in a copy of this process. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - limit: the time limit in milliseconds, as `PlayClock` counts.
  ///   - body: the code, which must not start a thread.
  /// - Returns: the lines; nil if the copy crashes or takes too long.
  package static func lines(limit: Int = 10_000, _ body: () -> [String]) -> [String]? {
    guard let (ear, mouth) = try? Descriptor.makePipe() else { return nil }
    defer { close(ear) }
    let copy = try? ForkedProcess(flushes: false) {
      ForkedProcess.resetSignals()
      let text = body().joined(separator: "\n") + "\0"
      try? Descriptor.write(Array(text.utf8), to: mouth)
      _exit(0)
    }
    close(mouth)
    guard let copy else { return nil }
    defer { copy.kill() }
    var clock = PlayClock(start: ProcessControl.milliseconds)
    var bytes: [UInt8] = []
    while bytes.last != 0 {
      var ready = pollfd(fd: ear, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 20) > 0 else {
        if clock.isOver(limit: limit, at: ProcessControl.milliseconds, process: copy.id) {
          return nil
        }
        continue
      }
      guard let chunk = Descriptor.readChunk(ear) else { return nil }
      bytes += chunk
    }
    let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"))
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
