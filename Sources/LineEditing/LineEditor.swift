internal import CLineEdit
import LibC

/// The prompt of a terminal: line editing, history and completion, by libedit.
///
/// Only one editor may be open in a process, because signals and the terminal belong to the process. Call all members
/// from one thread, except `post` and `messages`.
///
/// From `init` to `close` the editor catches SIGINT: at the prompt it drops the line, in `whileRunning` it calls a
/// handler, otherwise nothing happens. SIGTERM, SIGHUP and SIGQUIT end the process as usual, after the terminal is
/// restored. Write to standard output only through `print` or `stdout`; otherwise text and prompt appear out of order.
///
/// The caret moves by Unicode scalars, so an emoji of several scalars takes several steps.
public final class LineEditor {
  /// Whether the editor was compiled in.
  public static var isBuiltIn: Bool { cle_is_built_in() }

  /// Whether lines can be edited: standard input and output are both terminals.
  public static var isAvailable: Bool {
    isBuiltIn && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// The result of waiting for a line.
  public enum Reading: Equatable, Sendable {
    /// A line without its line break. A recalled history entry keeps its inner line breaks.
    case line(String)
    /// Ctrl-C: the line was dropped.
    case interrupted
    /// Ctrl-D on an empty line, or a closed terminal.
    case end
    /// The terminal could not be read; the value is an `errno`.
    case failed(Int32)
  }

  /// Returns the completions at the end of `text`, the line up to the caret. Called for Tab, on the reading thread.
  public var completion: (_ text: String) -> Completion = { _ in .none }

  /// Returns a hint about what may follow `text`, the whole line, while the caret is at its end. It is shown dimmed.
  /// Called when typing pauses, on the reading thread, like the functions below.
  public var hint: (_ text: String) -> String? = { _ in nil }

  /// Whether the rest of the latest history entry that begins with the line is shown as a hint, before any other. Right,
  /// End and Ctrl-E accept it.
  public var suggestsHistory = true

  /// Returns the styles of parts of `text`, the whole line.
  public var colours: (_ text: String) -> [Colouring] = { _ in [] }

  /// Whether `colours` is called.
  public var isColoured = true

  /// Returns a line below the input, shown dimmed and cut to the width; nil for none. Called after every key, message and
  /// call of `idle`, and after `messages.refresh()`.
  public var status: () -> String? = { nil }

  /// Called when a prompt appears, and again after the returned time. After it has returned nil, it is not called again
  /// at this prompt, except by `messages.refresh()`. Messages that it posts appear above the prompt.
  public var idle: (() -> Duration?)?

  /// Whether a line of a paste is skipped without being shown. Called when it is the next line.
  public var passesOver: (_ line: String) -> Bool = { _ in false }

  /// Returns lines that explain what is expected after `text`, the line up to the caret, when `?` is pressed; nil to
  /// insert the `?`.
  public var explanation: (_ text: String) -> [String]? = { _ in nil }

  /// Accepts text for the terminal from any thread.
  public let messages: PostedMessages

  /// The `errno` of the last failure to read or write the history file. New entries are then kept for this session only.
  public internal(set) var historyFailure: Int32?

  let signals: Pipe
  let interrupts: InterruptWatcher
  var interruptThread: InterruptWatcher.Thread?
  /// Nil before opening and after closing.
  var editor: OpaquePointer?
  /// Whether the terminal supports the escape sequences that are sent directly, not through libedit.
  var isAddressable = false

  let historyFile: HistoryFile?
  var history: HistoryList

  var recalling: HistoryCursor?

  var prompt = PromptText("")
  var decoder = UTF8Decoder()
  var pasted = PastedText()
  /// Characters that are read before those of the terminal.
  var injected: [Unicode.Scalar] = []
  /// Why reading stopped in the middle of a line.
  var stop: Reading?
  var isInputReady = false
  /// The number of rows below the line of a list that disappears with the next key.
  var listRows = 0
  var expectsContinue = false
  /// The overlay that is on the screen.
  var painted = Overlay()
  /// Whether `painted` is still on the screen: since then at most characters were typed.
  var isPaintIntact = true
  var idleTimer = IdleTimer()

  /// Opens the editor; nil if none is available or one is already open.
  ///
  /// - Parameters:
  ///   - programName: the name before a colon in a line of `.editrc` that is only for this program.
  ///   - historyFile: the file that keeps entries between sessions; nil for none.
  ///   - historyLimit: maximum number of kept entries.
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

  /// Restores the terminal and the signals, and compacts the history file. Unread input stays for the next program.
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

  /// Prints `text` and a line break, above the prompt if there is one. Can be called from any thread.
  public func post(_ text: String) { messages.post(text) }

  /// Runs `body`, a command. During that time Ctrl-C calls `onInterrupt` instead of ending the process.
  ///
  /// Text that is typed meanwhile is kept for the next prompt, unless Ctrl-C is pressed. Calls may be nested; the
  /// innermost handler is called.
  ///
  /// `onInterrupt` is called once for each Ctrl-C, on a thread of the editor and not in a signal handler, so it may do
  /// everything that other threads may. `whileRunning` waits for a running handler before it returns, so the handler must
  /// not wait for `whileRunning`, nor call the editor.
  ///
  /// - Throws: errors of `body`.
  public func whileRunning<T>(
    onInterrupt: @escaping @Sendable () -> Void,
    _ body: () throws -> T
  ) rethrows -> T {
    let outer = interrupts.exchange(onInterrupt)
    cle_signals_run(true)
    // A Ctrl-C since the line was entered was meant for the command, too.
    if signals.take().contains(UInt8(SIGINT)) { interrupts.pipe.send(UInt8(SIGINT)) }
    defer {
      cle_signals_run(outer != nil)
      // A Ctrl-C that the thread notices late belongs to this command, not to the next one.
      if interruptThread != nil { interrupts.finish() }
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
