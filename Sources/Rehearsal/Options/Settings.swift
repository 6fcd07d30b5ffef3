import Loading
package import RehearsalBase
import Script

/// The value of each option, as plain fields.
package struct Settings: Sendable {
  /// The width of pictures and help texts, as a number of columns.
  package var width = 80
  package var colour = Colouring.auto
  package var times = TimeStyle.seconds
  /// The policy of new members that name none.
  var policy = LoadingPolicy.latest
  package var seed = 0
  var preempt = Preempting.none
  package var pager = Paging.auto

  package init() {}

  /// When lines have colours.
  package enum Colouring: String, CaseIterable, OptionWord {
    case auto, always, never

    var meaning: String {
      switch self {
      case .auto: "on terminals with colours"
      case .always: "always, also in pipes"
      case .never: "never"
      }
    }
  }

  /// Where other code may run although the running code does not wait.
  package enum Preempting: String, CaseIterable, OptionWord {
    case none, locks

    var meaning: String {
      switch self {
      case .none: "only where code waits, and at 'sync' of a queue"
      case .locks: "also where code locks or unlocks"
      }
    }
  }

  /// When output that is longer than two screens is shown page by page.
  package enum Paging: String, CaseIterable, OptionWord {
    case auto, never

    var meaning: String {
      switch self {
      case .auto:
        "on a terminal, for commands that only show, if the output is longer than two screens"
      case .never: "never"
      }
    }
  }
}

/// A word that is a value of an option.
protocol OptionWord: Sendable {
  static var allCases: [Self] { get }
  var word: String { get }
  var meaning: String { get }
}

extension OptionWord where Self: RawRepresentable<String> {
  var word: String { rawValue }
}

extension TimeStyle: OptionWord {
  var meaning: String {
    switch self {
    case .seconds: "1.250s"
    case .milliseconds: "1250ms"
    case .clock: "00:01.250: hours if there are any, minutes, seconds"
    }
  }
}

extension LoadingPolicy: OptionWord {
  static var allCases: [LoadingPolicy] { all }
  var word: String { name }
  var meaning: String { HelpTopic.explanation(of: self) }
}
