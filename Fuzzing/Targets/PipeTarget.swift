import Rehearsal
import Script

/// Pipes: a pipe that is parsed, printed and parsed again must be the same.
struct PipeTarget: FuzzTarget {
  let name = "pipe"
  let words = [
    "|", "(", ")", ",", "map ", "filter ", "flatMap ", "max 2 ", "catch (just 1)", "debounce 1s",
    "throttle 1s first", "timeout 2s fail \"x\"", "just 1", "values 1, 2", "never", "deferred (",
    "compactMap ", "tryMap ", "fail \"x\" if > 1", "replaceNil 0", "replaceEmpty 0",
    "mapError timeout", "scan sum from 1", "reduce list from []", "count", "prepend 1, 2",
    "append ", "prefix while < 3", "prefix until ", "drop while ", "drop until a",
    "first where ", "collect 3", "collect 1s max 2", "buffer 2 keepFull dropNewest",
    "receive on main", "subscribe on background", "handleEvents output, cancel", "timer 1s",
    "load {value}", "from GET /x", "after 1s", "as Int", "future 1", "retry 2", "\"", "{", "}",
  ]

  func pieces(of golden: [UInt8]) -> [[UInt8]] {
    commands(of: golden, behind: "pipe ").map { command in
      Array(command.drop { $0 != UInt8(ascii: "=") }.dropFirst())
    }
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let pipe = Self.pipe(text) else { return }
    let written = pipe.text
    guard let again = Self.pipe(written) else {
      throw Finding("written as '\(written)', which cannot be read")
    }
    try require(again.text == written, "'\(written)' is written as '\(again.text)'")
  }

  private static func pipe(_ text: String) -> PipeSpec? {
    guard text.utf8.count <= Script.longestCommand else { return nil }
    var parser = Parser(text, table: ShellCommands.table)
    guard let pipe = try? parser.pipe(), parser.isAtEnd else { return nil }
    return pipe
  }
}
