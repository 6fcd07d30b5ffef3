import Harness
import RehearsalBase
import Script

/// The prompts of a pasted session: the plain prompt, or one with a program's name. Other programs
/// use such prompts too.
struct PastedPrompts {
  private var names: Set<Substring> = ["", Substring(ProgramName.current)]

  /// Finds the prompts that are followed by a valid command.
  init(_ lines: [PastedLines.Line], table: CommandTable) {
    for line in lines {
      guard let (name, text) = Self.parts(of: line.text), !names.contains(name) else { continue }
      switch try? Script.read(text, table: table) {
      case .command, .unfinished: names.insert(name)
      case .nothing, nil: break
      }
    }
  }

  /// Returns the text after a prompt, nil if there is no prompt.
  func typed(in line: String) -> String? {
    guard let (name, text) = Self.parts(of: line), names.contains(name) else { return nil }
    return text
  }

  /// Returns whether a line begins with any program's prompt.
  static func isPrompt(_ line: Substring) -> Bool { parts(of: String(line)) != nil }

  private static func parts(of line: String) -> (name: Substring, text: String)? {
    let name = line.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    guard name.isEmpty || name.first?.isLetter == true else { return nil }
    let rest = line.dropFirst(name.count)
    if rest == ">" { return (name, "") }
    return rest.hasPrefix("> ") ? (name, String(rest.dropFirst(2))) : nil
  }
}
