import FuzzTargets

/// The command-line arguments.
struct Arguments {
  var targets: [any FuzzTarget] = []
  /// Files to check again, instead of new inputs.
  var files: [String] = []
  var count = 10_000
  var seed: UInt64 = 1
  /// The number of the only input to check, among those of the seed.
  var only: Int?
  var jobs = 1
  /// The folder for findings.
  var findings = ".build/findings"
  /// Maximum processor time of one input, in seconds.
  var timeout = 10
  var corpus = "Fuzzing/Corpus"

  init(_ words: [String]) throws(Usage) {
    var rest = words[...]
    guard let name = rest.popFirst() else { throw Usage("which target?") }
    try take(target: name)
    while let word = rest.popFirst() { try take(word, &rest) }
  }

  private mutating func take(target name: String) throws(Usage) {
    if name == "all" {
      targets = FuzzTargets.all
    } else if let target = FuzzTargets.named(name) {
      targets = [target]
    } else {
      throw Usage("there is no target '\(name)'")
    }
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Usage) {
    switch word {
    case "--count": count = try Self.number(word, rest.popFirst())
    case "--seed": seed = UInt64(try Self.number(word, rest.popFirst()))
    case "--only": only = try Self.number(word, rest.popFirst())
    case "--jobs": jobs = max(1, try Self.number(word, rest.popFirst()))
    case "--timeout": timeout = try Self.number(word, rest.popFirst())
    case "--findings": findings = try Self.text(word, rest.popFirst())
    case "--corpus": corpus = try Self.text(word, rest.popFirst())
    default:
      guard !word.hasPrefix("--") else { throw Usage("there is no option '\(word)'") }
      files.append(word)
    }
  }

  private static func text(_ option: String, _ word: String?) throws(Usage) -> String {
    guard let word else { throw Usage("'\(option)' needs a value") }
    return word
  }

  private static func number(_ option: String, _ word: String?) throws(Usage) -> Int {
    guard let number = Int(try text(option, word)), number >= 0 else {
      throw Usage("'\(option)' needs a number")
    }
    return number
  }
}

/// The reason why the arguments are invalid.
struct Usage: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  static let text = """
    usage: fuzz TARGET|all [--count N] [--seed S] [--jobs N] [--timeout SECONDS]
           fuzz TARGET [--seed S] --only INDEX       one of those inputs again
           fuzz TARGET FILE…                         inputs again, in this process
    targets: \(FuzzTargets.all.map(\.name).joined(separator: ", "))
    compared with another program, and not among 'all': \(FuzzTargets.comparing.map(\.name).joined(separator: ", "))

    """
}
