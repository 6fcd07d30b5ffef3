import FakePerformer
import Harness

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs transcripts against the fake performer, in a process that has one thread.
@main struct RunnerHost {
  static func main() {
    var options = TranscriptRunner.Options()
    options.isCI = false
    var inProcess = false
    var paths: [String] = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--jobs": options.jobs = arguments.popFirst().flatMap { Int($0) }
      case "--timeout":
        options.timeout = .milliseconds(arguments.popFirst().flatMap { Int($0) } ?? 0)
      case "--filter": options.filter = arguments.popFirst()
      case "--fail-fast": options.failFast = true
      case "--update": options.update = .yes
      case "--force": options.update = .evenInCI
      case "--ci": options.isCI = true
      case "--pending": options.pending = arguments.popFirst().map { PendingPlace(folder: $0) }
      case "--pending-beside": options.pending = .beside
      case "--colour": options.reporters.colour = true
      case "--in-process": inProcess = true
      default: paths.append(argument)
      }
    }
    let runner = TranscriptRunner(options: options) { FakePerformer($0, $1) }
    let output = { (text: String) in
      var text = text
      text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
    }
    let code =
      inProcess
      ? runner.runInProcess(paths: paths, output: output)
      : runner.run(paths: paths, output: output)
    exit(code.rawValue)
  }
}
