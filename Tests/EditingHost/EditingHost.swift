import LibC
import LineEditing
import Synchronization

/// A small shell to try the editor with, by hand and in the tests.
///
///     EditingHost [HISTORY-FILE [LIMIT]]
///
/// It repeats its input. `run` waits for Ctrl-C, `early` simulates Ctrl-C just before, `pause` waits for SIGUSR1;
/// `post A B` posts two messages from another thread, `post-on-signal A B` one at each SIGUSR1; `quit` exits. A line
/// that ends in `\` is continued. With `DRESSED` in its environment it has colours, hints and explanations;
/// `status TEXT` sets the status, `count` adds the number of `idle` calls, `refresh-on-signal` requests a refresh at
/// each SIGUSR1, and `idle N` makes the prompt call `idle` N times, a millisecond apart.
@main
struct EditingHost {
  static func main() {
    blockUserSignal()
    let arguments = CommandLine.arguments.dropFirst()
    let editor = LineEditor(
      programName: "editinghost",
      historyFile: arguments.first,
      historyLimit: arguments.dropFirst().first.flatMap { Int($0) } ?? 100
    )
    guard let editor else {
      print("no editor")
      exit(3)
    }
    editor.completion = complete
    let decoration = PromptDecoration(of: editor)
    converse(with: editor, decoration)
    editor.close()
    print("bye")
  }

  static func converse(with editor: LineEditor, _ decoration: PromptDecoration?) {
    var text = ""
    while true {
      switch editor.readLine(prompt: text.isEmpty ? "\u{1B}[1m> \u{1B}[0m" : ". ") {
      case .line(let line):
        text += line
        if text.last == "\\" { continue }
        editor.addHistory(text)
        if text == "quit" { return }
        if decoration?.performs(text, editor) != true { perform(text, editor) }
        text = ""
      case .interrupted:
        text = ""
        print("interrupted")
      case .end: return
      case .failed(let code): return print("failed: \(code)")
      }
    }
  }

  static func perform(_ line: String, _ editor: LineEditor) {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "run": run(editor)
    case "early": runInterruptedBefore(editor)
    case "post": post(Array(words.dropFirst()), on: editor.messages)
    case "post-on-signal": postOnSignal(Array(words.dropFirst()), on: editor.messages)
    case "refresh-on-signal": refreshOnSignal(on: editor.messages)
    case "pause": pause()
    default: print("line: [\(line)]")
    }
  }

  static func refreshOnSignal(on messages: PostedMessages) {
    spawn {
      while true {
        awaitUserSignal()
        messages.refresh()
      }
    }
    print("ready")
  }

  /// Waits for SIGUSR1, like a long action between two prompts.
  static func pause() {
    print("pausing")
    awaitUserSignal()
  }

  static func run(_ editor: LineEditor) {
    let pipe = Signal()
    editor.whileRunning(onInterrupt: pipe.raise) {
      print("running")
      pipe.wait()
    }
    print("cancelled")
  }

  /// Simulates Ctrl-C between the line and its command.
  static func runInterruptedBefore(_ editor: LineEditor) {
    raise(SIGINT)
    run(editor)
  }

  static func post(_ words: [String], on messages: PostedMessages) {
    spawn { for word in words { messages.post("posted \(word)") } }
  }

  /// Posts each message when SIGUSR1 arrives, so that a test can choose the moment.
  static func postOnSignal(_ words: [String], on messages: PostedMessages) {
    spawn {
      for word in words {
        awaitUserSignal()
        messages.post(word.replacing("_", with: "\n"))
      }
    }
    print("ready")
  }

  /// Blocks SIGUSR1 before there are threads, which inherit the mask, so that only `sigwait` gets the signal.
  static func blockUserSignal() {
    var set = userSignal()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  static func awaitUserSignal() {
    var set = userSignal()
    var number: Int32 = 0
    sigwait(&set, &number)
  }

  static func userSignal() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGUSR1)
    return set
  }

  static func complete(_ text: String) -> LineEditor.Completion {
    let word =
      text.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let known = [
      ("cancel", "stop a load"), ("create", "make a thing"), ("load", "begin a load"),
      ("größe", ""), ("folder/", ""),
    ]
    let candidates = known.filter { $0.0.hasPrefix(word) }.map {
      LineEditor.Candidate(text: $0.0, description: $0.1, endsWord: !$0.0.hasSuffix("/"))
    }
    return LineEditor.Completion(replacing: word.count, candidates: candidates)
  }
}

/// A flag that one thread sets and another waits for.
private final class Signal: Sendable {
  private let ends: (Int32, Int32)

  init() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { preconditionFailure("There is no pipe.") }
    self.ends = (ends[0], ends[1])
  }

  @Sendable func raise() {
    var byte: UInt8 = 1
    _ = write(ends.1, &byte, 1)
  }

  func wait() {
    var byte: UInt8 = 0
    while read(ends.0, &byte, 1) < 0, errno == EINTR {}
  }
}

private func spawn(_ body: @escaping @Sendable () -> Void) {
  Task.detached { body() }
}
