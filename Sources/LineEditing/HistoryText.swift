/// The text of a history file: a line an entry, oldest first.
///
/// A line break inside an entry is written `\n`, a carriage return `\r`, a backslash `\\`.
enum HistoryText {
  /// The longest line that counts as an entry, in bytes: what is longer was never typed.
  static let longestLine = 64 * 1024

  /// An entry as a line, with its line break.
  static func line(for entry: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in entry.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): bytes += Array("\\\\".utf8)
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case UInt8(ascii: "\r"): bytes += Array("\\r".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The entries of a file. Lines that cannot be entries are left out, so a damaged file gives what
  /// is left of it.
  static func entries(in bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap(entry)
  }

  private static func entry(from line: ArraySlice<UInt8>) -> String? {
    guard line.count <= longestLine, !line.contains(0) else { return nil }
    return String(validating: unescaped(line), as: UTF8.self)
  }

  private static func unescaped(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = line
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        bytes.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "\\"): bytes.append(byte)
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      default:
        bytes.append(byte)
        continue
      }
      rest.removeFirst()
    }
    return bytes
  }
}
