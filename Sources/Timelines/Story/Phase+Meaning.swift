extension Recording.Phase {
  /// What a legend says.
  var meaning: String {
    switch self {
    case .resting: "at rest"
    case .inFlight: "in flight"
    case .succeeded: "succeeded"
    case .failed: "failed"
    }
  }
}
