import LibC
import LineEditing

/// Simple colours, hints, status and explanations with a predictable result.
final class PromptDecoration {
  private var status: String?
  private var isCounting = false
  private var askedCount = 0
  private var callsLeft = 0

  /// Configures the editor, if the environment has `DRESSED`.
  init?(of editor: LineEditor) {
    editor.suggestsHistory = false
    guard let wanted = getenv("DRESSED").map({ String(cString: $0) }) else { return nil }
    editor.suggestsHistory = wanted.contains("history")
    editor.isColoured = !wanted.contains("plain")
    editor.colours = Self.colours
    editor.hint = { $0 == "load " ? "NAME ANSWER" : $0 == "loa" ? "d" : nil }
    editor.explanation = { $0.contains("\"") ? nil : ["NAME  what is loaded", "after \($0)"] }
    editor.status = { [unowned self] in status.map { $0 + (isCounting ? " \(askedCount)" : "") } }
    editor.idle = { [unowned self, unowned editor] in called(by: editor) }
  }

  /// Colours words green and numbers magenta.
  static func colours(_ text: String) -> [LineEditor.Colouring] {
    let scalars = Array(text.unicodeScalars)
    return scalars.split(separator: " ").map { word in
      let isNumber = word.allSatisfy { $0.properties.numericType != nil }
      return .init(word.startIndex..<word.endIndex, .init(isNumber ? "35" : "32"))
    }
  }

  /// Performs a line if it is a command about the decoration; otherwise returns false.
  func performs(_ line: String, _ editor: LineEditor) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "status":
      status = words.count > 1 ? words[1] : nil
    case "count":
      isCounting = true
    case "idle":
      callsLeft = words.count > 1 ? Int(words[1]) ?? 0 : 0
    default: return false
    }
    return true
  }

  private func called(by editor: LineEditor) -> Duration? {
    if isCounting { askedCount += 1 }
    guard callsLeft > 0 else { return nil }
    editor.post("idle \(callsLeft)")
    callsLeft -= 1
    return callsLeft > 0 ? .milliseconds(1) : nil
  }
}
