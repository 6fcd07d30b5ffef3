import FetchProtocol
import Foundation
import LibC

/// The program by which `rehearse` reaches real servers. It takes requests on its standard input, writes what
/// comes of them to its standard output, and leaves when its input ends.
@main enum Fetch {
  static func main() {
    forgetEnvironment()
    closeStrangers()
    dieQuietly()
    signal(SIGPIPE, SIG_IGN)
    guard isatty(0) == 0 else {
      let text = "rehearse starts this program when a load reaches a real server.\n"
      FileHandle.standardError.write(Data(text.utf8))
      exit(2)
    }
    let desk = Desk(output: 1)
    desk.write(FrameReader.greeting)
    var reader = FrameReader()
    while let bytes = Descriptor.readChunk(0) {
      reader.append(bytes)
      do {
        while let frame = try reader.next() { desk.handle(frame) }
      } catch {
        exit(3)  // What follows cannot be understood.
      }
    }
    exit(0)
  }

  /// libcurl would take proxies from it, whatever the session's configuration says.
  private static func forgetEnvironment() {
    for name in ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"] {
      unsetenv(name)
      unsetenv(name.uppercased())
    }
  }

  /// Descriptors that whoever started this left open.
  private static func closeStrangers() {
    for descriptor in 3..<Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 4096)) { close(descriptor) }
  }

  /// Where Foundation ends this, a request waits for the news: a back-trace would keep it waiting, and nobody
  /// would see it.
  private static func dieQuietly() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
  }
}
