import Foundation
import Staging
import Synchronization

/// What a search needs and the environment says is missing.
enum MissingNeeds {
  static func begin() {
    switch ProcessInfo.processInfo.environment["MISSING_NEED"] {
    case "hops": SearchNeed.missingInTest.withLock { $0 = [.hops] }
    case "effects": SearchNeed.missingInTest.withLock { $0 = [.effects] }
    default: break
    }
  }
}
