// swift-format-ignore-file
import Observation

@Observable
public final class PlayerModel {
  public private(set) var seconds = 0
  public var isPlaying = false

  public init(seconds: Int = 0) { self.seconds = seconds }

  public func play(for duration: Duration) async throws {
    isPlaying = true
    try await Task.sleep(for: duration)
    isPlaying = false
  }

  public func seek(to second: Int) { seconds = second }
}
