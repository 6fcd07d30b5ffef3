/// Rounds a recorded duration to whole milliseconds.
extension Duration {
  /// The duration rounded to whole milliseconds.
  var inWholeMilliseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds)
      + .milliseconds((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}
