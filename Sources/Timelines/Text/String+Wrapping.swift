import RehearsalBase

/// Wraps a text between words to a number of columns.
extension String {
  /// Wraps text between words; breaks a word that is too wide.
  package func wrapped(toColumns columns: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.widthInColumns + 1 + word.description.widthInColumns <= columns
      {
        lines[lines.count - 1] += " " + word
        continue
      }
      lines.append("")
      for character in word {
        let width = lines[lines.count - 1].widthInColumns + character.description.widthInColumns
        if width > columns { lines.append("") }
        lines[lines.count - 1].append(character)
      }
    }
    return lines
  }
}
