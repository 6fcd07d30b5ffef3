internal import CLineEdit
import LibC

/// Waits for a line at the prompt: characters, messages of other threads, Ctrl-C, Ctrl-Z and changes of the window's
/// size.
extension LineEditor {
  static let handlers = cle_handlers(
    read: { LineEditor.from($0).read(into: $1) },
    complete: { LineEditor.from($0).complete() },
    paste: { LineEditor.from($0).paste() },
    recall: { LineEditor.from($0).recall(older: $1) },
    accept: { LineEditor.from($0).accept(toEnd: $1) },
    explain: { LineEditor.from($0).explain() }
  )

  private static func from(_ context: UnsafeMutableRawPointer) -> LineEditor {
    Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
  }

  /// Shows `prompt`, which may contain ANSI colours, and waits for a line.
  ///
  /// The lines of a paste are returned one by one, each shown after its prompt. After the first line, text that is typed
  /// between two prompts is not echoed, not even `^C`, so that the screen shows only printed text. It is kept for the
  /// next prompt. In all other respects the terminal is then in the mode that other programs expect.
  public func readLine(prompt text: String) -> Reading {
    guard let editor else { return .end }
    prompt = PromptText(text)
    if let line = takePastedLine() {
      emit(text + line + "\n")
      return .line(line)
    }
    let rest = pasted.takeRest()
    injected = passesOver(rest) ? [] : Array(rest.unicodeScalars)
    decoder.reset()
    stop = nil
    recalling = nil
    screenIsFresh()
    _ = signals.take()
    messages.promptStands()
    idleTimer.start(isWanted: idle != nil)
    let usesPaste = isAddressable && !cle_is_vi(editor)
    cle_be_quiet(false)
    cle_guard_begin(STDIN_FILENO, usesPaste)
    if usesPaste { emit("\u{1B}[?2004h") }
    // Otherwise libedit shows the prompt first, and keys that are pressed at once are echoed twice.
    cle_prepare(editor, true)
    var count: Int32 = 0
    let line = cle_read_line(editor, prompt.marked, &count)
    if usesPaste { emit("\u{1B}[?2004l") }
    cle_guard_end()
    cle_be_quiet(true)
    let reading = conclude(line, count: Int(count))
    messages.promptIsGone()
    return reading
  }

  /// Moves the cursor to the start of a new row, however the line ended.
  private func conclude(_ line: UnsafePointer<wchar_t>?, count: Int) -> Reading {
    if stop == .interrupted {
      if count < 0 { leaveInput(marking: "^C") } else { leaveSearch(marking: "^C") }
      return .interrupted
    }
    if let line, count > 0, stop == nil {
      var text = UnsafeBufferPointer(start: line, count: count)[...]
      if text.last == wchar_t(UInt8(ascii: "\n")) { text.removeLast() }
      leaveOverlay(of: text.map(Self.scalar))
      return .line(Self.string(text))
    }
    eraseInput()
    return stop ?? .end
  }

  // MARK: The read loop

  /// Waits for a character, and meanwhile for messages and signals. Returns 1 for a character, 0 at the end, -1 to stop.
  private func read(into result: UnsafeMutablePointer<wchar_t>) -> Int32 {
    while true {
      if let scalar = takeScalar() {
        hideList()
        expectsContinue = false
        note(key: scalar)
        result.pointee = wchar_t(scalar.value)
        return 1
      }
      wait()
      for number in signals.take() { handle(signal: Int32(number)) }
      if stop != nil { return -1 }
      callIdle()
      printMessages()
      readByte()
      if let stop { return stop == .end ? 0 : -1 }
    }
  }

  private func takeScalar() -> Unicode.Scalar? {
    injected.isEmpty ? decoder.next() : injected.removeFirst()
  }

  /// Waits for an event. Updates the overlay only if there is none yet.
  private func wait() {
    if poll(for: 0) { return }
    paintOverlay()
    _ = poll(for: idleTimer.millisecondsLeft)
  }

  private func poll(for milliseconds: Int32) -> Bool {
    var watched = [STDIN_FILENO, messages.wake.readEnd, signals.readEnd].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = Self.systemPoll(&watched, milliseconds)
    isInputReady = watched[0].revents != 0
    return count > 0
  }

  private static func systemPoll(_ watched: inout [pollfd], _ milliseconds: Int32) -> Int32 {
    LibC.poll(&watched, nfds_t(watched.count), milliseconds)
  }

  private func callIdle() {
    guard let idle else { return }
    if messages.takeRefresh() || idleTimer.isDue { idleTimer.set(idle()) }
  }

  /// Reads only one byte, so that text typed ahead stays in the terminal for the next reader.
  private func readByte() {
    guard isInputReady else { return }
    isInputReady = false
    var byte: UInt8 = 0
    let count = Self.systemRead(&byte)
    if count == 1 {
      decoder.feed(byte)
    } else if count == 0 {
      stop = .end
    } else if errno != EINTR, errno != EAGAIN {
      stop = errno == EIO ? .end : .failed(errno)
    }
  }

  private static func systemRead(_ byte: inout UInt8) -> Int {
    withUnsafeMutableBytes(of: &byte) { buffer in
      LibC.read(STDIN_FILENO, buffer.baseAddress, 1)
    }
  }

  private func printMessages() {
    let waiting = messages.take()
    guard !waiting.isEmpty, let editor else { return }
    emit(erasure() + waiting.map(PostedMessages.lines).joined())
    cle_refresh(editor)
  }

  // MARK: Signals

  private func handle(signal number: Int32) {
    switch number {
    case SIGINT: interrupt()
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    default: resize()
    }
  }

  private func interrupt() {
    hideList()
    injected = []
    pasted = PastedText()
    decoder.reset()
    stop = .interrupted
  }

  private func resize() {
    guard let editor else { return }
    cle_resize(editor)
    eraseInput()
    cle_refresh(editor)
  }

  /// Stops the process with the terminal restored. The unfinished line reappears when the process continues.
  private func suspend() {
    guard let editor else { return }
    hideList()
    leaveInput(marking: "")
    let usesPaste = isAddressable && !cle_is_vi(editor)
    if usesPaste { emit("\u{1B}[?2004l") }
    cle_prepare(editor, false)
    cle_guard_end()
    cle_signals_stop()
    cle_guard_begin(STDIN_FILENO, usesPaste)
    if usesPaste { emit("\u{1B}[?2004h") }
    expectsContinue = true
    prepareAgain()
  }

  /// Handles a continuation after a stop that could not be caught.
  private func resume() {
    guard !expectsContinue else { return }
    prepareAgain()
  }

  /// Prepares the terminal again. libedit assumes that it is still prepared, which is rarely true after a stop.
  private func prepareAgain() {
    guard let editor else { return }
    cle_prepare(editor, false)
    cle_prepare(editor, true)
    emit("\r")
    screenIsFresh()
    cle_resize(editor)
    cle_refresh(editor)
  }
}
