import Staging

/// Waits for an hour of virtual time.
///
/// - Returns: the virtual time that has passed.
func timeOfReminder() throws -> Duration {
  let stage = Stage()
  try stage.run {
    try await Task.sleep(for: .seconds(3600))
  }
  return stage.now.elapsed
}
