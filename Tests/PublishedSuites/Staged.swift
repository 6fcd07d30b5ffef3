import Foundation
public import RehearsalTesting

/// The trait of all tests: `.rehearsed`, or `.explored` with the number of schedules in SCHEDULES.
let staged: RehearsalTrait =
  ProcessInfo.processInfo.environment["SCHEDULES"].flatMap { Int($0) }
  .map { .explored(schedules: $0, mayLeaveWork: true) } ?? .rehearsed

open class StagedTestCase: RehearsalTestCase {
  open override class var trait: RehearsalTrait { staged }
}
