import ArgumentParser
import Rehearsal
import Script

/// The flags for the options of a session.
struct OptionFlags: ParsableArguments {
  @OptionGroup var colour: ColourFlag

  @Option(name: SessionOption.width.flags, help: SessionOption.width.help, completion: nil)
  var width: String?

  @Option(
    name: SessionOption.times.flags,
    help: SessionOption.times.help,
    completion: SessionOption.times.completion
  )
  var times: String?

  @Option(
    name: SessionOption.policy.flags,
    help: SessionOption.policy.help,
    completion: SessionOption.policy.completion
  )
  var policy: String?

  @Option(name: SessionOption.seed.flags, help: SessionOption.seed.help)
  var seed: String?

  @Option(
    name: SessionOption.preempt.flags,
    help: SessionOption.preempt.help,
    completion: SessionOption.preempt.completion
  )
  var preempt: String?

  @Option(
    name: SessionOption.pager.flags,
    help: SessionOption.pager.help,
    completion: SessionOption.pager.completion
  )
  var pager: String?

  @Flag(name: .customLong("no-pager"), help: "Same as --pager never.")
  var hasNoPager = false

  /// The given flags, in the order of `SessionOption.all`.
  private var said: [(SessionOption, String?)] {
    [
      (.width, width), (.times, times), (.policy, policy), (.seed, seed),
      (.preempt, preempt), (.pager, pager),
      (.pager, hasNoPager ? "never" : nil),
    ]
  }

  func validate() throws { try SessionOption.check(said) }

  /// Returns the options of the config file, the environment and these flags.
  func sources(isForScript: Bool) -> OptionSources {
    var sources = OptionSources.ofSurroundings(isForScript: isForScript)
    for (option, text) in [(.colour, colour.colour)] + said {
      // `validate` has checked the flags.
      if let text { try? sources.add(flag: text, of: option) }
    }
    return sources
  }
}

extension OptionSources {
  /// Returns the width of a picture: the option's value if it is set, or else `columns`.
  func width(else columns: Int) -> Int {
    let isSaid = values.contains { $0.value.option.name == SessionOption.width.name }
    return isSaid ? settings.width : columns
  }
}

/// The only session option of subcommands that have no session.
struct ColourFlag: ParsableArguments {
  @Option(
    name: SessionOption.colour.flags,
    help: SessionOption.colour.help,
    completion: SessionOption.colour.completion
  )
  var colour: String?

  func validate() throws { try SessionOption.check([(.colour, colour)]) }

  /// The options of the config file and the environment, with the colour of this flag.
  var settings: Settings {
    var sources = OptionSources.ofSurroundings(isForScript: true)
    if let colour { try? sources.add(flag: colour, of: .colour) }
    return sources.settings
  }
}

extension SessionOption {
  fileprivate var flags: NameSpecification {
    NameSpecification(names.map { .customLong($0) })
  }

  fileprivate var help: ArgumentHelp {
    let isShort = words.isEmpty || placeholder.contains("|")
    let values = isShort ? "" : "values: \(words.map(\.text).joined(separator: ", ")); "
    return ArgumentHelp("\(summary) (\(values)default: \(initial))", valueName: placeholder)
  }

  fileprivate var completion: CompletionKind? {
    words.isEmpty ? nil : .list(words.map(\.text))
  }

  /// Checks the values of flags.
  fileprivate static func check(_ said: [(SessionOption, String?)]) throws {
    for (option, text) in said {
      guard let text else { continue }
      do throws(Diagnostic) {
        _ = try OptionValue(option, text)
      } catch {
        let hint = error.hint.map { "; \($0)" } ?? ""
        throw ValidationError("--\(option.name): \(error.problem.sentence)\(hint)")
      }
    }
  }
}
