import Script
import Staging

/// Sets an option of a session and applies it to the stage; lists all options, and corrects commands that set them
/// wrongly.
extension Session {
  /// Sets an option, unless a stronger source has set it.
  func take(_ value: OptionValue, from origin: SessionSettings.Origin) {
    guard options.settings.take(value, from: origin) else { return }
    if value.option.name == SessionOption.seed.name { seed(UInt64(options.settings.values.seed)) }
    applyPreemption()
  }

  /// Tells the stage the option 'preempt'.
  func applyPreemption() { stage.preemptsAtLocks = options.settings.values.preempt == .locks }

  /// A note if the option 'preempt' leaves something out in this program.
  var noteOnPreemption: [String] {
    stage.preemptsAtLocks ? [Stage.gapOfPreemption].compactMap(\.self) : []
  }

  /// Prints each option with its value and its source. In transcripts it leaves out what depends on
  /// the terminal or the environment.
  func listOptions() {
    let values = SessionOption.all.map { $0.text(options.settings.values) }
    let nameWidth = SessionOption.all.map(\.name.count).max() ?? 0
    let valueWidth = values.map(\.count).max() ?? 0
    for (option, value) in zip(SessionOption.all, values) {
      output.addObject(JSONLine(option, in: options.settings))
      let origin = options.settings.origin(of: option)
      let name = option.name.padded(to: nameWidth) + "  "
      let line = name + value.padded(to: valueWidth) + "  " + origin.words
      if origin == .none || origin == .command {
        output.print(line)
      } else {
        output.print(line, writtenAs: name + "[..]")
      }
    }
  }

  /// Adds a hint to a diagnostic if the text sets an option as a command would.
  func namingOption(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    if case .expected("a state", _) = diagnostic.problem {
      return unknownOption(before: diagnostic.span.lowerBound, in: text) ?? diagnostic
    }
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let option = SessionOption.named(verb)
    else { return diagnostic }
    let rest = Array(text.utf8)[diagnostic.span.upperBound...]
    let value = try? OptionValue(option, String(decoding: rest, as: UTF8.self))
    return Diagnostic(
      diagnostic.problem,
      at: diagnostic.span,
      hint: "'\(value?.command ?? "set \(option.name) \(option.placeholder)")' sets the option"
    )
  }

  /// Returns the error for a name that is neither an option nor a member.
  private func unknownOption(before place: Int, in text: String) -> Diagnostic? {
    let words = text.utf8.prefix(place).split { $0 <= 0x20 }
    let verb = words.dropLast().last.map { String(decoding: Array($0), as: UTF8.self) }
    guard let name = words.last,
      verb.flatMap(commands.table.definition) === ShellCommand.set.definition
    else { return nil }
    let span = text.utf8.distance(from: text.startIndex, to: name.startIndex)
    let word = Located(String(decoding: Array(name), as: UTF8.self), at: span..<span + name.count)
    do throws(Diagnostic) {
      _ = try member(word, or: SessionOption.all.map(\.name))
      return nil
    } catch {
      guard error.remedy?.isSuggestion != true else { return error }
      return Diagnostic(
        error.problem,
        at: word.span,
        hint: "'set' lists the options, 'list' the members"
      )
    }
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}
