import Rehearsal

/// The manual page of a program, in the format of man(7).
struct ManualPage {
  private(set) var text = ""
  private let program: String

  init(of tool: ToolDescription) {
    program = tool.root.name
    let title = program.uppercased()
    let version = ThisProgram.current.version
    text = ".TH \"\(title.roff)\" 1 \"\(ThisProgram.date)\" \"\(program.roff) \(version.roff)\"\n"
    add("NAME", "\(program.roff) \\- \(tool.root.abstract.withoutStop.roff)")
    add(
      "SYNOPSIS",
      synopsis(of: tool.root, after: "")
        + tool.root.subcommands.map { ".br\n" + synopsis(of: $0, after: program + " ") }.joined()
    )
    add("DESCRIPTION", paragraphs(tool.root.discussion))
    add("OPTIONS", tool.root.arguments.map(item).joined())
    add("COMMANDS", tool.root.subcommands.map(section).joined())
    add("EXIT STATUS", Self.exits.map { Self.item($0.inBold, $1) }.joined())
    add("ENVIRONMENT", Self.environment.map { Self.item($0.name.inBold, $0.meaning) }.joined())
    add("FILES", Self.files(of: program).map { Self.item($0.inItalics, $1) }.joined())
    add("EXAMPLES", examples(of: tool.root.discussion))
  }

  private mutating func add(_ heading: String, _ content: String) {
    guard !content.isEmpty else { return }
    text += ".SH \"\(heading)\"\n" + content + (content.hasSuffix("\n") ? "" : "\n")
  }

  // MARK: Commands

  private func section(_ command: ToolDescription.Command) -> String {
    ".SS \"\(program.roff) \(command.name.roff)\"\n" + command.abstract.roff + "\n.PP\n"
      + synopsis(of: command, after: program + " ") + paragraphs(command.discussion).after(".PP\n")
      + command.arguments.filter { !Self.isEverywhere($0) }.map(item).joined()
      + examples(of: command.discussion).after(".PP\nFor example:\n")
  }

  /// Returns whether every subcommand has an option, which the page then lists once.
  private static func isEverywhere(_ argument: ToolDescription.Argument) -> Bool {
    argument.names.contains("--help") || argument.names.contains("--version")
  }

  private func synopsis(of command: ToolDescription.Command, after prefix: String) -> String {
    let words = command.arguments.filter { !Self.isEverywhere($0) }.map { argument in
      let word = usage(of: argument) + (argument.isRepeating ? " .\\|.\\|.\\&" : "")
      return argument.isOptional ? "[\(word)]" : word
    }
    return ".B \"\((prefix + command.name).roff)\"\n" + words.map { $0 + "\n" }.joined()
  }

  private func usage(of argument: ToolDescription.Argument) -> String {
    let value = argument.valueName.inItalics
    guard let flag = argument.names.last?.inBold else { return value }
    return argument.kind == .option ? flag + " " + value : flag
  }

  private func item(_ argument: ToolDescription.Argument) -> String {
    let value = argument.kind == .flag ? "" : argument.valueName.inItalics
    let names = argument.names.map(\.inBold).joined(separator: ", ")
    var words = argument.abstract
    if !argument.values.isEmpty {
      words += " Values: " + argument.values.joined(separator: ", ") + "."
    }
    if let value = argument.defaultValue { words += " Default: \(value)." }
    return Self.item([names, value].filter { !$0.isEmpty }.joined(separator: " "), words)
  }

  private static func item(_ tag: String, _ words: String) -> String {
    ".TP\n\(tag)\n\(words.roff)\n"
  }

  // MARK: Texts

  private func paragraphs(_ discussion: String) -> String {
    let parts = discussion.split(separator: "\n\n").filter { !$0.hasPrefix(UsageText.heading) }
    return parts.map { $0.split(separator: "\n").joined(separator: " ").roff + "\n" }
      .joined(separator: ".PP\n")
  }

  private func examples(of discussion: String) -> String {
    let part = discussion.split(separator: "\n\n").first { $0.hasPrefix(UsageText.heading) }
    let lines = part?.split(separator: "\n").dropFirst() ?? []
    return lines.map { line in
      let words = line.drop { $0 == " " }
      let isCommand = line.prefix { $0 == " " }.count == 2
      return isCommand ? ".TP\n\(String(words).inBold)\n" : String(words).roff + "\n"
    }.joined()
  }

  private static let exits: KeyValuePairs<String, String> = [
    "0": "No difference and no failure.",
    "1": "A difference, or a command that failed.",
    "2": "Wrong arguments.",
    "3": "The program could not do its work, for example because the disk is full.",
  ]

  private static var environment: [(name: String, meaning: String)] {
    SessionOption.all.map { ($0.variable, $0.summary) } + [
      ("NO_COLOR", "If it is set and not empty, output has no colours."),
      ("TERM", "If it is dumb, output has no colours and the prompt has no line editing."),
      ("CI", "If it is set, 'test --update' needs '--force' to change a file."),
      ("EDITRC", "File with the key bindings of the prompt, instead of ~/.editrc; see editrc(5)."),
      ("PAGER", "Program that shows output longer than two screens; less by default."),
      ("XDG_CONFIG_HOME", "Folder of the config file, instead of ~/.config."),
      ("XDG_STATE_HOME", "Folder of the histories, instead of ~/.local/state."),
    ]
  }

  private static func files(of program: String) -> KeyValuePairs<String, String> {
    [
      "~/.config/\(program)/config": "Options. 'config' prints an example.",
      "~/.local/state/\(program)/history": "Commands typed at the prompt.",
      "~/.editrc": "Key bindings of the prompt.",
      "transcripts, Transcripts": "Folders that 'test' replays if no path is given.",
    ]
  }
}

extension String {
  /// The text escaped for man(7), in lines of at most 78 characters.
  fileprivate var roff: String { escaped.filled }

  /// The text in one line, escaped for man(7).
  private var escaped: String {
    var text = ""
    for character in self {
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      case "'": text += "\\(aq"
      case "\"": text += "\\(dq"
      case "`": text += "\\(ga"
      case "~": text += "\\(ti"
      case "^": text += "\\(ha"
      case "\n": text += " "
      default: text.append(character)
      }
    }
    return text
  }

  /// The text in lines of at most 78 characters. No line begins like a request.
  private var filled: String {
    var lines = [""]
    for word in split(separator: " ") {
      let last = lines[lines.count - 1]
      if !last.isEmpty, last.count + 1 + word.count > 78 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += (last.isEmpty ? "" : " ") + word
      }
    }
    return lines.map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
  }

  fileprivate var inBold: String { "\\fB" + escaped + "\\fR" }

  fileprivate var inItalics: String { "\\fI" + escaped + "\\fR" }

  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }

  /// Returns the text after a prefix; empty if the text is empty.
  fileprivate func after(_ prefix: String) -> String { isEmpty ? "" : prefix + self }
}
