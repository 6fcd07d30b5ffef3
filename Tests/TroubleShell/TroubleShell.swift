import Dispatch
import Foundation
import RehearsalKit
import Staging

/// A shell with faulty user code, for tests of its messages.
@main struct TroubleShell: RehearsalProgram {
  static let version = "7.0"

  static func main() {
    MadeTime.begin()
    MissingNeeds.begin()
    performAsUsual()
  }

  static let scenes = [
    Scene("trouble", "Code with every kind of fault.") { scene in
      scene.command("trap", "Reads beyond an array's end.", .integer("INDEX", in: 0...9)) {
        _ = [1, 2, 3][$0]
      }
      scene.command("trap-later", "The same in a task.") {
        try await Task.sleep(for: .seconds(1))
        _ = [1, 2, 3][Trouble.three]
      }
      scene.command("overflow", "Overflows the stack.") { _ = Trouble.depth(1) }
      scene.command("leave", "Ends the program.", .integer("CODE", in: 0...99)) { exit(Int32($0)) }
      scene.command("leave-later", "The same in a task.") {
        try await Task.sleep(for: .seconds(1))
        exit(0)
      }
      scene.command("reserve", "Reserves memory, as sanitizers do.") { Trouble.reserve() }
      scene.command("spin", "Loops forever.") { while Trouble.three == 3 {} }
      let brake = Tie()
      scene.command("brake", "Makes 'tie 8' crash instead of hang.") { brake.hasCome = true }
      scene.property("latch", of: Latch(), \.value)
      scene.command("block", "Waits for a semaphore that is never signalled.") {
        try await Task.sleep(for: .seconds(1))
        Trouble.waitForNobody()
      }
      scene.command("submit", "Starts threads.") { Trouble.submit() }
      let answers = scene.journal("answers")
      scene.command("answer", "Starts a thread that answers on the main queue.") {
        Trouble.answer { answers.note("on the main queue") }
      }
      scene.command("receive", "Reads a byte by DispatchIO, and notes it on the main queue.") {
        Trouble.receive { answers.note("received") }
      }
      scene.command("background", "Gives a block to a global queue.") { Trouble.background() }
      scene.command("suspend", "Adds operations to a suspended queue.") { Trouble.suspend() }
      scene.command("upload", "Adds an operation that never finishes.") { Trouble.upload() }
      scene.command("deadlock", "Waits for nothing, on two queues.") { Trouble.deadlock() }
      scene.command("doze", "Sleeps with the thread of a task.") {
        await Task.detached { Trouble.doze() }.value
      }
      scene.command("poll", "Polls once a second, forever.") {
        while true { try await Task.sleep(for: .seconds(1)) }
      }
      scene.command("yield", "Yields forever.") {
        while !Task.isCancelled { await Task.yield() }
      }
      scene.command("tie", "Fails if the second task runs first.", .integer("HOW", in: 0...9)) {
        how in
        let first = Tie()
        if how == 7 { Trouble.write("\u{1B}[31mbegun\0") }
        Task {
          try await Task.sleep(for: .seconds(1))
          first.hasCome = true
        }
        Task {
          try await Task.sleep(for: .seconds(1))
          if !first.hasCome { Trouble.end(how != 8 ? how : brake.hasCome ? 0 : 2) }
        }
      }
      scene.command("queue", "Yields up to twelve times, until another task has run.") {
        let guest = Tie()
        Task { guest.hasCome = true }
        for _ in 0..<12 where !guest.hasCome { await Task.yield() }
      }
      scene.command("leak", "Starts tasks that are never resumed.") {
        Task(name: "first") { await Trouble.waitForever() }
        Task { await Trouble.waitForever() }
      }
      scene.command("leak-twice", "Leaks one task, or two if the second task runs first.") {
        let first = Tie()
        Task {
          try await Task.sleep(for: .seconds(1))
          first.hasCome = true
          await Trouble.waitForever()
        }
        Task {
          try await Task.sleep(for: .seconds(1))
          if !first.hasCome { await Trouble.waitForever() }
        }
      }
      scene.command("listen", "Iterates over a stream that never ends.") {
        let (numbers, _) = Trouble.stream
        Task { for await _ in numbers {} }
      }
      let meeting = Tie()
      scene.command("come", "Sets the flag of 'meet'.") { meeting.hasCome = true }
      scene.command("meet", "Calls an actor if 'come' has not run.") {
        if !meeting.hasCome { await Desk().knock() }
      }
      scene.command("chance", "Takes a random time.") {
        let time = Stage.withoutStage { Int.random(in: 1...100_000) }
        try await Task.sleep(for: .milliseconds(time))
      }
      scene.command("lose", "Waits for an answer that never arrives.") {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    },
    Scene("squatter", "Creates the file of a transcript that is being created.") { _ in
      Trouble.write("mine", to: "transcripts/taken.transcript")
    },
    Scene("ledger", "A sum, and a model that crashes at 5.") { scene in
      var sum = 0
      scene.command("add", "Adds a number.", .integer("N", in: 1...3)) { sum += $0 }
      scene.property("sum") { sum }
      scene.model(0) { model in
        model.on("add", Int.self) { sum, number in
          sum += number
          if sum > 4 { Trouble.end(0) }
        }
        model.shows("sum") { $0 }
      }
    },
    Scene("barred", "A command that may never be generated.") { scene in
      scene.command("enter-bar", "Enters.") {}
      scene.generate("enter-bar", when: { Trouble.three == 4 })
    },
    Scene("chasm", "A jump that crashes from 2 on.") { scene in
      scene.command("jump", "Jumps.", .integer("N", in: 0...9)) { _ = [1, 2][$0] }
    },
    Scene("roundabout", "A turn that never ends from 2 on.") { scene in
      scene.command("turn", "Turns.", .integer("N", in: 0...9)) { while $0 > 1 {} }
    },
    Scene("interrupter", "A signal from a session.") { scene in
      scene.command("interrupt", "Sends SIGTERM to the parent process.") {
        kill(getppid(), SIGTERM)
      }
    },
    Scene("endless", "A property whose getter never returns.") { scene in
      scene.property("first") { () -> Int in
        while Trouble.three == 3 {}
        return 0
      }
    },
  ]
}

/// A property whose setter never returns.
private final class Latch {
  var value = 0 { didSet { Trouble.waitForNobody() } }
}

/// A flag that the first of two tasks sets.
@MainActor private final class Tie {
  var hasCome = false
}

private actor Desk {
  func knock() {}
}

private enum Trouble {
  static func end(_ how: Int) {
    switch how {
    case 0: _ = [1, 2, 3][three]
    case 1: exit(7)
    case 2: while three == 3 {}
    case 3: kill(getpid(), SIGKILL)
    case 4: if isFirst { kill(getpid(), SIGKILL) }
    case 5: if isFirst { end(0) }
    case 6: kill(getppid(), SIGKILL)
    case 9:
      MadeTime.pass(60_000)
      end(2)
    default:
      for number in 1...12 { write("line \(number)") }
      end(0)
    }
  }

