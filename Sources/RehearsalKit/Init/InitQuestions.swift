import LibC
import Rehearsal

/// The questions of `init`, three at most. It asks nothing without a terminal.
struct InitQuestions {
  private let isPossible: Bool

  /// - Parameter isAllowed: whether the user wants to be asked.
  init(isAllowed: Bool) {
    isPossible = isAllowed && StandardStreams.isTerminal(0) && StandardStreams.isTerminal(1)
  }

  /// Returns the index of a model; the first without an answer.
  func askForModel(_ titles: [String]) -> Int {
    guard isPossible else { return 0 }
    StandardStreams.write("Which model gets a scene?\n")
    for (number, title) in zip(1..., titles) { StandardStreams.show("  \(number)  \(title)\n") }
    while let answer = ask("number [1]: ") {
      if answer.isEmpty { return 0 }
      if let number = Int(answer), titles.indices.contains(number - 1) { return number - 1 }
      if let place = titles.firstIndex(where: { $0.hasPrefix(answer + " ") }) { return place }
      StandardStreams.write("type a number from 1 to \(titles.count)\n")
    }
    return 0
  }

  /// Returns the folder or the address of Rehearse; nil without an answer.
  func askForRehearse() -> String? {
    guard isPossible else { return nil }
    let answer = ask("Where is Rehearse? The folder of a clone, or an address: ")
    return answer?.isEmpty == false ? answer : nil
  }

  /// Asks whether to write. Throws if the user does not agree, or cannot be asked.
  func requireConsent() throws(SubcommandFailure) {
    guard isPossible else {
      throw SubcommandFailure(
        "nothing was changed: without a terminal, 'init' cannot ask",
        hint: "add --yes",
        exit: .differences
      )
    }
    let answer = ask("Write this? [y/N] ")?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw SubcommandFailure("nothing was changed", hint: nil, exit: .differences)
    }
  }

  /// Returns the answer without blanks around it; nil at the end of the input.
  private func ask(_ question: String) -> String? {
    StandardStreams.write(question)
    guard let line = readLine() else {
      StandardStreams.write("\n")
      return nil
    }
    let blanks: (Character) -> Bool = \.isWhitespace
    return String(line.drop(while: blanks).reversed().drop(while: blanks).reversed())
  }
}
