import Foundation
import Testing

/// A picture that is kept in `Pictures/`, compared byte for byte.
///
/// Where the change is meant, `UPDATE_PICTURES=1 swift test --filter TimelinesTests` writes it anew; then
/// look at it.
func expectPicture(_ name: String, _ picture: String) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Pictures/\(name)")
  if ProcessInfo.processInfo.environment["UPDATE_PICTURES"] != nil {
    try Data(picture.utf8).write(to: file)
  }
  let golden = try String(contentsOf: file, encoding: .utf8)
  let lines = (golden.split(separator: "\n"), picture.split(separator: "\n"))
  let difference = zip(lines.0, lines.1).first { $0 != $1 }
  #expect(
    golden == picture,
    "\(name) differs, first in \(difference.map { "\($0.0) → \($0.1)" } ?? "its length")"
  )
}
