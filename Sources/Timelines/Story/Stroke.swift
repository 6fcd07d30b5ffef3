/// How a bar is drawn between its marks.
enum Stroke: CaseIterable, Hashable {
  /// In flight, and the state says so.
  case visible
  /// In flight, and the state does not show it.
  case silent
  /// Cancelled, replaced or stopped, but its block has not ended.
  case released
  /// Not begun yet.
  case waiting

  /// What a legend says; nil for what the picture shows by itself.
  var meaning: String? {
    switch self {
    case .visible: nil
    case .silent: "silent"
    case .released: "no longer counts"
    case .waiting: "waiting"
    }
  }
}
