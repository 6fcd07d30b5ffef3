import FakePerformer
import Harness
import LibC
import Synchronization
import Workers

/// Runs transcripts against the fake performer, in a process that has one thread.
@main struct RunnerHost {
  /// A lock, because a program may have used one before it runs transcripts.
  private static let beginnings = Mutex(0)

  static func main() {
    // The default effect of Ctrl-C, even if the parent process ignores it.
    signal(SIGINT, SIG_DFL)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    beginnings.withLock { $0 += 1 }
    var options = TranscriptRunner.Options()
    options.isCI = false
    var inProcess = false
    var lists = false
    var paths: [String] = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--jobs": options.jobs = arguments.popFirst().flatMap { Int($0) }
      case "--timeout":
        options.timeout = .milliseconds(arguments.popFirst().flatMap { Int($0) } ?? 0)
      case "--filter": options.filters += arguments.popFirst().map { [TranscriptFilter($0)] } ?? []
      case "--failed": options.onlyFailed = true
      case "--shard": options.shard = arguments.popFirst().flatMap { TranscriptShard($0) }
      case "--history":
        options.history = arguments.popFirst().map { TestHistoryFile(path: $0, isNamed: true) }
      case "--repeat": options.repeats = arguments.popFirst().flatMap { Int($0) } ?? 1
      case "--order-seed": options.orderSeed = arguments.popFirst().flatMap { UInt64($0) }
      case "--check-determinism": options.checksDeterminism = true
      case "--known-flaky": options.knownFlaky = arguments.popFirst()
      case "--memory": options.memoryLimit = arguments.popFirst().flatMap(MemoryAmount.bytes) ?? 0
      case "--total-timeout":
        options.totalTimeout = arguments.popFirst().flatMap { Int($0) }.map { .milliseconds($0) }
      case "--reporter":
        if let reporter = arguments.popFirst().flatMap(Reporters.Reporter.init) {
          options.reporters.chosen.append(reporter)
        }
      case "--list": lists = true
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
    if lists { exit(runner.list(paths: paths, output: output).rawValue) }
    let code =
      inProcess
      ? runner.runInProcess(paths: paths, output: output)
      : runner.run(paths: paths, output: output)
    exit(code.rawValue)
  }
}
