import Foundation
import Staging
import Synchronization

/// Requirements of a search that the environment declares missing.
enum MissingNeeds {
  static func begin() {
    switch ProcessInfo.processInfo.environment["MISSING_NEED"] {
    case "hops": SearchNeed.missingInTest.withLock { $0 = [.hops] }
    case "effects": SearchNeed.missingInTest.withLock { $0 = [.effects] }
    case "locks": SearchNeed.missingInTest.withLock { $0 = [.locks] }
    case "mutexes": SearchNeed.missingInTest.withLock { $0 = [.mutexes] }
    default: break
    }
  }
}
