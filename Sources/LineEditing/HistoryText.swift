/// The text of a history file: one entry per line, oldest first.
///
/// A line break inside an entry is written `\n`, a carriage return `\r`, a backslash `\\`.
enum HistoryText {
  /// Maximum length of an entry's line in bytes. Longer lines are damaged, because nobody types them.
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

  /// Returns the entries of a file. Skips invalid lines, so that the rest of a damaged file is kept.
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
