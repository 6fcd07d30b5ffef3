import RehearsalBase
import Script

/// Grammars in TextMate's format, as JSON.
package enum TextMateGrammar {
  /// The grammar of scripts, `source.rehearse`: one command a line.
  package static func script(_ words: Vocabulary) -> String {
    grammar(
      "Rehearse Script",
      scope: "source.rehearse",
      fileTypes: ["rehearse"],
      patterns: [include("#comment"), include("#command")],
      repository: [
        ("command", command(words, behind: #"^\s*"#)), ("comment", comment),
        ("arguments", arguments(words)), ("text", text),
      ]
    )
  }

  /// The grammar of transcripts, `text.transcript.rehearse`, which includes that of scripts.
  package static func transcript(_ words: Vocabulary) -> String {
    grammar(
      "Rehearse Transcript",
      scope: "text.transcript.rehearse",
      fileTypes: ["transcript"],
      patterns: [
        match("^#.*$", "comment.line.number-sign.rehearse"), include("#fixture"),
        include("#prompt"), include("#continuation"), include("#output"),
      ],
      repository: [
        ("fixture", fixture), ("prompt", prompt(words)), ("continuation", continuation),
        ("output", output(words)),
      ]
    )
  }

  private static func grammar(
    _ name: String,
    scope: String,
    fileTypes: [String],
    patterns: [JSONValue],
    repository: [(String, JSONValue)]
  ) -> String {
    let schema = "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json"
    return JSONValue.fields([
      ("$schema", .string(schema)), ("name", .string(name)), ("scopeName", .string(scope)),
      ("fileTypes", .array(fileTypes.map { .string($0) })), ("patterns", .array(patterns)),
      ("repository", .fields(repository)),
    ]).inLines() + "\n"
  }

  // MARK: Commands

  /// A line of a script: a verb, known or unknown, and its arguments.
  private static func command(_ words: Vocabulary, behind start: String) -> JSONValue {
    .fields([
      (
        "begin",
        .string(
          "(\(start))(?:(\(any(words.schedulingVerbs)))\\s+([\\d.]+\\w+(?:\\s+(?:to|and)\\s+[\\d.]+\\w+)?)\\s+)?(?:(\(any(words.verbs)))(?![\\w.-])|([\\p{L}_][\\w.-]*))"
        )
      ),
      ("end", .string("$")),
      (
        "beginCaptures",
        captures([
          (1, "punctuation.definition.prompt.rehearse"), (2, "keyword.control.command.rehearse"),
          (3, "constant.numeric.duration.rehearse"), (4, "keyword.control.command.rehearse"),
          (5, "entity.name.function.command.rehearse"),
        ])
      ),
      ("patterns", .array([include(scriptScope + "#arguments")])),
    ])
  }

  private static let scriptScope = "source.rehearse"

  private static let comment = match(#"#(?!\d).*$"#, "comment.line.number-sign.rehearse")

  private static let text = JSONValue.fields([
    ("name", .string("string.quoted.double.rehearse")), ("begin", .string("\"")),
    ("end", .string("\"|$")),
    ("patterns", .array([match(#"\\."#, "constant.character.escape.rehearse")])),
  ])

  private static func arguments(_ words: Vocabulary) -> JSONValue {
    .fields([
      (
        "patterns",
        .array([
          include("#comment"), include("#text"), later(words), target,
          match(
            word(words.units.map { #"\d+(?:\.\d+)?"# + $0 }),
            "constant.numeric.duration.rehearse"
          ),
          match(#"#\d+"#, "constant.numeric.attempt.rehearse"),
          match(
            #"(?<![\w.-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?%?(?![\w.-])"#,
            "constant.numeric.rehearse"
          ),
          match(word(["true", "false", "null"]), "constant.language.rehearse"),
          match(word(words.methods), "constant.other.method.rehearse"),
          match(word(words.types), "support.type.rehearse"),
          match(#"\||→"#, "keyword.operator.pipe.rehearse"),
          match(word(words.operators), "support.function.operator.rehearse"),
          match(word(words.states), "constant.other.state.rehearse"),
          match(word(words.keywords), "keyword.other.clause.rehearse"),
          match(#"[\p{L}_][\w.-]*"#, "variable.other.rehearse"),
        ])
      )
    ])
  }

  /// A command inside another one, after `do`.
  private static func later(_ words: Vocabulary) -> JSONValue {
    .fields([
      ("match", .string("(?<![\\w.-])(do)\\s+(\(any(words.verbs)))(?![\\w.-])")),
      (
        "captures",
        captures([
          (1, "keyword.other.clause.rehearse"), (2, "keyword.control.command.rehearse"),
        ])
      ),
    ])
  }

  private static let target = match(
    #"(?<=\s)(?:https?://[^\s"]+|/[^\s"]*)"#,
    "string.unquoted.path.rehearse"
  )

  // MARK: Transcripts

  private static func prompt(_ words: Vocabulary) -> JSONValue { command(words, behind: "^> ?") }

  private static let continuation = JSONValue.fields([
    ("begin", .string(#"^\. ?"#)), ("end", .string("$")),
    ("beginCaptures", captures([(0, "punctuation.definition.prompt.rehearse")])),
    ("patterns", .array([include(scriptScope + "#arguments")])),
  ])

  private static func output(_ words: Vocabulary) -> JSONValue {
    .fields([
      ("name", .string("meta.output.rehearse")), ("begin", .string("^  ")), ("end", .string("$")),
      (
        "patterns",
        .array([
          match(#"\G(?:\S+:\d+: )?error: .*$"#, "invalid.illegal.error.rehearse"),
          match(#"\Ghint: .*$"#, "markup.italic.hint.rehearse"),
          match(#"\G *\^~*$"#, "invalid.illegal.place.rehearse"),
          match(#"\G\.\.\.$"#, "string.regexp.pattern.rehearse"),
          match(#"\[\.\.\]|\{\{.*?\}\}"#, "string.regexp.pattern.rehearse"),
          match(#"\G\s*\d+(?:\.\d+)?s(?=\s)"#, "constant.numeric.instant.rehearse"),
          include(scriptScope + "#text"), match(#"#\d+"#, "constant.numeric.attempt.rehearse"),
          match(word(words.states), "constant.other.state.rehearse"),
        ])
      ),
    ])
  }

  /// A file after the commands. Scripts and JSON are coloured by their own grammars.
  private static let fixture = JSONValue.fields([
    (
      "patterns",
      .array([
        fixture(named: #"\S.*\.rehearse"#, containing: [include("source.rehearse")]),
        fixture(named: #"\S.*\.(?:json|har)"#, containing: [include("source.json")]),
        fixture(named: #"\S.*\S|\S"#, containing: []),
      ])
    )
  ])

  private static func fixture(named name: String, containing patterns: [JSONValue]) -> JSONValue {
    .fields([
      ("begin", .string("^(-- )(\(name))( --)$")), ("end", .string(#"(?=^-- \S.* --$)"#)),
      (
        "beginCaptures",
        captures([
          (1, "punctuation.definition.file.rehearse"), (2, "entity.name.section.file.rehearse"),
          (3, "punctuation.definition.file.rehearse"),
        ])
      ),
      ("contentName", .string("meta.embedded.file.rehearse")), ("patterns", .array(patterns)),
    ])
  }

  // MARK: Pieces

  private static func include(_ name: String) -> JSONValue { .fields([("include", .string(name))]) }

  private static func match(_ pattern: String, _ scope: String) -> JSONValue {
    .fields([("name", .string(scope)), ("match", .string(pattern))])
  }

  private static func captures(_ scopes: [(group: Int, scope: String)]) -> JSONValue {
    .fields(scopes.map { ("\($0.group)", .fields([("name", .string($0.scope))])) })
  }

  /// Matches one of several words, or patterns of words, as a whole word.
  private static func word(_ words: [String]) -> String {
    #"(?<![\w.-])(?:"# + any(words) + #")(?![\w.-])"#
  }

  private static func any(_ words: [String]) -> String { words.joined(separator: "|") }
}

extension JSONValue {
  fileprivate static func fields(_ fields: [(String, JSONValue)]) -> JSONValue {
    .object(fields.map { Field(name: $0.0, value: $0.1) })
  }

  /// Returns JSON with a line for each part, for readable files.
  fileprivate func inLines(margin: String = "") -> String {
    let inner = margin + "  "
    switch self {
    case .object(let fields) where fields.count > 0:
      let lines = fields.map {
        inner + JSONValue.string($0.name).text + ": " + $0.value.inLines(margin: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
    case .array(let elements) where elements.count > 0:
      let lines = elements.map { inner + $0.inLines(margin: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(margin)]"
    case .null, .bool, .number, .string, .array, .object: return text
    }
  }
}
