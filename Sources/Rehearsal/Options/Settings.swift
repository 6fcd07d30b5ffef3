import Loading
package import RehearsalBase
import Script

/// What the options of a session and its shell are set to.
package struct Settings: Sendable {
  /// How many columns pictures and help may take.
  package var width = 80
  package var colour = Colouring.auto
  package var times = TimeStyle.seconds
  /// That of members which name none.
  var policy = LoadingPolicy.latest
  package var seed = 0
  package var pager = Paging.auto

  package init() {}

  /// Whether lines are coloured.
  package enum Colouring: String, CaseIterable, OptionWord {
    case auto, always, never

    var meaning: String {
      switch self {
      case .auto: "on a terminal that has colours"
      case .always: "everywhere, in pipes as well"
      case .never: "nowhere"
      }
    }
  }

  /// Whether output that is longer than the screen is shown page by page.
  package enum Paging: String, CaseIterable, OptionWord {
    case auto, never

    var meaning: String {
      switch self {
      case .auto: "on a terminal, for commands that only look, where it is longer than the screen"
      case .never: "not at all"
      }
    }
  }
}

/// A word that an option can be set to.
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
    case .clock: "00:01.250: hours where there are any, minutes, seconds"
    }
  }
}

extension LoadingPolicy: OptionWord {
  static var allCases: [LoadingPolicy] { all }
  var word: String { name }
  var meaning: String { HelpTopic.explanation(of: self) }
}
