import FuzzTargets
import LibC
import Workers

/// A run of many inputs for one target in workers. If an input crashes or blocks its worker, it can
/// be repeated by its number.
struct Campaign {
  /// A request to check every `stride`-th input from an index on.
  private struct Request: Codable {
    let start: Int
    let stride: Int
  }

  private enum Message: Codable {
    /// The reason why the property of the target does not hold for the noted input.
    case finding(String)
    case finished
  }

  private let target: any FuzzTarget
  private let arguments: Arguments
  private let maker: InputMaker
  private let last: Int
  private let first: Int

  /// Maximum number of findings.
  private static let mostFindings = 20

  init(_ target: any FuzzTarget, _ arguments: Arguments) {
    self.target = target
    self.arguments = arguments
    let goldens = Corpus(["transcripts", "docs", "README.md"], endings: [".transcript", ".md"])
    let corpus = Corpus([arguments.corpus + "/" + target.name])
    maker = InputMaker(target, corpus: corpus, goldens: goldens, seed: arguments.seed)
    first = arguments.only ?? 0
    last = arguments.only.map { $0 + 1 } ?? arguments.count
  }

  /// Checks all inputs and prints the results; returns whether something was found.
  func run() -> Bool {
    let beginning = ProcessControl.milliseconds
    let limits = WorkerLimits(
      timeoutInMilliseconds: arguments.timeout * 1_000,
      memoryLimit: 1 << 40
    )
    let pool = WorkerPool<Request, Message>(
      count: arguments.jobs,
      limits: limits,
      noteSize: MemoryLayout<Int>.size
    ) { [self] context in
      { request, _ in answer(to: request, context) }
    }
    guard let pool else { fatalError("no memory to share") }
    func start(_ worker: Int, at index: Int) {
      if index < last { pool.ask(worker, Request(start: index, stride: pool.workers.count)) }
    }
    for worker in pool.workers { start(worker, at: first + worker) }
    var found = 0
    while pool.workers.contains(where: { !pool.isIdle($0) }), found < Self.mostFindings {
      guard let (worker, event) = pool.next(withinMilliseconds: 1_000) else { continue }
      let problem: String
      switch event {
      case .answer(.finished), .news: continue
      case .answer(.finding(let text)):
        complain(text)
        problem = "does not hold, as said above"
      case .ended(let end):
        for line in end.output { complain(line) }
        problem = sentence(about: end.cause)
      case .notStarted(let error):
        fatalError("no process: \(String(cString: strerror(error.code)))")
      }
      found += 1
      let index = Self.index(in: pool.context(of: worker)).pointee
      tell(problem, index)
      start(worker, at: index + pool.workers.count)
    }
    pool.endAll()
    report(found, ProcessControl.milliseconds - beginning)
    return found > 0
  }

  /// The number of the current input, in the notes of a worker.
  private static func index(in context: WorkerContext) -> UnsafeMutablePointer<Int> {
    context.notes.assumingMemoryBound(to: Int.self)
  }

  private func answer(to request: Request, _ context: WorkerContext) -> Message {
    for index in stride(from: request.start, to: last, by: request.stride) {
      Self.index(in: context).pointee = index
      context.beginStep()
      do throws(Finding) {
        try target.check(maker.input(index))
      } catch {
        return .finding("\(error)")
      }
    }
    return .finished
  }

  private func sentence(about cause: WorkerEnd.Cause) -> String {
    switch cause {
    case .signal(let signal): "ended by signal \(signal)"
    case .exit(let status): "ended with status \(status)"
    case .stackOverflow: "ended by a stack that overflowed"
    case .time: "took longer than \(arguments.timeout) s"
    case .memory: "needed too much memory"
    case .ended: "was ended"
    }
  }

  // MARK: Results

  private func tell(_ problem: String, _ index: Int) {
    mkdir(arguments.findings, 0o777)
    let path = "\(arguments.findings)/\(target.name)-\(arguments.seed)-\(index)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    try? Descriptor.write(maker.input(index), to: file)
    close(file)
    print("\(target.name): input \(index) \(problem); it is in \(path)")
  }

  private func report(_ found: Int, _ milliseconds: Int) {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    #else
    getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    let count = last - first
    let speed = count * 1000 / max(1, milliseconds)
    print(
      "\(target.name): \(count) inputs, seed \(arguments.seed), \(milliseconds / 1000) s, \(speed)/s,"
        + " at most \(usage.ru_maxrss / 1024) MB, \(found) found"
    )
    fflush(nil)
  }
}

/// Writes a line to standard error.
func complain(_ text: String) { try? Descriptor.write(Array((text + "\n").utf8), to: 2) }
