import FuzzTargets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Many inputs for one target, each decided by its number, in processes of their own: one that ends or never
/// comes back has a number, by which its input is had again.
struct Campaign {
  private let target: any FuzzTarget
  private let arguments: Arguments
  private let maker: InputMaker
  private let board: Board
  private let last: Int
  private let first: Int

  /// After so many findings there is enough to do.
  private static let mostFindings = 20

  init(_ target: any FuzzTarget, _ arguments: Arguments) {
    self.target = target
    self.arguments = arguments
    let goldens = Corpus(["transcripts", "docs", "README.md"], endings: [".transcript", ".md"])
    let corpus = Corpus([arguments.corpus + "/" + target.name])
    maker = InputMaker(target, corpus: corpus, goldens: goldens, seed: arguments.seed)
    board = Board(workers: arguments.jobs)
    first = arguments.only ?? 0
    last = arguments.only.map { $0 + 1 } ?? arguments.count
  }

  /// Runs them all and tells how it went; true where something was found.
  func run() -> Bool {
    let beginning = Board.milliseconds
    var workers = (0..<arguments.jobs).map { start(worker: $0, at: first + $0) }
    var found = 0
    while workers.contains(where: { $0 != nil }), found < Self.mostFindings {
      usleep(20_000)
      for worker in workers.indices {
        guard let process = workers[worker], let end = end(of: process, worker) else { continue }
        if let words = end {
          found += 1
          tell(words, board[worker].index)
          workers[worker] = self.start(worker: worker, at: board[worker].index + arguments.jobs)
        } else {
          workers[worker] = nil
        }
      }
    }
    for case let process? in workers { kill(process, SIGKILL) }
    report(found, Board.milliseconds - beginning)
    return found > 0
  }

  // MARK: Workers

  /// Starts a process that takes every so many-th input; nil where none is left.
  private func start(worker: Int, at index: Int) -> pid_t? {
    guard index < last else { return nil }
    board[worker].index = index
    board[worker].began = Board.milliseconds
    fflush(nil)
    let process = unguardedFork()
    if process == 0 { work(worker, from: index) }
    return process
  }

  private func work(_ worker: Int, from start: Int) -> Never {
    for index in stride(from: start, to: last, by: arguments.jobs) {
      board[worker].index = index
      board[worker].began = Board.milliseconds
      limitProcessorTime()
      do throws(Finding) {
        try target.check(maker.input(index))
      } catch {
        complain("\(error)")
        _exit(3)
      }
    }
    _exit(0)
  }

  /// Ends the process by a signal when one input takes too much of a processor, however busy the machine is.
  private func limitProcessorTime() {
    var limit = itimerval()
    limit.it_value.tv_sec = arguments.timeout
    #if canImport(Glibc)
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
    #else
    setitimer(ITIMER_PROF, &limit, nil)
    #endif
  }

  /// Who waits and never comes back is given up after so many times that.
  private static let patience = 12

  /// How a worker ended: nil while it runs, `.some(nil)` where all was well.
  private func end(of process: pid_t, _ worker: Int) -> String?? {
    var status: Int32 = 0
    let found = waitpid(process, &status, WNOHANG)
    if found == 0 {
      let time = Board.milliseconds - board[worker].began
      guard time > arguments.timeout * Self.patience * 1000 else { return nil }
      kill(process, SIGKILL)
      waitpid(process, &status, 0)
      return .some("never came back")
    }
    if status == 0 { return .some(nil) }
    let signal = status & 0x7F
    if signal == SIGPROF { return .some("took longer than \(arguments.timeout) s") }
    return .some(signal == 0 ? "does not hold, as said above" : "ended by signal \(signal)")
  }

  // MARK: Telling

  private func tell(_ words: String, _ index: Int) {
    mkdir(arguments.findings, 0o777)
    let path = "\(arguments.findings)/\(target.name)-\(arguments.seed)-\(index)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    let input = maker.input(index)
    _ = input.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    print("\(target.name): input \(index) \(words); it is in \(path)")
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

// Swift marks `fork` unavailable; this process has one thread, and its children start none.
@_silgen_name("fork") private func unguardedFork() -> pid_t
