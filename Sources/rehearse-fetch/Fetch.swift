import FetchProtocol
import Foundation
import LibC

/// The helper program through which `rehearse` reaches real servers. It reads requests from its standard input, writes
/// the answers to its standard output, and exits at the end of its input.
@main enum Fetch {
  static func main() {
    removeProxyVariables()
    closeInheritedDescriptors()
    restoreSignalHandlers()
    signal(SIGPIPE, SIG_IGN)
    guard isatty(0) == 0 else {
      let text = "rehearse starts this program when a load reaches a real server.\n"
      FileHandle.standardError.write(Data(text.utf8))
      exit(2)
    }
    let handler = RequestHandler(output: 1)
    handler.write(FrameReader.greeting)
    var reader = FrameReader()
    while let bytes = Descriptor.readChunk(0) {
      reader.append(bytes)
      do {
        while let frame = try reader.next() { handler.handle(frame) }
      } catch {
        exit(3)  // The rest of the stream cannot be parsed.
      }
    }
    exit(0)
  }

  /// Removes the proxy variables, which libcurl would use whatever the session's configuration is.
  private static func removeProxyVariables() {
    for name in ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"] {
      unsetenv(name)
      unsetenv(name.uppercased())
    }
  }

  /// Closes descriptors that were inherited from the parent process.
  private static func closeInheritedDescriptors() {
    for descriptor in 3..<Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 4096)) { close(descriptor) }
  }

  /// Restores the default signal handlers, because a back-trace after a trap would delay the requests that wait for the
  /// end of this process.
  private static func restoreSignalHandlers() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
  }
}
