import Pipelines

/// Marble diagrams.
struct MarbleTarget: FuzzTarget {
  let name = "marble"
  let words = ["-", "a", "(ab)", "|", "#", "X", "(", ")", " ", "---", "é", "👩‍👩‍👧", "\n"]

  func check(_ bytes: [UInt8]) throws(Finding) {
    let text = String(decoding: bytes, as: UTF8.self)
    let marble: Marble
    do throws(MarbleProblem) {
      marble = try Marble(text)
    } catch {
      return try require(
        error.offset >= 0 && error.offset <= text.count,
        "the mistake is at \(error.offset), the text has \(text.count) signs"
      )
    }
    let written = marble.description
    guard let again = try? Marble(written) else {
      throw Finding("drawn as '\(written)', which cannot be read")
    }
    try require(again == marble, "'\(text)' is drawn as '\(written)', which is another diagram")
  }
}
