internal import CLineEdit
import LibC

/// The prompt: lines typed at a terminal, edited, remembered and completed, by libedit.
///
/// One editor at a time may be open in a process, since signals and the terminal are the process's.
/// All of it is called from one thread, except `post` and `messages`.
///
/// From `init` to `close` the editor catches SIGINT: at the prompt it drops the line, in
/// `whileRunning` it calls a handler, otherwise nothing happens. SIGTERM, SIGHUP and SIGQUIT end the
/// process as usual, with the terminal restored first. Standard output must be written through
/// `print` or `stdout`, or text and prompt appear out of order.
///
/// A caret moves by Unicode scalars, so an emoji of several takes several steps.
public final class LineEditor {
  /// Whether the editor was compiled in.
  public static var isBuiltIn: Bool { cle_is_built_in() }

  /// Whether there is somebody to edit lines: standard input and output are both terminals.
  public static var isAvailable: Bool {
    isBuiltIn && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// What waiting for a line came to.
  public enum Reading: Equatable, Sendable {
    /// A line, without its line break. An entry recalled from the history keeps its inner ones.
    case line(String)
    /// Ctrl-C: the line was dropped.
    case interrupted
    /// Ctrl-D on an empty line, or a terminal that is gone.
    case end
    /// The terminal could not be read, for the reason in `errno`.
    case failed(Int32)
  }

  /// What can stand at the end of `text`, the line up to the caret. Asked when Tab is pressed, on the
  /// thread that reads.
  public var completion: (_ text: String) -> Completion = { _ in .none }

  /// What may come next behind `text`, the whole line, while the caret is at its end: shown dimly
  /// there. Asked when nothing more is typed, on the thread that reads, as the others below are.
  public var hint: (_ text: String) -> String? = { _ in nil }

  /// Whether the rest of the latest entry of the history that begins as the line does is a hint, before
  /// any other: Right, End and Ctrl-E take it.
  public var suggestsHistory = true

  /// How parts of `text`, the whole line, look.
  public var colours: (_ text: String) -> [Colouring] = { _ in [] }

  /// Whether colours are asked for at all.
  public var isColoured = true

  /// A line below the input, shown dimly and cut to the width; nil for none. Asked after every key,
  /// message and call of `idle`, and after `messages.refresh()`.
  public var status: () -> String? = { nil }

  /// Called when a prompt has begun to stand, and again when the time it returned is over; not again
  /// at this prompt, but by `messages.refresh()`, once it has returned nil. What it posts appears above
  /// the prompt.
  public var idle: (() -> Duration?)?

  /// Whether a line of a paste is passed over, and not even shown. Asked when its turn has come.
  public var passesOver: (_ line: String) -> Bool = { _ in false }

  /// What is expected behind `text`, the line up to the caret, line by line, when `?` is pressed; nil
  /// where a `?` is typed as itself.
  public var explanation: (_ text: String) -> [String]? = { _ in nil }

  /// Takes text for the terminal from any thread.
  public let messages: PostedMessages

  /// Why the history file could not be read or written last, as an `errno`. Entries are then
  /// remembered in this session only.
  public internal(set) var historyFailure: Int32?

  let signals: Pipe
  let interrupts: InterruptWatcher
  var interruptThread: InterruptWatcher.Thread?
  /// Nil before it was opened and after it was closed.
  var editor: OpaquePointer?
  /// Whether the terminal understands the few sequences that are sent past libedit.
  var isAddressable = false

  let historyFile: HistoryFile?
  var history: HistoryList

  var recalling: HistoryCursor?

  var prompt = PromptText("")
  var decoder = UTF8Decoder()
  var pasted = PastedText()
  /// Characters that are read before those from the terminal.
  var injected: [Unicode.Scalar] = []
  /// Why reading stopped in mid-line.
  var stop: Reading?
  var isInputReady = false
  /// How many rows below the line a list takes that goes with the next key.
  var listRows = 0
  var expectsContinue = false
  /// What is on the screen around the line.
  var painted = Overlay()
  /// Whether `painted` is still there: only characters were typed since, or nothing.
  var isPaintIntact = true
  var idleTimer = IdleTimer()

  /// Opens the editor, or returns nil if none is available or one is open already.
  ///
  /// - Parameters:
  ///   - programName: what a line of `.editrc` may name before a colon, to be meant for it.
  ///   - historyFile: where entries are kept between sessions; nil to forget them.
  ///   - historyLimit: the most entries that are kept.
  public init?(programName: String, historyFile: String?, historyLimit: Int = 1000) {
    let file = historyFile.map { HistoryFile(path: $0, limit: max(1, historyLimit)) }
    guard Self.isAvailable, let messages = try? PostedMessages(),
      let signals = try? Pipe(readsBlock: false), let interrupts = try? InterruptWatcher()
    else { return nil }
    self.messages = messages
    self.signals = signals
    self.interrupts = interrupts
    self.historyFile = file
    history = HistoryList(limit: max(1, historyLimit))
    guard open(programName: programName) else { return nil }
    configure()
    loadHistory()
  }

  deinit { close() }

  private func open(programName: String) -> Bool {
    guard cle_signals_install(signals.writeEnd, interrupts.pipe.writeEnd) else { return false }
    _ = cle_use_utf8()
    let context = Unmanaged.passUnretained(self).toOpaque()
    editor = cle_open(programName, Self.handlers, context, Int32(clamping: history.limit))
    interruptThread = interrupts.start()
    if let editor, interruptThread != nil {
      isAddressable = cle_moves_up(editor)
      return true
    }
    close()
    cle_signals_remove()
    return false
  }

  /// Gives the terminal and the signals back, and tidies the history file. Input that nobody has
  /// read stays for the next program.
  public func close() {
    guard let editor else { return }
    self.editor = nil
    cle_close(editor)
    cle_be_quiet(false)
    cle_signals_remove()
    if let interruptThread { interrupts.stop(interruptThread) }
    interruptThread = nil
    compactHistory(slack: 0)
  }

  /// Prints `text` and a line break; above the prompt, if one stands. From any thread that can reach
  /// the editor; others use `messages`.
  public func post(_ text: String) { messages.post(text) }

  /// Runs `body`, a command, while Ctrl-C calls `onInterrupt` instead of ending the process.
  ///
  /// What is typed meanwhile is kept for the next prompt, unless Ctrl-C is pressed. Calls may be nested;
  /// the innermost handler is called.
  ///
  /// `onInterrupt` is called on a thread of the editor's, not in a signal handler, once for each
  /// Ctrl-C: it may do anything that other threads may. It is not running any more when
  /// `whileRunning` returns, so it must not wait for that, nor call the editor.
  ///
  /// - Throws: what `body` throws.
  public func whileRunning<T>(
    onInterrupt: @escaping @Sendable () -> Void,
    _ body: () throws -> T
  ) rethrows -> T {
    let outer = interrupts.exchange(onInterrupt)
    cle_signals_run(true)
    // Ctrl-C pressed since the line was entered was meant for the command, too.
    if signals.take().contains(UInt8(SIGINT)) { interrupts.pipe.send(UInt8(SIGINT)) }
    defer {
      cle_signals_run(outer != nil)
      _ = interrupts.exchange(outer)
      if interrupts.takeWasCalled() { pasted = PastedText() }
    }
    return try body()
  }

  func emit(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { return }
        cle_write(start, buffer.count)
      }
    }
  }
}