  static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

  static func write(_ text: String, to path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try? Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Whether this is the first call in this folder, by any process.
  private static var isFirst: Bool {
    let file = open("asked", O_CREAT | O_EXCL, 0o600)
    return file >= 0 && close(file) == 0
  }

  /// The number 3, which the optimiser does not know.
  static var three: Int { CommandLine.arguments.isEmpty ? 4 : 3 }

  static func depth(_ number: Int) -> Int {
    number + (three == 3 ? depth(number + 1) : 0)
  }

  /// Reserves addresses whose upper halves are the number of this process.
  static func reserve() {
    let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS) | MAP_NORESERVE
    mmap(UnsafeMutableRawPointer(bitPattern: Int(getpid()) << 32), 1 << 32, PROT_NONE, flags, -1, 0)
  }

  /// Starts a thread, and waits on another queue until it has given its answers to the main queue and the main actor.
  static func answer(_ note: @escaping @MainActor @Sendable () -> Void) {
    let isSent = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      DispatchQueue.main.async { MainActor.assumeIsolated(note) }
      Task { @MainActor in note() }
      isSent.signal()
    }
    DispatchQueue.global().async { isSent.wait() }
  }

  private static let pipe = Pipe()

  static func receive(_ note: @escaping @MainActor @Sendable () -> Void) {
    pipe.fileHandleForWriting.write(Data([1]))
    let isSent = DispatchSemaphore(value: 0)
    DispatchIO.read(
      fromFileDescriptor: pipe.fileHandleForReading.fileDescriptor,
      maxLength: 1,
      runningHandlerOn: .global()
    ) { _, _ in
      DispatchQueue.main.async { MainActor.assumeIsolated(note) }
      isSent.signal()
    }
    DispatchQueue.global().async { isSent.wait() }
  }

  static func background() { DispatchQueue.global().async {} }

  static func doze() { Thread.sleep(forTimeInterval: 1) }

  static func suspend() {
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation {}
    queue.addOperation {}
  }

  /// An asynchronous operation that no code finishes.
  private final class Upload: Operation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { true }
    override var isFinished: Bool { false }
    override func start() {}
  }

  static func upload() { OperationQueue().addOperation(Upload()) }

  static func submit() {
    for _ in 0..<2 { Thread.detachNewThread {} }
  }

  /// Waits forever: nothing resumes it.
  static func waitForever() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  static let stream = AsyncStream.makeStream(of: Int.self)

  static func deadlock() {
    DispatchQueue.global().async { DispatchSemaphore(value: 0).wait() }
    DispatchQueue.main.async { DispatchSemaphore(value: 0).wait() }
  }

  static func waitForNobody() {
    // The stage knows the owners of other locks.
    var lock = pthread_rwlock_t()
    pthread_rwlock_init(&lock, nil)
    pthread_rwlock_rdlock(&lock)
    pthread_rwlock_wrlock(&lock)
  }
}
