import Harness
import Script

/// A line of expected output that the author probably meant as a command: its prompt is indented.
///
/// Only a comparison of output shows that it is not performed.
package enum IndentedPrompt {
  package static let sentence = "this prompt is indented, so the line is output and no command"
  package static let hint = "begin a command with '> ' in the first column"

  /// Returns whether a line of output begins with a prompt, although its command prints none.
  package static func isIn(_ line: some StringProtocol, of command: String) -> Bool {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.hasPrefix("> ") else { return false }
    // A command of a scene may print anything, but is unlikely to print a command.
    guard CommandText.definition(of: command) != nil else {
      return CommandText.command(String(text.dropFirst(2))) != nil
    }
    return CommandText.effects(of: command).isDisjoint(with: [.printsPrompts, .performsFile])
  }
}

extension Transcript {
  /// The first line of output with an indented prompt; nil if there is none.
  var indentedPrompt: (line: Int, sentence: String, hint: String)? {
    for (block, line) in zip(blocks, commandLines) {
      let command = command(block)
      let found = expected(block).first {
        IndentedPrompt.isIn(String(decoding: $0.text, as: UTF8.self), of: command)
      }
      if let found {
        return (line + found.index - block.command, IndentedPrompt.sentence, IndentedPrompt.hint)
      }
    }
    return nil
  }
}
